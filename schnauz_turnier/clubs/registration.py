"""Clubs that register themselves: a slug is reserved, a link is opened, and the club is made.

A link holds a code of 160 random bits, of which the catalogue has the digest. It is sent to the e-mail address that was given, or the
operator hands it over. It makes one club; while it is valid it leads back to that club.
"""

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from threading import BoundedSemaphore
from typing import Any

import psycopg
from django.db import connections, transaction
from django.utils.crypto import salted_hmac

from schnauz_turnier.clubs.agreements import AgreedText, agree
from schnauz_turnier.clubs.catalogue import (
    SLUG,
    ClubRefusal,
    Entry,
    State,
    UnknownClub,
    catalogue_cursor,
    club_of,
    rows_of_catalogue,
    write_catalogue,
)
from schnauz_turnier.clubs.changes import create_club, delete_club
from schnauz_turnier.clubs.slugs import MOST_IN_A_SLUG, RESERVED
from tournaments.current_club import in_club
from tournaments.hashing import give_way, return_connection
from tournaments.links import code_hash, new_code
from tournaments.own_address import public_url
from tournaments.queries.database_version import Cursor

LINK_LASTS = timedelta(hours=48)
OPERATOR_HAS = timedelta(days=14)
"""How long a registration waits for the operator, where no mail is sent."""
MOST_WAITING = 200
MOST_OF_AN_EMAIL = 5
MOST_OF_A_NETWORK = 5
PATIENCE = timedelta(seconds=10)
"""How long a second opener of a link waits for the club that the first one makes."""
_FIND = "SELECT slug, name, email, agreed_by, texts, registered_at, begun_at, schema_name FROM catalogue.registration"
_BY_CODE = f"{_FIND} WHERE code_hash = %s AND expires_at > %s"
_WITHOUT_CLUB = f"{_FIND} WHERE slug = %s AND schema_name = ''"
_LOCK = 0x5C52
_waiting = BoundedSemaphore(2)
"""Who waits holds a thread. Others of this process are refused at once."""


