"""Ways to forge a record: what is changed, and where and how the checker has to say so.

Some forge only one value, as one who changes a file. Others make the digests and marks anew for what they have changed, as one
who knows the protocol; then the draw or the standings contradict them.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from scoring.core.entries import Entry
from scoring.core.marks import first_digest, mark_of, next_digest
from tests.scoring.core.vectors import entry_id
from tournaments.core.draw import draw
from tournaments.core.moments import moment_of

Record = Any
Records = Mapping[str, Record]


class Forgery(NamedTuple):
    """A change of the record of this name. path, what: parts of the contradiction that is found. others: all records."""

    name: str
    record: str
    change: Callable[[Record, Records], object]
    path: str
    what: str


FORGERIES: list[Forgery] = []


def forged(record: str, path: str, what: str) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Register a function of a record, or of it and all others, as a forgery. Its name is that of the forgery."""

    def register(change: Callable[..., object]) -> Callable[..., object]:
        def called(found: Record, others: Records) -> object:
            return change(found, others) if change.__code__.co_argcount == 2 else change(found)

        FORGERIES.append(Forgery(change.__name__, record, called, path, what))
        return change

    return register


ROW = r"\$\.standings\.rows\[\d+\]\."


def table(record: Record, round_number: int = 1, number: int = 1) -> Any:
    return record["rounds"][round_number - 1]["tables"][number - 1]


def entries(record: Record, round_number: int = 1, number: int = 1) -> Any:
    return table(record, round_number, number)["entries"]


def rows(record: Record) -> Any:
    return record["standings"]["rows"]


def chained_anew(record: Record, round_number: int = 1, number: int = 1) -> None:
    """Make the digests and the mark of a sheet for what it says now."""
    found = table(record, round_number, number)
    players = [seat["start_number"] for seat in found["seats"]]
    digest = first_digest(round_number=round_number, table_number=number, start_numbers=players)
    for one in found["entries"]:
        entry = Entry(one["id"], one["kind"], one["data"], one["by"], made_at=moment_of(one["made_at"]))
        one["digest"] = digest = next_digest(digest, entry)
    found["mark"] = mark_of(digest) if found["entries"] else None


def drawn_anew(record: Record, round_number: int) -> None:
    """Seat the players of a round as its draw gives them now."""
    found = record["rounds"][round_number - 1]
    keys = ("version", "mode", "seed", "players", "sizes", "history")
    for tables, players in zip(
        found["tables"], draw(**{key: found["draw"][key] for key in keys}), strict=True
    ):
        for seat, player in zip(tables["seats"], players, strict=True):
            seat["start_number"] = player
        chained_anew(record, round_number, tables["number"])


# --- draws ---------------------------------------------------------------------------------------------------------

SEATS = r"\$\.rounds\[0\]\.tables\[\d\]\.seats\[\d\]\.start_number"


@forged("placing", SEATS, "By the draw it should be")
def another_seed(record: Record) -> None:
    record["rounds"][0]["draw"]["seed"] = "77" * 32


@forged("placing", r"\$\.rounds\[0\]\.draw\.seed", "64")
def a_seed_too_short(record: Record) -> None:
    record["rounds"][0]["draw"]["seed"] = "77"


@forged("placing", r"\$\.rounds\[0\]\.draw\.seed", "64")
def a_seed_withheld(record: Record) -> None:
    record["rounds"][0]["draw"]["seed"] = None


@forged("placing", r"\$\.rounds\[0\]\.draw\.seed", "should be null")
def a_private_wish_pretended(record: Record) -> None:
    record["rounds"][0]["draw"]["private_wishes"] = 1


@forged("placing", r"\$\.rounds\[1\]\.draw", "does not know this kind of draw")
def another_version(record: Record) -> None:
    record["rounds"][1]["draw"]["version"] = 1


@forged("placing", r"\$\.rounds\[1\]\.tables\[\d\]\.seats\[\d\]\.start_number", "By the draw it should be")
def another_mode(record: Record) -> None:
    record["rounds"][1]["draw"]["mode"] = "random"


@forged("placing", r"\$\.rounds\[0\]\.draw\.attempt", "It should be 1: no attempt may be missing")
def an_abandoned_attempt_left_out(record: Record) -> None:
    record["rounds"][0]["draw"]["abandoned"] = []


@forged("placing", r"\$\.rounds\[0\]\.draw\.abandoned\[0\]", "12")
def an_abandoned_attempt_that_is_impossible(record: Record) -> None:
    record["rounds"][0]["draw"]["abandoned"][0]["players"].pop()


