"""The club for which a request, a command or a rendering works, where one installation serves many.

Each club has a schema of the database, with accounts and sessions of its own, and nothing else. A laptop serves one
club and names none: then it is None here, and everything is as if there were no clubs.
"""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from django.conf import settings
from django.db import connection
from django.urls import get_script_prefix, set_script_prefix

from tournaments.own_address import public_url


@dataclass(frozen=True, slots=True)
class Quotas:
    """Quotas of a club, None for any number. people: players on all lists. is_full: whether its room on disk is used up."""

    tournaments: int | None = None
    people: int | None = None
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class Club:
    """A club of this installation.

    schema: the name of its schema. role: that of the role which owns what is in it.
    origin: scheme and host of its addresses. prefix: what their paths begin with, "" for a club with a host of its own.
    key: what signs its cookies and links. quotas: as they were when the club was looked up.
    name: the one that it was made with, shown until its settings have one.
    """

    slug: str
    schema: str
    role: str
    origin: str
    prefix: str
    key: str = field(repr=False)
    quotas: Quotas = field(default=Quotas(), compare=False)
    name: str = field(default="", compare=False)


_current: ContextVar[Club | None] = ContextVar("current_club", default=None)


def current_club() -> Club | None:
    return _current.get()


@contextmanager
def in_club(club: Club | None) -> Iterator[None]:
    """Work for this club inside the block: with its rows, its addresses, its key and what is kept in memory.

    Raises RuntimeError inside a transaction, which belongs to one club.
    """
    before, prefix = _current.get(), get_script_prefix()
    if club != before and connection.in_atomic_block:
        raise RuntimeError("A transaction belongs to one club.")
    _current.set(club)
    set_script_prefix(f"{club.prefix}/" if club else "/")
    try:
        yield
    finally:
        _current.set(before)
        set_script_prefix(prefix)


def signing_key() -> str:
    """Return the secret that signs what this installation, or the current club of it, hands out."""
    club = _current.get()
    return club.key if club else settings.SECRET_KEY


def origin() -> str:
    """Return scheme and host of the addresses of this installation, or of the current club."""
    club = _current.get()
    return club.origin if club else public_url()


def public_address() -> str:
    """Return the address of the start page, without a trailing slash."""
    return f"{origin()}{get_script_prefix()}".removesuffix("/")


def within_the_club(path: str) -> str:
    """Return a path without what the paths of the current club begin with, as the URL patterns have it."""
    return path.removeprefix(get_script_prefix().removesuffix("/"))


def everywhere(slug: str) -> str:
    """Return the name of a tournament that is unique among all clubs of the installation: CLUB/SLUG."""
    club = _current.get()
    return f"{club.slug}/{slug}" if club else slug


def of_this_club(name: Hashable) -> Hashable:
    """Return a name for what a process keeps in its memory: the same name in another club is another one."""
    club = _current.get()
    return (club.slug, name) if club else name
