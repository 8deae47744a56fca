"""The organiser's prize plan."""

from django.db import transaction

from scoring.core.prize_plan import PrizePlan
from scoring.queries.prizes import plan_version
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.notify import notify
from tournaments.services.tournaments import lock_tournament


def set_prize_plan(tournament: Tournament, plan: PrizePlan | None, *, seen: str | None = None) -> Tournament:
    """Store the prize plan; None: there are no prizes. Where the tournament hides amounts, the money of the plan before stays.

    seen: the version of the replaced plan (`plan_version`); None: any. Refuses prize_plan_changed
    if another plan was stored meanwhile, and prize_fee_unknown for a kind of fee that does not exist.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if locked.hides_amounts and locked.prize_plan:  # the form shows things only
            plan = (plan or PrizePlan(prizes=())).with_money_of(PrizePlan.from_dict(locked.prize_plan))
        wanted = plan.to_dict() if plan and not plan.is_empty else None
        if seen is not None and seen != plan_version(locked) and wanted != locked.prize_plan:
            raise Refusal("prize_plan_changed")
        if plan is not None:
            _check_fees(locked, plan)
        locked.prize_plan = wanted
        locked.save(update_fields=["prize_plan"])
        notify(locked.slug, "tournament")
    return locked


def _check_fees(tournament: Tournament, plan: PrizePlan) -> None:
    keys = {kind.key for kind in tournament.fee_kinds}
    if any(prize.kind == "fee" and prize.of not in keys for prize in plan.prizes):
        raise Refusal("prize_fee_unknown")