@forged("placing", r"\$\.rounds\[0\]\.draw", "12")
def a_player_dropped_from_the_draw(record: Record) -> None:
    record["rounds"][0]["draw"]["players"].remove(5)


@forged("placing", SEATS, "By the draw it should be")
def a_player_replaced_in_the_draw(record: Record) -> None:
    players = record["rounds"][0]["draw"]["players"]
    players[players.index(5)] = 99


@forged("placing", SEATS, "By the draw it should")
def other_sizes(record: Record) -> None:
    record["rounds"][0]["draw"]["sizes"] = [5, 7]


@forged("placing", r"\$\.rounds\[1\]\.draw\.history\[0\]", "It should be")
def a_history_that_was_not_played(record: Record) -> None:
    first, second = record["rounds"][1]["draw"]["history"][0]
    first[0], second[0] = second[0], first[0]


@forged("placing", r"\$\.rounds\[1\]\.draw\.history", "It should have 1, one for each earlier round")
def a_history_left_out(record: Record) -> None:
    record["rounds"][1]["draw"]["history"] = []


@forged("placing", SEATS, "By the draw it should be")
def a_wish_left_out(record: Record) -> None:
    record["rounds"][0]["draw"]["wishes"] = []


@forged("placing", SEATS, "By the draw it should be")
def a_wish_of_another_player(record: Record) -> None:
    record["rounds"][0]["draw"]["wishes"] = [{"kind": "keep_apart", "a": 7, "b": 8}]


@forged("placing", SEATS, "By the draw it should be")
def a_change_by_hand_left_out(record: Record) -> None:
    record["rounds"][0]["draw"]["changes"].clear()


@forged("placing", SEATS, "By the draw it should be")
def a_change_by_hand_of_other_players(record: Record) -> None:
    [change] = record["rounds"][0]["draw"]["changes"]
    change["a"] = next(player for player in range(1, 13) if player not in (change["a"], change["b"]))


@forged("placing", SEATS, "By the draw it should be")
def a_change_by_hand_added(record: Record) -> None:
    changes = record["rounds"][0]["draw"]["changes"]
    changes.append({**changes[0], "a": 1, "b": 2})


@forged("placing", r"\$\.rounds\[0\]\.draw", "No. 99 is not sitting")
def a_change_by_hand_that_is_impossible(record: Record) -> None:
    record["rounds"][0]["draw"]["changes"][0]["a"] = 99


@forged("schafkopf", r"\$\.rounds\[1\]\.tables\[\d\]\.seats\[\d\]\.start_number", "By the draw it should be")
def a_substitute_left_out(record: Record) -> None:
    record["rounds"][1]["draw"]["changes"].clear()


@forged("placing", SEATS, "By the draw it should be")
def two_players_swapped(record: Record) -> None:
    first, second = (table(record, 1, number)["seats"][0] for number in (1, 2))
    first["start_number"], second["start_number"] = second["start_number"], first["start_number"]
    for number in (1, 2):
        chained_anew(record, 1, number)


@forged("placing", r"\$\.rounds\[0\]\.tables", "Table 2 is missing")
def a_table_left_out(record: Record) -> None:
    record["rounds"][0]["tables"].pop()


@forged("placing", r"\$\.rounds\[0\]\.tables\[1\]", "no such table")
def a_table_of_another_number(record: Record) -> None:
    table(record, 1, 2)["number"] = 3


@forged("wish", r"\$\.rounds\[0\]\.tables", "are drawn and have no seat")
def a_player_replaced_where_the_draw_cannot_be_repeated(record: Record) -> None:
    changes = record["rounds"][0]["draw"]["changes"]
    changes[0]["player"] = next(n for n in range(1, 12) if n != changes[0]["player"])


# --- rounds and people ---------------------------------------------------------------------------------------------


@forged("placing", r"\$\.rounds\[1\]\.number", "It should be 2")
def a_round_left_out(record: Record) -> None:
    del record["rounds"][1]


@forged("placing", ROW + r"by_round\[1\]", "It should be null")
def the_last_rounds_left_out(record: Record) -> None:
    del record["rounds"][1:]


@forged("placing", r"\$\.rounds\[0\]\.state", 'It should be "closed"')
def an_earlier_round_still_in_play(record: Record) -> None:
    record["rounds"][0]["state"] = "released"


@forged("placing", r"\$\.rounds\[0\]\.tables\[0\]\.seats\[0\]\.seat_number", "It should be 1")
def seats_in_another_order(record: Record) -> None:
    table(record)["seats"].reverse()