class RegistrationRefusal(Exception):
    """Nothing was kept or made. code: slug_taken, network_full, all_full, code_unknown, being_made."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Registration:
    """A club that wants to be here. agreed_by: the name of the person who agrees for it. has_link: a link was made."""

    slug: str
    name: str
    email: str
    agreed_by: str
    registered_at: datetime
    expires_at: datetime
    has_link: bool


def slug_is_free(slug: str, *, at: datetime) -> bool:
    """Whether a club could register with this slug now."""
    if slug in RESERVED or not SLUG.fullmatch(slug):
        return False
    with catalogue_cursor() as cursor:
        return not _is_taken(cursor, slug, at)


def free_slug(slug: str, *, at: datetime) -> str:
    """Return the slug if it is free, else the first free one with a number."""
    numbered = (f"{slug[: MOST_IN_A_SLUG - 3].rstrip('-')}-{number}" for number in range(2, 100))
    return next((proposal for proposal in (slug, *numbered) if slug_is_free(proposal, at=at)), "")


def _is_taken(cursor: Cursor, slug: str, at: datetime) -> bool:
    cursor.execute(
        "SELECT 1 FROM catalogue.club WHERE slug = %s UNION ALL "
        "SELECT 1 FROM catalogue.registration WHERE slug = %s AND schema_name = '' AND expires_at > %s",
        [slug, slug, at],
    )
    return bool(cursor.fetchall())


def register(
    slug: str,
    name: str,
    email: str,
    *,
    agreed_by: str,
    texts: Collection[AgreedText],
    network: str,
    with_link: bool,
    at: datetime,
) -> str:
    """Reserve the slug, and return the code of the link; "" without one, for which the operator is to be asked.

    If five registrations of the e-mail address wait already, nothing is kept and "" is returned: nobody learns here who has registered.
    A form that is sent again gets a new link, which ends the earlier one and counts like another registration; without links, it changes
    nothing.
    Refuses slug_taken, network_full and all_full. network: of the sender, see `network_of`.
    """
    if slug in RESERVED or not SLUG.fullmatch(slug):
        raise RegistrationRefusal("slug_taken")
    sender = salted_hmac("schnauz_turnier.clubs.registration", network, algorithm="sha256").hexdigest()
    code = new_code() if with_link else ""
    agreed = json.dumps([asdict(text) for text in texts], default=str)
    with catalogue_cursor() as cursor, transaction.atomic():
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        _forget(cursor, at)
        is_sent_again = _is_sent_again(cursor, slug, email, sender)
        if is_sent_again and not with_link:
            return ""
        if not is_sent_again and _is_taken(cursor, slug, at):
            raise RegistrationRefusal("slug_taken")
        cursor.execute(
            "SELECT count(*), coalesce(sum(links) FILTER (WHERE sender = %s), 0), "
            "coalesce(sum(links) FILTER (WHERE lower(email) = lower(%s)), 0) "
            "FROM catalogue.registration WHERE schema_name = ''",
            [sender, email],
        )
        waiting, of_network, of_email = cursor.fetchone()
        if waiting >= MOST_WAITING and not is_sent_again:
            raise RegistrationRefusal("all_full")
        if of_network >= MOST_OF_A_NETWORK:
            raise RegistrationRefusal("network_full")
        if of_email >= MOST_OF_AN_EMAIL:
            return ""
        cursor.execute(
            "INSERT INTO catalogue.registration "
            "(slug, name, email, agreed_by, texts, sender, code_hash, registered_at, expires_at) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (slug) DO UPDATE SET name = excluded.name, "
            "agreed_by = excluded.agreed_by, texts = excluded.texts, code_hash = excluded.code_hash, "
            "registered_at = excluded.registered_at, expires_at = excluded.expires_at, links = registration.links + 1",
            [
                *(slug, name, email, agreed_by, agreed, sender),
                *(code_hash(code) if code else "", at, at + (LINK_LASTS if code else OPERATOR_HAS)),
            ],
        )
    return code


def _is_sent_again(cursor: Cursor, slug: str, email: str, sender: str) -> bool:
    cursor.execute(
        "SELECT 1 FROM catalogue.registration WHERE slug = %s AND lower(email) = lower(%s) AND sender = %s AND schema_name = ''",
        [slug, email, sender],
    )
    return bool(cursor.fetchall())


def _forget(cursor: Cursor, at: datetime) -> None:
    """Delete what has expired, and what belongs to clubs that are gone."""
    cursor.execute(
        "DELETE FROM catalogue.registration WHERE expires_at <= %s OR "
        "(schema_name <> '' AND schema_name NOT IN (SELECT schema_name FROM catalogue.club))",
        [at],
    )


def forget_registrations(*, at: datetime) -> None:
    """Delete registrations that have expired. Of a club that was made, catalogue and agreement remain."""
    with catalogue_cursor() as cursor:
        _forget(cursor, at)


def withdraw(code: str) -> None:
    """Give the slug back: the link could not be sent. What may have left a club behind is kept."""
    write_catalogue(
        "DELETE FROM catalogue.registration WHERE code_hash = %s AND schema_name = '' AND begun_at IS NULL",
        code_hash(code),
    )


# --- for the operator ----------------------------------------------------------------------------------------------


def waiting_registrations(*, at: datetime) -> list[Registration]:
    """Return the registrations that have no club yet, the oldest first."""
    rows = rows_of_catalogue(
        "SELECT slug, name, email, agreed_by, registered_at, expires_at, code_hash <> '' FROM catalogue.registration "
        "WHERE schema_name = '' AND expires_at > %s ORDER BY registered_at, slug",
        at,
    )
    return [Registration(*row) for row in rows]


def confirm_registration(slug: str, *, at: datetime) -> str:
    """Return a new link for a waiting registration, valid for 48 hours; earlier ones end. Raises ClubRefusal."""
    code = new_code()
    if not write_catalogue(
        "UPDATE catalogue.registration SET code_hash = %s, expires_at = %s "
        "WHERE slug = %s AND schema_name = '' AND expires_at > %s",
        *(code_hash(code), at + LINK_LASTS, slug, at),
    ):
        raise ClubRefusal(f"No registration of {slug!r} waits. `manage.py registrations` lists them.")
    return link_with(code)


def refuse_registration(slug: str) -> None:
    """Delete a waiting registration; its slug is free again. Raises ClubRefusal, also while its club is being made."""
    with suppress(RegistrationRefusal), _alone(slug, patience=None):
        for registered in _registered(_WITHOUT_CLUB, slug):
            if made := _left_behind(registered):
                _note(made, registered)
                continue
            write_catalogue("DELETE FROM catalogue.registration WHERE slug = %s", slug)
            return
    raise ClubRefusal(f"No registration of {slug!r} waits. `manage.py registrations` lists them.")


def link_with(code: str) -> str:
    """Return the link that makes the club. The code is behind the #, which browsers never send."""
    return f"{public_url()}/register/open/#{code}"


