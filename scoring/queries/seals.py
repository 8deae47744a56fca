"""The course of the draws of a round: commitments, words of the hall, and the outcome of each."""

from dataclasses import dataclass
from itertools import pairwise

from tournaments.models import Commitment, DrawAttempt, Tournament


@dataclass(frozen=True, slots=True)
class SealLine:
    """A commitment to a draw. attempt: the draw, once it is made. abandoned_because: why it was drawn again, "" if it was not."""

    commitment: Commitment
    attempt: DrawAttempt | None
    abandoned_because: str = ""


def seals_of(tournament: Tournament, number: int) -> list[SealLine]:
    """Return the commitments to draws of a round, in their order. Two queries."""
    attempts = list(DrawAttempt.objects.filter(round__tournament=tournament, round__number=number))
    reasons = {before.pk: after.reason for before, after in pairwise(attempts)}
    made = {attempt.commitment_id: attempt for attempt in attempts}
    lines = []
    for commitment in tournament.commitments.filter(round_number=number).order_by("number"):
        attempt = made.get(commitment.pk)
        lines.append(SealLine(commitment, attempt, reasons.get(attempt.pk, "") if attempt else ""))
    return lines