@forged("placing", r"\$\.rounds\[0\]\.tables\[1\]\.seats\[0\]\.start_number", "a second time")
def a_player_with_two_seats(record: Record) -> None:
    table(record, 1, 2)["seats"][0] = dict(table(record)["seats"][0])


@forged("placing", r"\$\.rounds\[0\]\.tables\[0\]\.seats\[0\]\.start_number", "one of the participants")
def a_player_nobody_knows(record: Record) -> None:
    table(record)["seats"][0]["start_number"] = 77


@forged("placing", r"\$\.participants\[1\]\.start_number", "a second time")
def a_number_given_twice(record: Record) -> None:
    record["participants"][1]["start_number"] = 1


@forged("placing", ROW + r"start_number", "It should be")
def a_player_excluded(record: Record) -> None:
    record["participants"][2]["excluded_at"] = "2026-11-21T18:30:00Z"


@forged("placing", r"\$\.standings\.rows", "It should")
def an_exclusion_taken_back(record: Record) -> None:
    record["participants"][11]["excluded_at"] = None


@forged("placing", r"\$\.standings\.rows\[\d+\]\.name", 'It should be "Somebody"')
def another_name(record: Record) -> None:
    record["participants"][2]["name"] = "Somebody"


# --- sheets --------------------------------------------------------------------------------------------------------

FIRST_SHEET = r"\$\.rounds\[0\]\.tables\[0\]\."


@forged("placing", FIRST_SHEET + r"entries\[1\]\.digest", 'It should be "')
def an_entry_changed(record: Record) -> None:
    entries(record)[1]["data"]["losers"] = [2]


@forged("placing", FIRST_SHEET + r"entries\[2\]\.digest", 'It should be "')
def an_entry_dropped(record: Record) -> None:
    del entries(record)[2]


@forged("placing", FIRST_SHEET + r"entries\[2\]\.digest", 'It should be "')
def an_entry_added(record: Record) -> None:
    entries(record).insert(2, {**entries(record)[1], "id": entry_id(99)})


@forged("placing", FIRST_SHEET + r"entries\[1\]\.digest", 'It should be "')
def entries_in_another_order(record: Record) -> None:
    found = entries(record)
    found[1], found[2] = found[2], found[1]


@forged("placing", FIRST_SHEET + r"entries\[0\]\.digest", 'It should be "')
def an_entry_of_another_writer(record: Record) -> None:
    entries(record)[0]["by"] = "scribe"


@forged("placing", FIRST_SHEET + r"entries\[0\]\.digest", 'It should be "')
def an_entry_of_another_time(record: Record) -> None:
    entries(record)[0]["made_at"] = "2026-11-21T18:31:00Z"


@forged("placing", FIRST_SHEET + r"entries\[0\]\.made_at", 'It should be "2026-11-21T18:30:00Z"')
def a_time_written_otherwise(record: Record) -> None:
    entries(record)[0]["made_at"] = "2026-11-21T19:30:00+01:00"


@forged("placing", FIRST_SHEET + r"entries\[3\]\.digest", 'It should be "')
def a_digest_changed(record: Record) -> None:
    entries(record)[3]["digest"] = "0" * 64


@forged("placing", FIRST_SHEET + r"mark", 'It should be "')
def a_mark_changed(record: Record) -> None:
    table(record)["mark"] = "00000000"


@forged("placing", FIRST_SHEET + r"mark", 'It should be "')
def a_mark_kept_over_other_entries(record: Record) -> None:
    mark = table(record)["mark"]
    entries(record)[1]["data"]["losers"] = [2, 3]
    chained_anew(record)
    table(record)["mark"] = mark


@forged("placing", FIRST_SHEET + r"entries\[0\]\.digest", 'It should be "')
def the_sheet_of_another_table(record: Record) -> None:
    for key in ("entries", "mark"):
        table(record)[key], table(record, 1, 2)[key] = table(record, 1, 2)[key], table(record)[key]


@forged("placing", FIRST_SHEET + r"entries\[8\]", "The sheet is not finished yet")
def an_entry_changed_and_chained_anew(record: Record) -> None:
    entries(record)[0]["data"]["losers"] = [2]
    chained_anew(record)


@forged("placing", ROW + r"by_round\[0\]", "It should be")
def a_loser_turned_into_another(record: Record) -> None:
    """Player 6 lost the deal that was added by the correction; a rank moves with it."""
    found = next(one for one in reversed(entries(record)) if one["kind"] == "corrected")
    found["data"]["data"]["losers"] = [3, 4, 5, 6]
    last = next(one for one in reversed(entries(record)) if one["kind"] == "deal")
    last["data"]["losers"] = [2]
    chained_anew(record)