# --- the link is opened --------------------------------------------------------------------------------------------


def club_of_link(code: str, *, at: datetime) -> Entry:
    """Make the club of a link, or return the one that it has made. Of two that are sent at once, one makes it and the other one waits.

    Refuses code_unknown (also for expired links), slug_taken (the operator has given it to another club) and being_made.
    """
    registered = _registered_with(code, at)
    if registered["schema_name"]:
        return _made_before(registered)
    with _alone(registered["slug"], patience=PATIENCE):
        registered = _registered_with(code, at)
        return _made_before(registered) if registered["schema_name"] else _make(registered, at)


def _registered_with(code: str, at: datetime) -> dict[str, Any]:
    for registered in _registered(_BY_CODE, code_hash(code), at):
        return registered
    raise RegistrationRefusal("code_unknown")


def _registered(query: str, *values: Any) -> list[dict[str, Any]]:
    with catalogue_cursor() as cursor:
        cursor.execute(query, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@contextmanager
def _alone(slug: str, *, patience: timedelta | None) -> Iterator[None]:
    """Keep others from making this club, until the block ends or this process dies. Refuses being_made.

    patience: how long others are waited for, None for not at all. The lock belongs to a transaction of a connection of its own, so that it
    holds behind a transaction pooler too.
    """
    key = [_LOCK, slug]
    ours = connections["default"]
    with in_club(None), ours.wrap_database_errors, psycopg.connect(**ours.get_connection_params()) as lock:
        lock.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        if lock.execute("SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))", key).fetchone() != (True,):
            if patience is None or not _waiting.acquire(blocking=False):
                raise RegistrationRefusal("being_made")
            try:
                return_connection()
                give_way.get()()
                lock.execute(f"SET LOCAL lock_timeout = {patience // timedelta(milliseconds=1)}")
                lock.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", key)
            except psycopg.errors.LockNotAvailable:
                raise RegistrationRefusal("being_made") from None
            finally:
                _waiting.release()
        yield


def _made_before(registered: dict[str, Any]) -> Entry:
    try:
        entry = club_of(registered["slug"])
    except UnknownClub:
        raise RegistrationRefusal("code_unknown") from None
    if entry.schema != registered["schema_name"] or entry.state is not State.OPEN:
        raise RegistrationRefusal("code_unknown")
    return entry


def _make(registered: dict[str, Any], at: datetime) -> Entry:
    slug = registered["slug"]
    entry = _left_behind(registered)
    if entry is None:
        write_catalogue("UPDATE catalogue.registration SET begun_at = %s WHERE slug = %s", at, slug)
        try:
            entry = create_club(slug, registered["name"], at=at)
        except ClubRefusal:
            raise RegistrationRefusal("slug_taken") from None
    _note(entry, registered)
    return entry


def _left_behind(registered: dict[str, Any]) -> Entry | None:
    """Return the club that was made before without being noted; delete one that was not finished."""
    try:
        entry = club_of(registered["slug"])
    except UnknownClub:
        return None
    if entry.created_at != registered["begun_at"]:
        return None
    if entry.state is State.NEW:
        delete_club(entry.slug)
        return None
    return entry


def _note(entry: Entry, registered: dict[str, Any]) -> None:
    """Note which club it is now, whom to write to, and what was agreed to."""
    with catalogue_cursor() as cursor, transaction.atomic():
        cursor.execute(
            "UPDATE catalogue.registration SET schema_name = %s WHERE slug = %s", [entry.schema, entry.slug]
        )
        cursor.execute(
            "UPDATE catalogue.club SET email = %s WHERE slug = %s", [registered["email"], entry.slug]
        )
        texts = [AgreedText(**text) for text in json.loads(registered["texts"])]
        agree(entry.slug, texts, agreed_by=registered["agreed_by"], at=registered["registered_at"])
