"""Replay of the recorded draws: each attempt, its changes by hand, and the earlier rounds that it looked at."""

from collections.abc import Sequence

from scoring.verification.contradiction import Contradiction, refused, shown
from scoring.verification.reading import RecordedAttempt, RecordedRound
from tournaments.core.document_reader import Reader
from tournaments.core.draw import (
    RANDOM,
    Joined,
    Left,
    Replaced,
    Step,
    Tables,
    apply_changes,
    draw,
    standing,
)
from tournaments.core.refusal import Refusal
from tournaments.rulesets.schema import Ruleset

_Seatings = Sequence[Tables] | None
"""The seatings that a round has had, the last one as it is now. None if some of them are not public."""


def verify_draws(rounds: Sequence[RecordedRound], rules: Ruleset) -> tuple[int, list[str]]:
    """Return how many attempts were replayed, and which could not be, in words."""
    replayed, unchecked = 0, []
    past: list[_Seatings] = []
    for found in rounds:
        if not found.attempts:
            unchecked.append(f"round {found.number}, since no draw is on record")
        seatings: list[Tables] = []
        is_public = True
        for attempt in found.attempts:
            _check_history(attempt, past)
            if attempt.seed is None:
                is_public = False
                wishes = "a wish is private and so the seed is not public"
                unchecked.append(f"round {found.number}, attempt {attempt.number}, since {wishes}")
                _check_players(found, attempt)
            else:
                replayed += 1
                seatings += _replayed(attempt, attempt.seed)
            if attempt is found.attempts[-1] and attempt.seed is not None:
                _check_tables(found, seatings[-1])
        if not rules.drawn_ahead:
            seatings, is_public = [], True
        past.append([*map(_laid, seatings), found.seating] if is_public else None)
    return replayed, unchecked


def _replayed(attempt: RecordedAttempt, seed: str) -> list[Tables]:
    """Return the tables as drawn, and after each of the changes."""
    try:
        drawn = draw(
            version=attempt.version,
            mode=attempt.mode,
            seed=seed,
            players=attempt.players,
            sizes=attempt.sizes,
            history=attempt.history,
            wishes=attempt.wishes,
        )
        made = range(len(attempt.steps) + 1)
        return [apply_changes(drawn, attempt.steps[:count]) for count in made]
    except Refusal as refusal:
        raise refused(attempt.reader.path, refusal, "This draw cannot be made.") from None


def _check_history(attempt: RecordedAttempt, past: Sequence[_Seatings]) -> None:
    """Check that the attempt looked at the earlier rounds as they were seated.

    If rounds are drawn ahead, an earlier round may be in any state that it has had.
    """
    place = attempt.reader.key("history")
    if attempt.mode == RANDOM and not attempt.history:
        return
    if len(attempt.history) != len(past):
        raise Contradiction(
            place.path,
            f"It has {len(attempt.history)}. It should have {len(past)}, one for each earlier round.",
        )
    for index, (tables, seatings) in enumerate(zip(attempt.history, past, strict=True)):
        if seatings is not None and _laid(tables) not in seatings:
            item = Reader(tables, f"{place.path}[{index}]")
            raise Contradiction(item.path, f"Round {index + 1} {_difference(_laid(tables), seatings[-1])}")


def _difference(found: Tables, expected: Tables) -> str:
    for number, (table, right) in enumerate(zip(found, expected, strict=False), start=1):
        if table != right:
            return f"has {shown(table)} as its table {number}. It should be {shown(right)}."
    return f"has {len(found)} tables. It should have {len(expected)}."


def _check_tables(found: RecordedRound, drawn: Tables) -> None:
    """Check that the players sit as drawn. Tables without players are left out."""
    expected = {number: table for number, table in enumerate(drawn, start=1) if table}
    for table in found.tables:
        if table.number not in expected:
            raise Contradiction(table.reader.path, "By the draw there is no such table.")
        players = expected[table.number]
        for seat, (player, right) in enumerate(zip(table.players, players, strict=False)):
            if player != right:
                path = f"{table.reader.path}.seats[{seat}].start_number"
                raise Contradiction(path, f"It is {player}. By the draw it should be {right}.")
        if len(table.players) != len(players):
            what = f"It has {len(table.players)} seats. By the draw it should have {shown(players)}."
            raise Contradiction(f"{table.reader.path}.seats", what)
    missing = expected.keys() - {table.number for table in found.tables}
    for number in sorted(missing):
        what = f"Table {number} is missing. By the draw {shown(expected[number])} sit there."
        raise Contradiction(f"{found.reader.path}.tables", what)


def _check_players(found: RecordedRound, attempt: RecordedAttempt) -> None:
    """Check, of a draw that cannot be repeated, at least that those who were drawn sit at the tables."""
    if attempt is not found.attempts[-1]:
        return
    try:
        expected = _after(set(attempt.players), attempt.steps)
    except Refusal as refusal:
        raise refused(attempt.reader.path, refusal, "These changes cannot be made.") from None
    if expected != found.players:
        different = sorted(expected ^ found.players)
        what = f"{shown(different)} are drawn and have no seat, or have one and are not drawn."
        raise Contradiction(f"{found.reader.path}.tables", what)


def _after(players: set[int], steps: Sequence[Step]) -> set[int]:
    for change in standing(steps):
        match change:
            case Left(player):
                players.discard(player)
            case Joined(player, _):
                players.add(player)
            case Replaced(player, substitute):
                players.discard(player)
                players.add(substitute)
    return players


def _laid(tables: Tables) -> Tables:
    return tuple(table for table in tables if table)
