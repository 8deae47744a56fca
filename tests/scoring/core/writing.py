"""Helpers that write a table sheet in the words of the game, for tests that read like the rule sheet."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scoring.core.entries import Entry, Writer
from scoring.core.sheet import SheetLog, append, empty
from tests.scoring.core.vectors import entry_id, seats_of
from tournaments.core.refusal import Refusal
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset

SCHNAUZ_PLACING = preset("schnauz-placing")


class Line(NamedTuple):
    """An entry to be written."""

    kind: str
    data: Mapping[str, Any]


def knock(*losers: int) -> Line:
    return Line("deal", {"losers": list(losers), "ended_by": "knock", "finisher": None})


def schnauz(finisher: int, *losers: int) -> Line:
    return Line("deal", {"losers": list(losers), "ended_by": "schnauz", "finisher": finisher})


def feuer(finisher: int, *losers: int) -> Line:
    return Line("deal", {"losers": list(losers), "ended_by": "feuer", "finisher": finisher})


def handschnauz(finisher: int, *losers: int) -> Line:
    return Line("deal", {"losers": list(losers), "ended_by": "handschnauz", "finisher": finisher})


def hands(*points: int, ended_by: str | None = None) -> Line:
    """Return a deal that gives these points to seat 1, 2, ..."""
    by_seat = {str(seat): value for seat, value in enumerate(points, start=1)}
    return Line("deal", {"points": by_seat, "ended_by": ended_by})


def ruf(declarer: int, partner: int, *, won: bool = True, level: str = "normal") -> Line:
    """Return a Rufspiel of two against two."""
    data = {"game": "ruf", "declarer": declarer, "partner": partner, "won": won, "level": level}
    return Line("deal", data)


def solo(declarer: int, *, game: str = "solo", won: bool = True, level: str = "normal") -> Line:
    """Return a game of one against three."""
    data = {"game": game, "declarer": declarer, "partner": None, "won": won, "level": level}
    return Line("deal", data)


def approved(number: int) -> Line:
    """Return the supervisor's mark on the line of this number."""
    return Line("approved", {"entry": entry_id(number)})


def totalled(**sums: Sequence[int]) -> Line:
    """Return the sums of a paper sheet: for each name one number for seat 1, 2, ..."""
    by_seat = {
        name: {str(seat): value for seat, value in enumerate(values, start=1)}
        for name, values in sums.items()
    }
    return Line("totalled", by_seat)


def stroke(seat: int, mark: str = "schnauz") -> Line:
    return Line("stroke", {"seat_number": seat, "mark": mark})


def ranked(*ranks: int) -> Line:
    """Return the ranks of seat 1, 2, ..."""
    return Line("ranked", {"ranks": {str(seat): rank for seat, rank in enumerate(ranks, start=1)}})


def confirmed(seat: int) -> Line:
    return Line("confirmed", {"seat_number": seat})


def objected(seat: int, note: str = "Das waren nur 12") -> Line:
    return Line("objected", {"seat_number": seat, "note": note})


def voided(number: int, reason: str | None = None) -> Line:
    """Return the withdrawal of the line of this number; the first line of a sheet is number 1."""
    return Line("voided", {"entry": entry_id(number), "reason": reason})


def corrected(number: int, line: Line, reason: str = "Verschrieben") -> Line:
    """Return the correction of the line of this number to `line`."""
    return Line("corrected", {"entry": entry_id(number), "data": line.data, "reason": reason})


def reopened(reason: str = "Ein Spiel fehlt") -> Line:
    return Line("reopened", {"reason": reason})


def accepted(reason: str | None = None) -> Line:
    return Line("accepted", {"reason": reason})


SUBMITTED = Line("submitted", {})


def table_of(size: int, *lines: Line, ruleset: Ruleset = SCHNAUZ_PLACING) -> SheetLog:
    """Return the sheet of a table of this size on which these lines were written."""
    return written(empty(ruleset, seats_of(size)), *lines)


def written(sheet: SheetLog, *lines: Line, by: Writer | None = None) -> SheetLog:
    """Return the sheet with more lines; entries that only the organiser may write have the organiser as author."""
    for line in lines:
        sheet = append(sheet, entry(sheet, line, by))
    return sheet


def entry(sheet: SheetLog, line: Line, by: Writer | None = None) -> Entry:
    """Return the next entry: its id is the number of its line."""
    organiser = line.kind in {"accepted", "reopened", "corrected", "approved"}
    return Entry(
        entry_id(len(sheet.entries) + 1), line.kind, line.data, by or ("organiser" if organiser else "scribe")
    )


def refused(sheet: SheetLog, line: Line, by: Writer | None = None) -> Refusal:
    """Return the reason why this line cannot follow. Raises AssertionError if it can."""
    try:
        written(sheet, line, by=by)
    except Refusal as refusal:
        return refusal
    raise AssertionError(f"{line} was written")


def ranks(sheet: SheetLog) -> dict[int, int | None]:
    """Return the rank by seat, as far as decided."""
    return {score.seat_number: score.rank for score in sheet.results}


def points(sheet: SheetLog) -> dict[int, int | None]:
    """Return the points by seat, as far as decided."""
    return {score.seat_number: score.points for score in sheet.results}


def strokes(sheet: SheetLog) -> dict[int, int]:
    """Return the strokes on the tally by seat."""
    return {score.seat_number: score.strokes for score in sheet.results}


def drowned(seat: int) -> list[Line]:
    """Return the deals by which a seat drowns, one after the other."""
    return [knock(seat)] * 4
