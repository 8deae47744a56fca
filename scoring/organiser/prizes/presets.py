"""Ready-made prize plans, to fill in the form."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.prize_plan import LOWEST_RANK, Prize, PrizePlan
from tournaments.models import Tournament

ROUNDING_CENTS = 50


def preset_plan(key: str, tournament: Tournament) -> PrizePlan | None:
    """Return the plan of this key, None for an unknown one."""
    if key not in PLAN_PRESETS:
        return None
    _name, prizes_for = PLAN_PRESETS[key]
    return PrizePlan(
        prizes=prizes_for(tournament),
        rounding_cents=ROUNDING_CENTS,
        rest="first",
        every_third=prizes_for is _every_third,
    )


def _half_third_sixth(tournament: Tournament) -> tuple[Prize, ...]:
    return tuple(_rank(rank, share=Fraction(100, part)) for rank, part in enumerate((2, 3, 6), start=1))


def _every_third(tournament: Tournament) -> tuple[Prize, ...]:
    """Return prizes for the better third: the default fee back, and the first three share the rest."""
    first = tuple(_rank(rank, share=share) for rank, share in enumerate((50, 30, 20), start=1))
    fee_cents = tournament.fee_kinds[0].cents
    return (*first, Prize(kind="rank", first=4, last=LOWEST_RANK, cents=fee_cents)) if fee_cents else first


def _things(tournament: Tournament) -> tuple[Prize, ...]:
    """Return things for three ranks, and a consolation prize except on sheets of plus and minus."""
    first = tuple(
        _rank(rank, thing=thing) for rank, thing in enumerate((_("Spanferkel"), _("Schinken"), _("Wurst")), 1)
    )
    consolation = (
        () if tournament.rules.sheet.kind == "plus_minus" else (Prize(kind="last", thing=_("Trostpreis")),)
    )
    return (*first, *consolation)


def _rank(rank: int, *, share: int | Fraction = 0, thing: str = "") -> Prize:
    return Prize(kind="rank", first=rank, last=rank, share=share, thing=thing)


PLAN_PRESETS: Mapping[str, tuple[Promise, Callable[[Tournament], tuple[Prize, ...]]]] = {
    "sixth": (gettext_lazy("Hälfte, Drittel, Sechstel"), _half_third_sixth),
    "third": (gettext_lazy("Jeder Dritte gewinnt"), _every_third),
    "things": (gettext_lazy("Nur Sachpreise"), _things),
}
"""Name of a plan, and its prizes for a tournament."""
