"""Prizes in words: their names, what they give, and why an organiser has to decide."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from django.utils.translation import ngettext

from scoring.core.prize_outlook import Outlook, PlannedPrize
from scoring.core.prize_plan import Prize, PrizeKind, PrizePlan
from scoring.core.prizes import PrizeRow
from tournaments.core.fees import FeeKind
from tournaments.text.money import euros
from tournaments.text.sentences import labels_beside, sentence_maker

SPECIAL_PRIZES = labels_beside(__file__, "prizes")

_say = sentence_maker(__file__, "prizes_in_words")


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A prize as two texts: its name, and what it gives."""

    name: str
    gives: str


def plan_lines(plan: PrizePlan, kinds: Sequence[FeeKind]) -> list[PrizeLine]:
    """Return the prizes as planned, ranks first, whatever the pot will be."""
    ranks = sorted(plan.for_ranks, key=lambda prize: (prize.first, prize.last))
    return [
        PrizeLine(prize_name(prize, kinds), _gives(prize, _planned_money(prize), prize.number))
        for prize in (*ranks, *plan.for_others)
    ]


def outlook_lines(prizes: Sequence[PlannedPrize], kinds: Sequence[FeeKind]) -> list[PrizeLine]:
    """Return the prizes with the money that a pot leaves for them."""
    return [
        PrizeLine(
            prize_name(prize, kinds), _gives(prize, euros(prize.cents) if prize.cents else "", prize.number)
        )
        for prize in prizes
    ]


def outlook_rows(
    around: Iterable[Outlook], kinds: Sequence[FeeKind]
) -> list[tuple[Outlook, list[PrizeLine]]]:
    """Return outlooks for different numbers of players, each with its prizes in words."""
    return [(each, outlook_lines(each.prizes, kinds)) for each in around]


def plan_notes(plan: PrizePlan) -> list[str]:
    """Return the rules of the plan that the players should know, a sentence each."""
    rules = {
        "every_third": plan.every_third,
        "shares_of_pot": any(prize.share for prize in plan.prizes),
        "one_each": plan.one_each,
        "present_only": plan.present_only,
    }
    return [_say(rule) for rule, holds in rules.items() if holds]


def prize_name(prize: Prize | PlannedPrize, kinds: Sequence[FeeKind]) -> str:
    """Return the name of a prize: what it is awarded for. kinds: the tournament's kinds of fees."""
    if prize.kind == "rank":
        key = "rank" if prize.first == prize.last else "ranks"
        if isinstance(prize, Prize) and prize.has_open_end:
            key = "ranks_from"
        return _say(key, rank=prize.first, first=prize.first, last=prize.last)
    if prize.kind == "lot":
        return ngettext(
            "Los unter allen ohne Preis", "%(count)s Lose unter allen ohne Preis", prize.number
        ) % {"count": prize.number}
    return _special_name(prize.kind, prize.of, kinds)


def best_of(name: str) -> str:
    """Return the name of a prize for the best of a kind of fee or of a club."""
    return _say("best_of", name=name)


def row_name(row: PrizeRow, kinds: Sequence[FeeKind]) -> str:
    """Return the name of the prize of a row."""
    return _say("rank", rank=row.rank) if row.kind == "rank" else _special_name(row.kind, row.of, kinds)


def prize_of_key(key: str, kinds: Sequence[FeeKind]) -> str:
    """Return the name of a prize by its key (`PrizeRow.key`)."""
    kind, _colon, of = key.partition("#")[0].partition(":")
    return _say("a_rank") if kind == "rank" else _special_name(cast(PrizeKind, kind), of, kinds)


def step_name(step: str, kinds: Sequence[FeeKind]) -> str:
    """Return the name of a step of the ceremony: a rank, or a special prize."""
    return _say("rank", rank=step) if step.isdigit() else prize_of_key(step, kinds)


def row_gives(row: PrizeRow) -> str:
    """Return what each player of a row gets; things that are not divided are named once."""
    money = euros(row.cents) if row.cents else ""
    if money and len(row.start_numbers) > 1:
        money = _say("each", given=money)
    return " + ".join(filter(None, (money, *_counted(row.things))))


def award_gives(cents: int, things: Iterable[str]) -> str:
    """Return money and things as one text, "" for nothing."""
    return " + ".join([*([euros(cents)] if cents else []), *_counted(things)])


def _counted(things: Iterable[str]) -> list[str]:
    return [thing if count == 1 else f"{count} × {thing}" for thing, count in Counter(things).items()]


def why_open(row: PrizeRow) -> str | None:
    """Return why an organiser has to decide who gets the things of a row; None if there is nothing to decide."""
    if not row.is_open:
        return None
    return _say("open_rank" if row.kind == "rank" else "open")


def _special_name(kind: PrizeKind, of: str, kinds: Sequence[FeeKind]) -> str:
    if kind == "fee":
        return best_of(next((fee_kind.name for fee_kind in kinds if fee_kind.key == of), "") or of)
    if kind == "lot":
        return _say("lot")
    return best_of(of) if kind == "club" else str(SPECIAL_PRIZES[kind])


def _planned_money(prize: Prize) -> str:
    if prize.share:
        key = "fraction" if isinstance(prize.share, Fraction) else "share"
        return _say(key, share=prize.share_as_written)
    return euros(prize.cents) if prize.cents else ""


def _gives(prize: Prize | PlannedPrize, money: str, number: int) -> str:
    prizes = " + ".join(filter(None, (money, prize.thing)))
    return _say("each", given=prizes) if number > 1 else prizes
