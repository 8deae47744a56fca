"""Verification of the results: lots, who goes on in a knockout, and the standings shown."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from scoring.core.qualifying import going_on
from scoring.core.ranking import Standing, standings
from scoring.verification.contradiction import Contradiction, should_be, shown
from scoring.verification.reading import RecordedAttempt, RecordedPerson, RecordedRound
from scoring.verification.sheets import VerifiedSheet
from tournaments.core.document_reader import Reader
from tournaments.core.draw import Joined, is_seed
from tournaments.core.lot import draw_lot
from tournaments.rulesets.schema import Qualifying, Ruleset

ROW_KEYS = ("start_number", "name", "by_round", "points", "strokes", "tie_break", "rank", "tied")
OWN_KEYS = ROW_KEYS[1:6]
"""The keys of a row of the standings, in the order in which they are compared; those that follow from the player's own sheets."""


# --- decisions and lots --------------------------------------------------------------------------------------------


def verify_decisions(reader: Reader, rules: Ruleset) -> tuple[list[list[int]], int]:
    """Return the orders of the decisions that were not revoked, and the number of lots that were drawn again."""
    orders, lots = [], 0
    for item in reader.items():
        fields = item.fields(("kind", "order", "seed", "commitment", "at", "revoked_at"))
        kind = fields["kind"].choice(("playoff", "lot"))
        order = [number.whole(least=1) for number in fields["order"].items()]
        fields["at"].moment()
        if len(set(order)) < len(order):
            raise Contradiction(
                fields["order"].path, f"It is {shown(order)}. Each player should be in it once."
            )
        if kind == "lot" and (rules.lot_by_program or not fields["seed"].is_null):
            _check_lot(fields["seed"], fields["order"], order)
            lots += 1
        elif not fields["seed"].is_null:
            raise should_be(fields["seed"], None)
        if fields.moment("revoked_at") is None:
            orders.append(order)
    return orders, lots


def _check_lot(seed: Reader, place: Reader, order: Sequence[int]) -> None:
    if not isinstance(seed.value, str) or not is_seed(seed.value):
        raise seed.error("seed_bad")
    drawn = draw_lot(seed.value, order)
    if drawn != tuple(order):
        raise should_be(place, list(drawn))


# --- who goes on ---------------------------------------------------------------------------------------------------


def verify_who_goes_on(
    rounds: Sequence[RecordedRound],
    sheets: Iterable[VerifiedSheet],
    qualifying: Qualifying,
    frozen_at: datetime | None,
) -> None:
    """Check that no player was drawn for a round of a knockout who had not qualified in the one before.

    A sheet that is corrected later changes no draw, so it counts as it was accepted then. A player is left out whose sheet is
    not in the record, and a draw that was made while the standings shown were frozen.
    """
    by_table = {(sheet.round_number, sheet.table.number): sheet for sheet in sheets}
    for before, found in pairwise(rounds):
        table_of = {player: table.number for table in before.tables for player in table.players}
        known: dict[tuple[int, datetime], Mapping[int, int]] = {}
        for player, at, place in _coming(found):
            if player not in table_of:
                what = f"Player {player} did not play round {before.number}, and should not be in round {found.number}."
                raise Contradiction(place.path, what)
            table = table_of[player]
            sheet = by_table.get((before.number, table))
            if sheet is None or (frozen_at is not None and at > frozen_at):
                continue
            if (table, at) not in known:
                known[table, at] = sheet.ranks_at(at)
            ranks = known[table, at]
            if ranks and player not in going_on(ranks, qualifying):
                what = (
                    f"Player {player} has rank {ranks[player]} at table {table} of round {before.number}, "
                    f"and should not be in round {found.number}."
                )
                raise Contradiction(place.path, what)


def _coming(found: RecordedRound) -> Iterator[tuple[int, datetime, Reader]]:
    """Yield all who were put into a round, when, and where the record says so."""
    for attempt in found.attempts:
        yield from ((player, attempt.made_at, attempt.reader.key("players")) for player in attempt.players)
        yield from _late(attempt)


def _late(attempt: RecordedAttempt) -> Iterator[tuple[int, datetime, Reader]]:
    for change in attempt.changes:
        if isinstance(change.step, Joined):
            yield change.step.player, change.at, change.reader


# --- the standings -------------------------------------------------------------------------------------------------


def verify_standings(
    reader: Reader,
    people: Mapping[int, RecordedPerson],
    rounds: Sequence[RecordedRound],
    sheets: Iterable[VerifiedSheet],
    decisions: Sequence[Sequence[int]],
    rules: Ruleset,
) -> None:
    """Compute the standings and compare them with those that the program shows."""
    rows = list(reader.key("rows").items())
    for item in rows:
        item.fields(ROW_KEYS)
    ranked = standings(
        [number for number, person in people.items() if not person.is_excluded],
        [score for sheet in sheets for score in sheet.scores],
        rounds=_rounds_drawn(rows, rounds, rules),
        ruleset=rules,
        decisions=decisions,
    )
    expected = {standing.start_number: _row(standing, people) for standing in ranked}
    for item in rows:
        own = expected.get(item.key("start_number").whole(least=1))
        if own is None:
            what = f"It is {item.value['start_number']}. It should be the number of a participant who is not excluded."
            raise Contradiction(item.key("start_number").path, what)
        _check_row(item, own, OWN_KEYS)
    for item, row in zip(rows, expected.values(), strict=False):
        _check_row(item, row, ROW_KEYS)
    if len(rows) != len(expected):
        what = f"It has {len(rows)} rows. It should have {len(expected)}, one for each participant who is not excluded."
        raise Contradiction(reader.key("rows").path, what)


def _check_row(item: Reader, expected: Mapping[str, Any], keys: Iterable[str]) -> None:
    """Compare values of a row, of those by round the first that differs."""
    for key in keys:
        found, right = item.key(key), expected[key]
        if _is_same(found.value, right):
            continue
        if key == "by_round" and isinstance(found.value, list) and len(found.value) == len(right):
            for place, value in zip(found.items(), right, strict=True):
                if not _is_same(place.value, value):
                    raise should_be(place, value)
        raise should_be(found, right)


def _rounds_drawn(rows: Sequence[Reader], rounds: Sequence[RecordedRound], rules: Ruleset) -> int:
    """Return the number of places by round. Each round that is drawn has one, also before its release."""
    if not rows:
        return len(rounds)
    place = rows[0].key("by_round")
    drawn = sum(1 for _ in place.items())
    if not len(rounds) <= drawn <= rules.most_rounds:
        what = f"It has {drawn} rounds. It should have {len(rounds)}, or one more for each round that is not released yet."
        raise Contradiction(place.path, what)
    return drawn


def _row(standing: Standing, people: Mapping[int, RecordedPerson]) -> dict[str, Any]:
    return {
        "start_number": standing.start_number,
        "name": people[standing.start_number].name,
        "points": standing.points,
        "strokes": standing.strokes,
        "tie_break": list(standing.tie_break),
        "by_round": list(standing.by_round),
        "rank": standing.rank,
        "tied": standing.tied,
    }


def _is_same(found: object, expected: object) -> bool:
    """Return whether two JSON values are the same; true is not 1."""
    return json.dumps(found) == json.dumps(expected)