@forged("placing", ROW + r"by_round\[0\]", "It should be")
def ranks_turned(record: Record) -> None:
    [ranked] = [one for one in entries(record, 1, 2) if one["kind"] == "ranked"]
    ranks = ranked["data"]["ranks"]
    ranks["1"], ranks["2"] = ranks["2"], ranks["1"]
    chained_anew(record, 1, 2)


@forged("placing", ROW + r"strokes", "It should be")
def a_stroke_dropped(record: Record) -> None:
    del entries(record, 1, 2)[0]
    chained_anew(record, 1, 2)


@forged("placing", ROW + r"by_round\[0\]", "It should be")
def a_correction_dropped(record: Record) -> None:
    del entries(record)[-4:]
    chained_anew(record)


@forged("placing", r"\$\.rounds\[0\]\.tables\[0\]\.entries", "not accepted")
def the_acceptance_dropped(record: Record) -> None:
    entries(record).pop()
    chained_anew(record)


@forged("placing", ROW + r"by_round\[0\]", "It should be")
def a_sheet_dropped(record: Record) -> None:
    entries(record).clear()
    chained_anew(record)


@forged("placing", FIRST_SHEET + "mark", "It should be null")
def a_mark_without_entries(record: Record) -> None:
    entries(record).clear()


@forged("placing", r"\$\.rounds\[1\]\.tables\[0\]\.entries\[0\]\.id", "of an earlier entry")
def an_entry_with_the_id_of_another(record: Record) -> None:
    entries(record, 2)[0]["id"] = entries(record)[0]["id"]
    chained_anew(record, 2)


@forged("frozen", ROW + r"by_round\[1\]", "It should be")
def a_frozen_sheet_leaked(record: Record, records: Records) -> None:
    for number in (1, 2):
        table(record, 2, number).update(table(records["placing"], 2, number))


@forged("placing", ROW + r"by_round\[1\]", "It should be")
def a_sheet_held_back(record: Record) -> None:
    table(record, 2).update(entries=[], mark=None)


@forged("placing", FIRST_SHEET + r"entries\[4\]\.data\.note", "Free text")
def the_note_of_an_objection_leaked(record: Record) -> None:
    objected = next(one for one in entries(record) if one["kind"] == "objected")
    entries(record)[4], objected["data"]["note"] = objected, "So nicht"


@forged("placing", FIRST_SHEET + r"entries\[0\]\.initials", "initials")
def initials_leaked(record: Record) -> None:
    entries(record)[0]["initials"] = "AB"


@forged("placing", r"\$\.rounds\[0\]\.draw\.changes\[0\]\.reason", "reason")
def the_reason_of_a_change_leaked(record: Record) -> None:
    record["rounds"][0]["draw"]["changes"][0]["reason"] = "krank"


@forged("placing", r"\$\.rounds\[0\]\.draw\.wishes\[0\]\.reason", "reason")
def the_reason_of_a_wish_leaked(record: Record) -> None:
    record["rounds"][0]["draw"]["wishes"][0]["reason"] = "streiten"


# --- the ruleset, decisions and standings --------------------------------------------------------------------------


@forged("placing", ROW + r"by_round\[0\]", "It should be")
def other_points_for_a_rank(record: Record) -> None:
    record["tournament"]["ruleset"]["points"][0] += 1


@forged("placing", r"\$\.tournament\.ruleset\.points", "ruleset is not possible")
def points_that_are_impossible(record: Record) -> None:
    record["tournament"]["ruleset"]["points"].reverse()


@forged("placing", FIRST_SHEET + r"entries\[8\]", "The sheet is not finished yet")
def more_lives(record: Record) -> None:
    record["tournament"]["ruleset"]["sheet"]["lives"] += 1


@forged("placing", ROW + r"tie_break", "It should be")
def other_tie_breaks(record: Record) -> None:
    record["tournament"]["ruleset"]["tie_break"] = ["feuer"]


@forged("placing", ROW + r"start_number", "It should be")
def a_decision_turned(record: Record) -> None:
    record["decisions"][1]["order"].reverse()


@forged("placing", ROW + r"tied", "It should be")
def a_decision_dropped(record: Record) -> None:
    record["decisions"].pop()


@forged("placing", ROW + r"tied", "It should be")
def a_decision_revoked(record: Record) -> None:
    record["decisions"][1]["revoked_at"] = "2026-11-21T18:30:00Z"


