"""The prize plan as everybody may see it."""

from dataclasses import dataclass

from scoring.queries.prizes import plan_in_force, plan_of
from scoring.text.prizes import PrizeLine, plan_lines, plan_notes
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class PublicPlan:
    """The prizes, and the rules that players should know."""

    lines: tuple[PrizeLine, ...]
    notes: tuple[str, ...]


def public_plan(tournament: Tournament) -> PublicPlan | None:
    """Return the plan in the reader's language, None unless the organiser shows it. One query at most."""
    plan = plan_of(tournament)
    if plan is None or not (plan.public and plan.prizes):
        return None
    plan = plan_in_force(tournament, plan)
    return PublicPlan(tuple(plan_lines(plan, tournament.fee_kinds)), tuple(plan_notes(plan)))
