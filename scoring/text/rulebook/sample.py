"""The sample list of plus and minus: a dozen deals as the scribe writes them, added up under the ruleset."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from scoring.core.plus_minus import RUF, TABLE, PlusMinus, PlusMinusKind, is_circled
from scoring.core.sheet_kind import Fact
from scoring.text.entries import game_words, with_sign
from scoring.text.rulebook.parts import Figures, Section, section
from tournaments.core.refusal import Refusal
from tournaments.rulesets.sheets import PlusMinusRules
from tournaments.text.sentences import sentence_maker

_DASH = "–"
_say = sentence_maker(__file__, "sample")
_SEATS = tuple(range(1, TABLE + 1))
_PLAYED: tuple[tuple[str, int, int | None, bool, str], ...] = (
    (RUF, 1, 2, True, "normal"),
    (RUF, 2, 4, True, "schneider"),
    ("solo", 1, None, True, "normal"),
    (RUF, 3, 2, True, "durch"),
    (RUF, 1, 4, False, "normal"),
    ("solo", 1, None, False, "normal"),
    ("solo", 4, None, True, "tout"),
    (RUF, 4, 1, False, "schneider"),
    ("solo", 3, None, True, "normal"),
    (RUF, 3, 4, False, "schneider"),
    ("solo", 2, None, False, "normal"),
    (RUF, 2, 3, True, "normal"),
)
"""Game, declarer, partner, won, level: the deals of the sample of rule sheet 5."""


def sample_list(rules: PlusMinusRules) -> Section | None:
    """Return the sample, with those of its deals that can be played under the rules."""
    written, state = _written(PlusMinusKind(rules))
    head = (_say("deal"), *(f"{seat}\u00a0{sign}" for seat in _SEATS for sign in "+−"))
    rows = [
        (game_words(data, str), *_pairs([points.get(seat, 0) for seat in _SEATS]))
        for data, points in zip(written, (deal.points for deal in state.deals), strict=True)
    ]
    says = [_say("exactly"), _say("dash"), *([_say("circled")] if rules.solos else [])]
    circled = tuple(place for place, data in enumerate(written) if is_circled(data))
    table = Figures(head, (*rows, *_sums(state)), circled)
    return section("sample", says, table=table)


def _written(kind: PlusMinusKind) -> tuple[list[dict[str, Any]], PlusMinus]:
    state, written = kind.start(_SEATS), list[dict[str, Any]]()
    names = ("game", "declarer", "partner", "won", "level")
    for number, values in enumerate(_PLAYED):
        with suppress(Refusal):
            data = kind.normalised(_SEATS, "deal", dict(zip(names, values, strict=True)))
            fact = Fact(str(number), "deal", data, deal_number=None)
            kind.check(state, fact)
            state = kind.apply(state, fact)
            written.append(data)
    for waiting in kind.waiting(state):
        state = kind.apply(state, Fact(waiting, "approved", {"entry": waiting}, deal_number=None))
    return written, state


def _pairs(points: list[int]) -> Iterator[str]:
    for value in points:
        yield from (str(value) if value > 0 else _DASH, str(-value) if value < 0 else _DASH)


def _sums(state: PlusMinus) -> Iterator[tuple[str, ...]]:
    """Yield totals, deductions below the greater column, and results."""
    sums, less, results = list[str](), list[str](), list[str]()
    for seat in _SEATS:
        plus, minus, deduction = state.plus(seat), state.minus(seat), str(state.deduction(seat))
        sums += [str(plus), str(minus)]
        less += [deduction, _DASH] if plus >= minus else [_DASH, deduction]
        result = with_sign(state.result(seat))
        results += [result, ""] if plus >= minus else ["", result]
    yield _say("total"), *sums
    yield _say("deduction"), *less
    yield _say("result"), *results
