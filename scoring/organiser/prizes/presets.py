"""Ready-made prize plans, to fill in the form."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.prize_plan import Prize, PrizePlan
from tournaments.rulesets.schema import Ruleset

ROUNDING_CENTS = 50


@dataclass(frozen=True, slots=True)
class PlanPreset:
    """A prize plan for a ruleset and a number of players."""

    name: Promise
    make: Callable[[Ruleset, int], tuple[Prize, ...]]


def preset_plan(key: str, rules: Ruleset, players: int) -> PrizePlan | None:
    """Return the plan of this key, None for an unknown one."""
    preset = PLAN_PRESETS.get(key)
    if preset is None:
        return None
    return PrizePlan(prizes=preset.make(rules, players), rounding_cents=ROUNDING_CENTS, rest="first")


def _half_third_sixth(rules: Ruleset, players: int) -> tuple[Prize, ...]:
    return tuple(_rank(rank, share=share) for rank, share in enumerate((50, 33, 17), start=1))


def _every_third(rules: Ruleset, players: int) -> tuple[Prize, ...]:
    """Return prizes for the better third: half of the money for the first three, the rest alike for the others."""
    last = max(1, players // 3)
    if last <= 3:
        return tuple(
            _rank(rank, share=share) for rank, share in zip(range(1, last + 1), (50, 30, 20), strict=False)
        )
    others = Prize(kind="rank", first=4, last=last, share=max(1, 50 // (last - 3)))
    return (*(_rank(rank, share=share) for rank, share in enumerate((25, 15, 10), start=1)), others)


def _things(rules: Ruleset, players: int) -> tuple[Prize, ...]:
    """Return things for three ranks, and for the last one where the rule sheet knows of no other prizes than its own."""
    first = tuple(
        _rank(rank, thing=thing) for rank, thing in enumerate((_("Spanferkel"), _("Schinken"), _("Wurst")), 1)
    )
    consolation = () if rules.sheet.kind == "plus_minus" else (Prize(kind="last", thing=_("Trostpreis")),)
    return (*first, *consolation)


def _rank(rank: int, *, share: int = 0, thing: str = "") -> Prize:
    return Prize(kind="rank", first=rank, last=rank, share=share, thing=thing)


PLAN_PRESETS: Mapping[str, PlanPreset] = {
    "sixth": PlanPreset(gettext_lazy("Hälfte, Drittel, Sechstel"), _half_third_sixth),
    "third": PlanPreset(gettext_lazy("Jeder Dritte gewinnt"), _every_third),
    "things": PlanPreset(gettext_lazy("Nur Sachpreise"), _things),
}
