"""Options of the organiser before a draw: head count, table sizes, previews, abandoned attempts."""

from dataclasses import dataclass

from django.db.models import Count, Q

from scoring.queries.entrants import players_of_round, taking_part
from tournaments.core.preview import Preview, previews
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import Choice, Sizes, sizes_of_round
from tournaments.models import DrawAttempt, Participant, Tournament
from tournaments.queries.ledger import unpaid
from tournaments.queries.seating import RoundRow, rounds_with_seating
from tournaments.rulesets.schema import Ruleset


@dataclass(frozen=True, slots=True)
class HeadCount:
    """Players of a round: how many are present, announced or absent; and how many players owe the fee.

    Before the second round, those who have signed up and are no players yet count as announced.
    """

    present: int
    announced: int
    absent: int
    unpaid: int


def head_count(tournament: Tournament, number: int = 1) -> HeadCount:
    """Count those who may play round `number`, and all who owe the fee. Four queries at most.

    Players who pause are not counted.
    """
    presence = Participant.Presence
    counts = taking_part(tournament, number).aggregate(
        present=Count("pk", filter=Q(presence=presence.PRESENT) & ~Q(pauses_round=number)),
        announced=Count("pk", filter=Q(presence=presence.ANNOUNCED)),
        absent=Count("pk", filter=Q(presence=presence.ABSENT)),
    )
    if number <= 1:
        counts["announced"] += tournament.sign_ups.filter(participant=None, withdrawn_at=None).count()
    return HeadCount(**counts, unpaid=unpaid(tournament).players)


@dataclass(frozen=True, slots=True)
class SizeOption:
    """A split into tables: `sizes`, or why there is none. size: the preferred size, 0 for equal tables."""

    prefer: Choice
    size: int
    sizes: Sizes | None
    refusal: Refusal | None


def size_options(players: int, rules: Ruleset) -> list[SizeOption]:
    """Return the splits to choose from, without duplicates. The ruleset's own preference comes first."""
    smaller, larger = rules.tables.sizes[0], rules.tables.sizes[-1]
    options = [_option(players, rules, "smaller", smaller), _option(players, rules, "larger", larger)]
    if rules.tables.prefer == "larger":
        options.reverse()
    options.append(_option(players, rules, "equal", 0))
    first, *others = options
    return [first] + [
        option
        for index, option in enumerate(others, start=1)
        if option.sizes not in [earlier.sizes for earlier in options[:index]]
    ]


def _option(players: int, rules: Ruleset, prefer: Choice, size: int) -> SizeOption:
    try:
        return SizeOption(prefer, size, sizes_of_round(players, rules.tables, rules.qualifying, prefer), None)
    except Refusal as refusal:
        return SizeOption(prefer, size, None, refusal)


@dataclass(frozen=True, slots=True)
class Abandoned:
    """An abandoned attempt with the reason, which is stored with the attempt that followed it."""

    attempt: DrawAttempt
    reason: str


def abandoned_attempts(row: RoundRow) -> list[Abandoned]:
    attempts = [*row.abandoned, *([row.attempt] if row.attempt else [])]
    reasons = [later.reason for later in attempts[1:]] + [""]
    return [Abandoned(attempt, reason) for attempt, reason in zip(row.abandoned, reasons, strict=False)]


def previews_of(tournament: Tournament, number: int) -> tuple[Preview, ...]:
    """Preview the round with up to three players fewer or more; return () if the field is settled."""
    rules = tournament.rules
    if number > 1 and (rules.qualifying is not None or rules.drawn_ahead):
        return ()
    return previews(
        players_of_round(tournament, number),
        rules.tables,
        rules.qualifying,
        history=[row.seating for row in rounds_with_seating(tournament, range(1, number))],
    )
