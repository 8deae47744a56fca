"""Clubs that register themselves: a slug is reserved, a link is opened, and the club is made.

A link holds a code of 160 random bits, of which the catalogue has the digest. It is sent to the e-mail address that was given, or the
operator hands it over. It makes one club; while it is valid it leads back to that club.
"""

import json
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import connections, transaction
from django.utils.crypto import salted_hmac

from schnauz_turnier.clubs.catalogue import SLUG, ClubRefusal, Entry, State, UnknownClub, club_of
from schnauz_turnier.clubs.changes import create_club, delete_club
from schnauz_turnier.clubs.slugs import MOST_IN_A_SLUG, RESERVED
from tournaments.current_club import in_club
from tournaments.links import code_hash, new_code
from tournaments.own_address import public_url
from tournaments.queries.database_version import Cursor

LINK_LASTS = timedelta(hours=48)
OPERATOR_HAS = timedelta(days=14)
"""How long a registration waits for the operator, where no mail is sent."""
MOST_WAITING = 200
MOST_OF_AN_EMAIL = 5
MOST_OF_A_NETWORK = 5
_LOST_AFTER = timedelta(minutes=2)
"""After this time a club that was begun and is not there was begun by a process that has died."""
_LOCK = 0x5C4B


class RegistrationRefusal(Exception):
    """Nothing was kept or made. code: slug_taken, network_full, all_full, code_unknown, being_made."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class AgreedText:
    """A text that a club agrees to. sha256: of the text as it was shown."""

    kind: str
    version: str
    dated_on: date
    language: str
    sha256: str


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


@contextmanager
def _cursor() -> Iterator[Cursor]:
    with in_club(None), connections["default"].cursor() as cursor:
        yield cursor


def slug_is_free(slug: str, *, at: datetime) -> bool:
    """Whether a club could register with this slug now."""
    if slug in RESERVED or not SLUG.fullmatch(slug):
        return False
    with _cursor() as cursor:
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
    A form that is sent again keeps and returns nothing more either.
    Refuses slug_taken, network_full and all_full. network: of the sender, see `network_of`.
    """
    if slug in RESERVED or not SLUG.fullmatch(slug):
        raise RegistrationRefusal("slug_taken")
    sender = salted_hmac("schnauz_turnier.clubs.registration", network, algorithm="sha256").hexdigest()
    code = new_code() if with_link else ""
    agreed = json.dumps([asdict(text) for text in texts], default=str)
    with _cursor() as cursor, transaction.atomic():
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        _forget(cursor, at)
        if _is_sent_again(cursor, slug, email, sender):
            return ""
        if _is_taken(cursor, slug, at):
            raise RegistrationRefusal("slug_taken")
        cursor.execute(
            "SELECT count(*), count(*) FILTER (WHERE sender = %s), count(*) FILTER (WHERE lower(email) = lower(%s)) "
            "FROM catalogue.registration WHERE schema_name = ''",
            [sender, email],
        )
        waiting, of_network, of_email = cursor.fetchone()
        if waiting >= MOST_WAITING:
            raise RegistrationRefusal("all_full")
        if of_network >= MOST_OF_A_NETWORK:
            raise RegistrationRefusal("network_full")
        if of_email >= MOST_OF_AN_EMAIL:
            return ""
        cursor.execute(
            "INSERT INTO catalogue.registration "
            "(slug, name, email, agreed_by, texts, sender, code_hash, registered_at, expires_at) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
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
    with _cursor() as cursor:
        _forget(cursor, at)


def withdraw(code: str) -> None:
    """Give the slug back: the link could not be sent."""
    with _cursor() as cursor:
        cursor.execute(
            "DELETE FROM catalogue.registration WHERE code_hash = %s AND schema_name = ''", [code_hash(code)]
        )


# --- for the operator ----------------------------------------------------------------------------------------------


def waiting_registrations(*, at: datetime) -> list[Registration]:
    """Return the registrations that have no club yet, the oldest first."""
    with _cursor() as cursor:
        cursor.execute(
            "SELECT slug, name, email, agreed_by, registered_at, expires_at, code_hash <> '' FROM catalogue.registration "
            "WHERE schema_name = '' AND expires_at > %s ORDER BY registered_at, slug",
            [at],
        )
        return [Registration(*row) for row in cursor.fetchall()]


def confirm_registration(slug: str, *, at: datetime) -> str:
    """Return a new link for a waiting registration, valid for 48 hours; earlier ones end. Raises ClubRefusal."""
    code = new_code()
    with _cursor() as cursor:
        cursor.execute(
            "UPDATE catalogue.registration SET code_hash = %s, expires_at = %s "
            "WHERE slug = %s AND schema_name = '' AND begun_at IS NULL AND expires_at > %s",
            [code_hash(code), at + LINK_LASTS, slug, at],
        )
        if not cursor.rowcount:
            raise ClubRefusal(f"No registration of {slug!r} waits. `manage.py registrations` lists them.")
    return link_with(code)


def refuse_registration(slug: str) -> None:
    """Delete a waiting registration; its slug is free again. Raises ClubRefusal."""
    with _cursor() as cursor:
        cursor.execute(
            "DELETE FROM catalogue.registration WHERE slug = %s AND schema_name = '' AND begun_at IS NULL",
            [slug],
        )
        if not cursor.rowcount:
            raise ClubRefusal(f"No registration of {slug!r} waits. `manage.py registrations` lists them.")


def link_with(code: str) -> str:
    """Return the link that makes the club. The code is behind the #, which browsers never send."""
    return f"{public_url()}/register/open/#{code}"


# --- the link is opened --------------------------------------------------------------------------------------------


def club_of_link(code: str, *, at: datetime, wait: Callable[[float], None] = time.sleep) -> Entry:
    """Make the club of a link, or return the one that it has made. Of two that are sent at once, one makes it and the other one waits.

    Refuses code_unknown (also for expired links), slug_taken (the operator has given it to another club) and being_made.
    """
    for _attempt in range(40):
        registered = _registered(code, at)
        if registered["schema_name"]:
            return _made_before(registered)
        if _begin(registered, at):
            return _make(registered, at)
        wait(0.25)
    raise RegistrationRefusal("being_made")


def _registered(code: str, at: datetime) -> dict[str, Any]:
    with _cursor() as cursor:
        cursor.execute(
            "SELECT slug, name, email, agreed_by, texts, registered_at, begun_at, schema_name FROM catalogue.registration "
            "WHERE code_hash = %s AND expires_at > %s",
            [code_hash(code), at],
        )
        names = [column[0] for column in cursor.description]
        for row in cursor.fetchall():
            return dict(zip(names, row, strict=True))
    raise RegistrationRefusal("code_unknown")


def _made_before(registered: dict[str, Any]) -> Entry:
    try:
        entry = club_of(registered["slug"])
    except UnknownClub:
        raise RegistrationRefusal("code_unknown") from None
    if entry.schema != registered["schema_name"] or entry.state is not State.OPEN:
        raise RegistrationRefusal("code_unknown")
    return entry


def _begin(registered: dict[str, Any], at: datetime) -> bool:
    """Whether this call is to make the club. It is if nobody has begun, or if who began has died."""
    with _cursor() as cursor:
        cursor.execute(
            "UPDATE catalogue.registration SET begun_at = %s WHERE slug = %s AND schema_name = '' "
            "AND begun_at IS NOT DISTINCT FROM %s AND (begun_at IS NULL OR begun_at < %s)",
            [at, registered["slug"], registered["begun_at"], at - _LOST_AFTER],
        )
        return bool(cursor.rowcount)


def _make(registered: dict[str, Any], at: datetime) -> Entry:
    slug = registered["slug"]
    try:
        entry = _left_behind(slug, registered["begun_at"]) or create_club(slug, registered["name"], at=at)
    except ClubRefusal:
        _give_up(slug)
        raise RegistrationRefusal("slug_taken") from None
    except BaseException:
        _give_up(slug)
        raise
    _note(entry, registered)
    return entry


def _give_up(slug: str) -> None:
    with _cursor() as cursor:
        cursor.execute("UPDATE catalogue.registration SET begun_at = NULL WHERE slug = %s", [slug])


def _left_behind(slug: str, begun_at: datetime | None) -> Entry | None:
    """Return the club that a process made before it died; delete one that it has not finished."""
    try:
        entry = club_of(slug)
    except UnknownClub:
        return None
    if entry.created_at != begun_at:
        return None
    if entry.state is State.NEW:
        delete_club(slug)
        return None
    return entry


def _note(entry: Entry, registered: dict[str, Any]) -> None:
    """Note which club it is now, whom to write to, and what was agreed to."""
    with _cursor() as cursor, transaction.atomic():
        cursor.execute(
            "UPDATE catalogue.registration SET schema_name = %s WHERE slug = %s", [entry.schema, entry.slug]
        )
        cursor.execute(
            "UPDATE catalogue.club SET email = %s WHERE slug = %s", [registered["email"], entry.slug]
        )
        for text in json.loads(registered["texts"]):
            cursor.execute(
                "INSERT INTO catalogue.agreement (slug, kind, version, dated_on, language, sha256, agreed_by, agreed_at) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
                [
                    *(entry.slug, text["kind"], text["version"], text["dated_on"], text["language"]),
                    *(text["sha256"], registered["agreed_by"], registered["registered_at"]),
                ],
            )
