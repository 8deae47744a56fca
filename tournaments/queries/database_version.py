"""Version of the database: the migrations that are applied to it, and whether this program knows them.

The only module that uses undocumented parts of Django's migrations and cursors: check it with each new version of Django.
"""

from collections.abc import Collection, Iterable, Mapping, Set
from functools import cache
from hashlib import sha256

from django.db import connection, models
from django.db.backends.utils import CursorWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

Cursor = CursorWrapper
"""A cursor of a connection of Django's."""
Node = tuple[str, str]
"""App and name of a migration."""

_BEFORE_1_0 = {
    "tournaments": """
    0001_initial 0002_guards 0003_draw_of_few_repeats 0004_scribe_of_a_table 0005_wishes_of_a_tournament
    0006_privacy 0007_accounts_and_logs 0008_early_end_and_hidden 0009_wrong_passwords
    0010_latest_tournaments 0011_money 0012_change_of_fee 0013_release_and_start 0014_club_picture
    0015_scribe_by_consent 0016_commitments 0017_sign_ups
    """,
    "scoring": """
    0001_initial 0002_guards 0003_seed_of_a_lot 0004_flags_of_the_hall 0005_screens 0006_screen_pairings
    0007_open_sheet 0008_scene_before_the_draw 0009_prizes_given 0010_flag_of_a_deal_and_initials
    0011_note_of_the_last_backup 0012_digests 0013_round_marks 0014_commitments
    0015_calls_for_the_supervisor 0016_round_clock 0017_flag_looked_at 0018_race_scene 0019_missing_players
    """,
}
_FIRST = {
    "tournaments": "0001_tables 0002_keys_of_one_tournament 0003_append_only 0004_closed_means_closed 0005_committed_draws",
    "scoring": "0001_tables 0002_append_only 0003_money_of_handouts 0004_open_sheet",
}


def _nodes(names: Mapping[str, str]) -> frozenset[Node]:
    return frozenset((app, name) for app, listed in names.items() for name in listed.split())


BEFORE_1_0 = _nodes(_BEFORE_1_0)
"""The migrations of the time before the first version. Together they made the tables that those of FIRST make."""
FIRST = _nodes(_FIRST)
_GONE = "axes"  # an app of the time before the first version, whose tables are gone


class BeforeFirstVersion(Exception):
    """The tables are older than the last version before 1.0: no migration leads from them to today's."""


class NewerDatabase(Exception):
    """The database was made or migrated by a newer program. name: a migration that is not known here."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def applied_migrations() -> set[Node]:
    """Return the migrations that are applied to the database, none if it is empty."""
    return set(MigrationRecorder(connection).applied_migrations())


@cache
def known_migrations() -> frozenset[Node]:
    """Return all migrations of this program."""
    return frozenset(MigrationLoader(None).disk_migrations)


def digest_of(nodes: Iterable[Node]) -> str:
    """Return 64 characters that only these migrations have."""
    return sha256("\n".join(sorted(map(".".join, nodes))).encode()).hexdigest()


def needed_by(nodes: Iterable[Node]) -> set[Node]:
    """Return these migrations with all that have to be applied before them."""
    graph = MigrationLoader(None).graph
    return {before for node in nodes for before in graph.forwards_plan(node)}


def last_of_each_app(nodes: Collection[Node]) -> list[Node]:
    """Return those of these migrations that no other one of the same app follows."""
    graph = MigrationLoader(None).graph
    followed = {
        parent.key for node in nodes for parent in graph.node_map[node].parents if parent.key[0] == node[0]
    }
    return sorted(set(nodes) - followed)


def models_of(applied: Iterable[Node]) -> Iterable[type[models.Model]]:
    """Return the models as these migrations leave them; those that this program does not know are left out."""
    loader = MigrationLoader(None)
    state = loader.project_state([node for node in applied if node in loader.graph.nodes])
    return state.apps.get_models(include_auto_created=True)


def migrate_to(nodes: list[Node]) -> None:
    """Migrate the database to these migrations."""
    MigrationExecutor(connection).migrate(nodes)


def record_migrations(before: Set[Node], after: Set[Node]) -> None:
    """Note other migrations as applied, without running any."""
    recorder = MigrationRecorder(connection)
    for node in before - after:
        recorder.record_unapplied(*node)
    for node in after - before:
        recorder.record_applied(*node)


def in_todays_names(applied: Iterable[Node]) -> set[Node]:
    """Replace the migrations of the time before 1.0 by those that make the same tables. Raises BeforeFirstVersion."""
    nodes = set(applied)
    if not nodes & BEFORE_1_0:
        return nodes
    if not nodes >= BEFORE_1_0:
        raise BeforeFirstVersion
    return {node for node in nodes - BEFORE_1_0 if node[0] != _GONE} | FIRST


def refuse_newer(applied: Set[Node]) -> None:
    """Raise NewerDatabase if a migration is applied that this program does not know."""
    if unknown := sorted(applied - known_migrations()):
        raise NewerDatabase(".".join(unknown[-1]))