@forged("placing", r"\$\.decisions\[1\]\.order", "Each player should be in it once")
def a_player_decided_on_twice(record: Record) -> None:
    order = record["decisions"][1]["order"]
    order[0] = order[1]


@forged("placing", r"\$\.decisions\[1\]\.seed", "It should be null")
def a_playoff_with_a_seed(record: Record) -> None:
    record["decisions"][1]["seed"] = "5e" * 32


@forged("schafkopf", r"\$\.decisions\[0\]\.order", "It should be")
def a_lot_turned(record: Record) -> None:
    record["decisions"][0]["order"].reverse()


@forged("schafkopf", r"\$\.decisions\[0\]\.order", "It should be")
def a_lot_with_another_seed(record: Record) -> None:
    record["decisions"][0]["seed"] = "77" * 32


@forged("schafkopf", r"\$\.decisions\[0\]\.seed", "64")
def a_lot_without_its_seed(record: Record) -> None:
    record["decisions"][0]["seed"] = None


@forged("knockout", r"\$\.rounds\[1\]\.draw\.players", "should not be in round 2")
def a_player_who_dropped_out_goes_on(record: Record) -> None:
    found = record["rounds"][1]["draw"]
    out = next(one for one in range(1, 11) if one not in found["players"])
    found["players"] = sorted([out, *found["players"][1:]])
    drawn_anew(record, 2)


@forged("knockout", r"\$\.rounds\[1\]\.draw\.players", "did not play round 1")
def a_player_who_was_not_there_goes_on(record: Record) -> None:
    found = record["rounds"][1]["draw"]
    record["participants"].append({**record["participants"][0], "start_number": 11})
    found["players"] = [*found["players"][1:], 11]
    drawn_anew(record, 2)


for key, change in {
    "points": lambda value: value + 1,
    "strokes": lambda value: value + 1,
    "tie_break": lambda value: [value[0] + 1],
    "rank": lambda value: value + 1,
    "tied": lambda value: not value,
    "name": lambda value: value + "x",
}.items():

    def moved(record: Record, _others: Records, key: str = key, change: Any = change) -> None:
        rows(record)[2][key] = change(rows(record)[2][key])

    FORGERIES.append(
        Forgery(
            f"other_{key}_in_a_row", "placing", moved, rf"\$\.standings\.rows\[2\]\.{key}", "It should be"
        )
    )


@forged("placing", r"\$\.standings\.rows\[2\]\.by_round\[1\]", "It should be")
def points_moved_from_round_to_round(record: Record) -> None:
    found = rows(record)[2]["by_round"]
    found[1], found[2] = found[2], found[1]


@forged("placing", r"\$\.standings\.rows\[2\]\.name", "It should be")
def another_player_in_a_row(record: Record) -> None:
    rows(record)[2]["start_number"] = rows(record)[1]["start_number"]


@forged("placing", r"\$\.standings\.rows\[0\]\.rank", "It should be 1")
def yes_instead_of_one(record: Record) -> None:
    rows(record)[0]["rank"] = True


@forged("placing", r"\$\.standings\.rows\[0\]\.start_number", "It should be")
def rows_in_another_order(record: Record) -> None:
    rows(record).reverse()


@forged("placing", r"\$\.standings\.rows", "It should have 11")
def the_last_row_left_out(record: Record) -> None:
    rows(record).pop()


@forged("placing", r"\$\.standings\.rows\[0\]\.by_round", "It should have 3")
def a_round_less_in_all_rows(record: Record) -> None:
    for row in rows(record):
        row["by_round"].pop()


@forged("placing", r"\$\.standings\.final", "It should be false")
def final_too_early(record: Record) -> None:
    record["standings"]["final"] = True


@forged("schafkopf", r"\$\.standings\.final", "It should be true")
def not_yet_final(record: Record) -> None:
    record["standings"]["final"] = False


@forged("placing", r"\$\.standings\.tournament", 'It should be "placing"')
def standings_of_another_tournament(record: Record) -> None:
    record["standings"]["tournament"] = "other"


@forged("placing", r"\$\.schema", 'It should be "schnauz-record/1"')
def another_schema(record: Record) -> None:
    record["schema"] = "schnauz-turnier/2"


@forged("placing", r"\$\.pot", "pot")
def something_else_beside_it(record: Record) -> None:
    record["pot"] = 300


@forged("placing", r"\$\.decisions", "decisions")
def a_part_left_out(record: Record) -> None:
    del record["decisions"]
