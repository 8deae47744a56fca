"""Changes of whole clubs: create, close, open, delete, move. None of them affects another club."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections

from schnauz_turnier.clubs import catalogue, schemas
from schnauz_turnier.clubs.catalogue import SLUG, ClubRefusal, Entry, State, club_of
from scoring.services import dump, restore
from scoring.services.dump_file import is_of_this_version, read_manifest
from tournaments.current_club import Club, in_club
from tournaments.queries.database_version import migrate_to

LONGEST_NAME = 120
LONGEST_KEY = 200


def _check_server(name: str) -> None:
    if name not in connections:
        raise ClubRefusal(f"There is no server {name!r}. CLUB_SERVERS names them.")


def create_club(
    slug: str, name: str, *, at: datetime, server: str = DEFAULT_DB_ALIAS, backup: Path | None = None
) -> Entry:
    """Make a club: role, schema, tables. backup: a dump of a laptop or a club, to copy rows and key from.

    Raises ClubRefusal, and UnfitDump for a backup that cannot be restored.
    """
    if not SLUG.fullmatch(slug):
        raise ClubRefusal(f"{slug!r} is no slug: at most 40 of a-z and 0-9, with single hyphens in between.")
    if not 0 < len(name) <= LONGEST_NAME:
        raise ClubRefusal(f"A name has 1 to {LONGEST_NAME} characters.")
    _check_server(server)
    manifest = read_manifest(backup) if backup else None
    own_key = (manifest.key if manifest else None) or ""
    if own_key in {entry.key for entry in catalogue.all_clubs()}:
        own_key = ""  # a copy of a club: the codes and cookies of one must not be valid in the other
    if len(own_key) > LONGEST_KEY:
        raise ClubRefusal(
            f"The key in the backup has more than {LONGEST_KEY} characters. Take a backup without a key."
        )
    entry = Entry(slug, name, State.NEW, schemas.new_name(slug), server, token_hex(32), own_key, at)
    if not catalogue.add(entry):
        raise ClubRefusal(f"There is a club {slug!r} already. Choose another slug, or delete that one first.")
    try:
        _make(entry.club, backup)
    except BaseException:
        schemas.drop(entry.schema, entry.server)
        catalogue.remove(slug)
        raise
    catalogue.change_state(slug, State.NEW, State.OPEN)
    return replace(entry, state=State.OPEN)


def _make(club: Club, backup: Path | None) -> None:
    schemas.create(club)
    if backup is None:
        schemas.make_tables(club)
    else:
        _restore(club, backup)


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


def archive_club(slug: str) -> None:
    """Close a club; its rows stay. Raises ClubRefusal."""
    _change(slug, State.OPEN, State.ARCHIVED, "is not open")


def open_club(slug: str) -> None:
    """Open an archived club, or one left closed by a killed `move_club`. Raises ClubRefusal."""
    if club_of(slug).state is State.MOVING:
        with _alone(slug):
            _open_where_it_was(club_of(slug))
    else:
        _change(slug, State.ARCHIVED, State.OPEN, "is not archived")


def delete_club(slug: str) -> None:
    """Delete an archived or incompletely created club with all of its rows. Raises ClubRefusal."""
    entry = club_of(slug)
    if entry.state not in (State.ARCHIVED, State.NEW):
        raise ClubRefusal(
            f"{slug} is {entry.state}. Only an archived club can be deleted: archive_club {slug}"
        )
    _drop_leftovers(slug)
    schemas.drop(entry.schema, entry.server)
    catalogue.remove(slug)


def move_club(slug: str, server: str, *, folder: Path | None = None, at: datetime) -> int:
    """Move a club to another server, and return the number of its rows.

    Meanwhile the club does not answer; phones keep their entries and send them afterwards. Every acknowledged transaction
    is moved: the dump is made when no process can access the tables any more. After a failure, the
    club is opened where it was. folder: keeps the dump; None: it is deleted.

    Raises ClubRefusal, and the exception of a failure.
    """
    with _alone(slug):
        entry = club_of(slug)
        _check_server(server)
        if entry.server == server:
            raise ClubRefusal(f"{slug} is on {server!r} already.")
        if not catalogue.change_state(slug, State.OPEN, State.MOVING):
            raise ClubRefusal(f"{slug} is {entry.state}, not open. To open it: archive_club {slug} --open")
        new = replace(entry, server=server, schema=schemas.new_name(slug))
        try:
            catalogue.note_leftover(new)
            time.sleep(2 * catalogue.KEPT)  # until every process knows that the club is moving
            rows = _carry(schemas.close(entry.club), new.club, folder, at)
        except BaseException:
            _open_where_it_was(entry)
            raise
        catalogue.change_home(entry, new)
        _drop_leftovers(slug)
    return rows


@contextmanager
def _alone(slug: str) -> Iterator[None]:
    with catalogue.alone_with(slug) as alone:
        if not alone:
            raise ClubRefusal(f"{slug} is being moved by another move_club. Wait until that one has ended.")
        yield


def _open_where_it_was(entry: Entry) -> None:
    """Open a moving club at its old place, at any step of the move, and delete its new schema."""
    schemas.reopen(entry.club)
    catalogue.change_state(entry.slug, State.MOVING, State.OPEN)
    _drop_leftovers(entry.slug)  # last, since the other server may have failed


def _drop_leftovers(slug: str) -> None:
    for leftover in catalogue.leftovers_of(slug):
        schemas.drop(leftover.name, leftover.server)
        catalogue.forget_leftover(leftover.name)


def _carry(closed: Club, new: Club, folder: Path | None, at: datetime) -> int:
    with nullcontext(folder) if folder else TemporaryDirectory() as target:
        file = Path(target, f"{closed.slug}-{at:%Y%m%dT%H%M%SZ}.zip")
        with in_club(closed), dump.snapshot(), file.open("xb") as out:
            dump.dump(out, key=closed.key, with_key=True, public_url=closed.origin + closed.prefix, at=at)
        _make(new, file)
        return sum(table.rows for table in read_manifest(file).tables)


def _change(slug: str, before: State, after: State, otherwise: str) -> None:
    club_of(slug)
    if not catalogue.change_state(slug, before, after):
        raise ClubRefusal(f"{slug} {otherwise}.")
