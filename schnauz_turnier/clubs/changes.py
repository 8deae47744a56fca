"""Changes of whole clubs: create, close, open, delete. None of them affects another club."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from secrets import token_hex

from django.core.management import call_command

from schnauz_turnier.clubs import catalogue, schemas
from schnauz_turnier.clubs.backups import put_aside
from schnauz_turnier.clubs.catalogue import (
    OPERATOR,
    OPERATORS_SCHEMA,
    SLUG,
    ClubRefusal,
    Entry,
    State,
    club_of,
    club_to_change,
)
from schnauz_turnier.clubs.measures import measure
from schnauz_turnier.clubs.slugs import RESERVED
from scoring.services import restore
from scoring.services.dump_file import is_of_this_version, read_manifest
from tournaments.current_club import Club, in_club
from tournaments.queries.database_version import digest_of, known_migrations, migrate_to
from tournaments.services.accounts import setup_code

LONGEST_NAME = 120
LONGEST_KEY = 200


def create_club(
    slug: str, name: str, *, at: datetime, backup: Path | None = None, is_listed: bool = True
) -> Entry:
    """Make a club: role, schema, tables. backup: a dump of a laptop or a club, to copy rows and key from.

    Raises ClubRefusal, and UnfitDump for a backup that cannot be restored.
    """
    if not SLUG.fullmatch(slug):
        raise ClubRefusal(f"{slug!r} is no slug: at most 40 of a-z and 0-9, with single hyphens in between.")
    if slug == OPERATOR:
        raise ClubRefusal(f"{slug!r} is reserved for the operator's pages: manage.py create_operator")
    if slug in RESERVED:
        raise ClubRefusal(f"{slug!r} is reserved (schnauz_turnier/clubs/slugs.py). Choose another slug.")
    _check_name(name)
    own_key = (read_manifest(backup).key if backup else None) or ""
    if own_key and own_key in {entry.key for entry in catalogue.all_clubs()}:
        own_key = ""  # a copy of a club: the codes and cookies of one must not be valid in the other
    if len(own_key) > LONGEST_KEY:
        raise ClubRefusal(
            f"The key in the backup has more than {LONGEST_KEY} characters. Take a backup without a key."
        )
    schema, seed = schemas.new_name(slug), token_hex(32)
    entry = Entry(slug, name, State.NEW, schema, seed, own_key, at, is_listed=is_listed)
    return _created(entry, backup)


def rename_club(slug: str, name: str) -> None:
    """Give a club another name on the start page. Its own settings stay. Raises ClubRefusal."""
    catalogue.club_to_change(slug)
    _check_name(name)
    catalogue.write_catalogue("UPDATE catalogue.club SET name = %s WHERE slug = %s", name, slug)


def _check_name(name: str) -> None:
    if not 0 < len(name) <= LONGEST_NAME:
        raise ClubRefusal(f"A name has 1 to {LONGEST_NAME} characters.")


def create_operator(*, at: datetime) -> Entry:
    """Make the operator's own schema, for accounts and sessions of the operator. Raises ClubRefusal."""
    schema = f"{OPERATORS_SCHEMA}{token_hex(4)}"
    entry = Entry(OPERATOR, "Operator", State.NEW, schema, token_hex(32), "", at, is_listed=False)
    return _created(entry, None)


def _created(entry: Entry, backup: Path | None) -> Entry:
    slug = entry.slug
    if not catalogue.add(entry):
        if entry.is_operators and catalogue.club_of(slug).is_operators:
            raise ClubRefusal(
                "The operator's pages are there already. The link for their first account: manage.py club operator account_link"
            )
        raise ClubRefusal(f"There is a club {slug!r} already. Choose another slug, or delete that one first.")
    try:
        schemas.create(entry.club)
        if backup is None:
            schemas.make_tables(entry.club)
        else:
            _restore(entry.club, backup)
        catalogue.note_migrations(slug, digest_of(known_migrations()))
        if not catalogue.change_state(slug, State.NEW, State.OPEN):
            raise ClubRefusal(f"{slug} was deleted while it was made.")
    except BaseException:
        schemas.drop(entry.schema)
        catalogue.remove(slug, entry.schema)
        raise
    made = replace(entry, state=State.OPEN)
    measure(made, at=entry.created_at)
    return made


def _restore(club: Club, backup: Path) -> None:
    manifest = read_manifest(backup)
    is_up_to_date = is_of_this_version(manifest)
    if is_up_to_date:
        schemas.make_tables(club)
    with in_club(club), restore.all_or_nothing(backup):
        if not is_up_to_date:
            migrate_to(restore.migrations_to_make(manifest))
        restore.load(backup, manifest)
        if not is_up_to_date:
            call_command("migrate", verbosity=0, interactive=False, without_backup=True)


def setup_link(entry: Entry) -> str:
    """Return the link for the first account of a club; "" once there is one."""
    with in_club(entry.club):
        code = setup_code()
    return f"{entry.address}account/setup/#{code}" if code else ""


def is_due(entry: Entry) -> bool:
    """Whether the tables of a club are not those of this program. A club is asked if the catalogue does not say that they are."""
    ours = digest_of(known_migrations())
    if entry.migrations == ours:
        return False
    theirs = schemas.digest_of_migrations(entry.club)
    catalogue.note_migrations(entry.slug, theirs)
    return theirs != ours


def clubs_are_current() -> bool:
    """Whether the catalogue says of all clubs that their tables are those of this program."""
    others = "SELECT 1 FROM catalogue.club WHERE migrations <> %s AND state <> %s LIMIT 1"
    return not catalogue.rows_of_catalogue(others, digest_of(known_migrations()), State.NEW)


def migrate_club(slug: str) -> None:
    """Bring the tables of a club up to date."""
    club = club_of(slug).club
    schemas.migrate(club)
    catalogue.note_migrations(slug, schemas.digest_of_migrations(club))


def archive_club(slug: str) -> None:
    """Close a club; its rows stay. Raises ClubRefusal."""
    _change(slug, State.OPEN, State.ARCHIVED, "is not open")


def open_club(slug: str) -> None:
    """Open an archived club. Raises ClubRefusal."""
    _change(slug, State.ARCHIVED, State.OPEN, "is not archived")


def delete_club(slug: str) -> None:
    """Delete an archived or incompletely created club with all of its rows. Raises ClubRefusal."""
    entry = club_to_change(slug)
    # From then on, nobody opens it: its owner has a link, and the operator a page.
    if entry.state is not State.NEW and not catalogue.change_state(slug, State.ARCHIVED, State.NEW):
        raise ClubRefusal(f"{slug} is open. Only an archived club can be deleted: archive_club {slug}")
    delete_rows(entry)


def delete_rows(entry: Entry) -> None:
    """Delete schema, role and entry of a club; its backups stay, apart from those of a later club with its slug."""
    schemas.drop(entry.schema)
    put_aside(entry)
    catalogue.remove(entry.slug, entry.schema)


def _change(slug: str, before: State, after: State, otherwise: str) -> None:
    club_to_change(slug)
    if not catalogue.change_state(slug, before, after):
        raise ClubRefusal(f"{slug} {otherwise}.")
