"""The form of the prize plan: its rules, and a row for each prize."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any
from unicodedata import normalize

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.prize_plan import (
    LONGEST_THING,
    LOWEST_RANK,
    MOST_IN_A_LOT,
    MOST_PRIZES,
    Prize,
    PrizePlan,
    fraction_of,
)
from scoring.forms import RefusableForm
from scoring.queries.prizes import clubs_of
from scoring.text.prizes import SPECIAL_PRIZES, best_of
from tournaments.forms import CleanField, EurosField, TextField
from tournaments.models import Tournament
from tournaments.text.money import euros

EMPTY_ROWS = 3
ROUNDINGS = (1, 50, 100, 500)

_SHARE = re.compile(r"([0-9]{1,3})\s*%", re.ASCII)
_PARTS = {
    "hälfte": 2, "drittel": 3, "viertel": 4, "fünftel": 5, "sechstel": 6, "achtel": 8, "zehntel": 10,
    "half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10,
}  # fmt: skip
_FROM = re.compile(r"(?:ab|from)\s*([0-9]{1,4})\.?|([0-9]{1,4})\.?\s*[-–]", re.IGNORECASE | re.ASCII)
_RANGE = re.compile(r"([0-9]{1,4})\.?(?:\s*(?:-|–|bis|to)\s*([0-9]{1,4})\.?)?", re.IGNORECASE)


class MoneyField(CleanField):
    """The money of a prize: „15,00“ gives {"cents": 1500}, „50 %“ gives {"share": 50}, no input {}.

    „1/3“, „⅓“ and „Drittel“ give {"share": Fraction(100, 3)}.
    """

    def clean(self, value: Any) -> dict[str, int | Fraction]:  # type: ignore[override]
        text = str(value or "").strip()
        share = _share_of(text)
        if share:
            return {"share": share}
        try:
            cents = EurosField(empty=True).clean(text)
        except forms.ValidationError:
            cents = 0
        if cents is not None and not cents:
            bad = _("Bitte einen Betrag oder einen Anteil eintragen, zum Beispiel 15,00 oder 50 % oder 1/3.")
            raise forms.ValidationError(bad, code="money_bad")
        return {"cents": cents} if cents else {}

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, Prize):
            return value
        if value.share:
            return value.share_as_written if isinstance(value.share, Fraction) else f"{value.share} %"
        return f"{value.cents // 100},{value.cents % 100:02}" if value.cents else ""


def _share_of(text: str) -> int | Fraction | None:
    """Return the share of „50 %“, „1/3“, „⅓“ or „Drittel“ per cent, None for another text."""
    per_cent = _SHARE.fullmatch(text)
    if per_cent:
        return int(per_cent[1]) if 1 <= int(per_cent[1]) <= 100 else None
    part = _PARTS.get(text.casefold())
    return fraction_of(
        f"1/{part}" if part else normalize("NFKC", text).replace("\u2044", "/").replace(" ", "")
    )


class RanksField(CleanField):
    """A rank or a range of ranks: „4“ gives (4, 4), „4–10“ gives (4, 10), no input None. For lots, their number.

    „ab 4“ and „4–“ give (4, LOWEST_RANK).
    """

    def clean(self, value: Any) -> tuple[int, int] | None:  # type: ignore[override]
        text = str(value or "").strip()
        match, open_end = _RANGE.fullmatch(text), _FROM.fullmatch(text)
        if not text:
            return None
        first = int(match[1]) if match else 0
        last = int(match[2] or first) if match else 0
        if open_end:
            first, last = int(open_end[1] or open_end[2]), LOWEST_RANK
        if not (1 <= first <= LOWEST_RANK and 1 <= last <= LOWEST_RANK):
            bad = _("Bitte einen Rang oder einen Bereich eintragen, zum Beispiel 1 oder 4–10.")
            raise forms.ValidationError(bad, code="ranks_bad")
        return first, last

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, Prize):
            return value
        if value.has_open_end:
            return _("ab %(rank)s") % {"rank": value.first}
        if value.kind == "rank":
            return str(value.first) if value.first == value.last else f"{value.first}–{value.last}"
        return str(value.count) if value.kind == "lot" else ""


class PrizeForm(RefusableForm):
    """One prize; empty without ranks, money and thing. what: as `what_of`."""

    what = forms.ChoiceField(label=gettext_lazy("Wofür"), required=False)
    ranks = RanksField(str.strip, label=gettext_lazy("Rang / Anzahl"))
    money = MoneyField(str.strip, label=gettext_lazy("Geld"))
    thing = TextField(label=gettext_lazy("Sache"), most=LONGEST_THING)

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        number: int,
        choices: Sequence[tuple[str, Any]],
        prize: Prize | None = None,
        hides_amounts: bool = False,
    ) -> None:
        super().__init__(data, prefix=f"prize-{number}", initial=_initial(prize) if prize else None)
        if hides_amounts:
            del self.fields["money"]
        self.set_choices("what", choices)

    def clean(self) -> dict[str, Any]:
        if not self.errors and self.is_given and self.purpose == "rank" and not self.cleaned_data["ranks"]:
            self.add_error("ranks", _("Bitte dazuschreiben, für welchen Rang, zum Beispiel 1 oder 4–10."))
        return self.cleaned_data

    @property
    def purpose(self) -> str:
        return str(self.cleaned_data.get("what") or "rank")

    @property
    def is_given(self) -> bool:
        return any(self.cleaned_data.get(name) for name in ("ranks", "money", "thing"))

    def prize(self) -> Prize:
        """Return the prize. Refuses as `Prize` does."""
        kind, _colon, of = self.purpose.partition(":")
        first, last = self.cleaned_data["ranks"] or (1, 1)
        number: dict[str, Any] = {"first": first, "last": last} if kind == "rank" else {}
        if kind == "lot":
            number = {"count": min(first, MOST_IN_A_LOT)}
        columns: dict[str, Any] = {"kind": kind, **number, **self.cleaned_data.get("money", {})}
        return Prize(of=of, thing=self.cleaned_data["thing"], **columns)


class PrizePlanForm(RefusableForm):
    """The rules of the plan, and its prizes."""

    field_of = {}

    costs = EurosField(label=gettext_lazy("Kosten, die vorher abgehen (Saal, Karten)"), empty=True)
    rounding = forms.TypedChoiceField(
        label=gettext_lazy("Anteile abrunden"), coerce=int, initial=ROUNDINGS[1]
    )
    rest = forms.ChoiceField(
        label=gettext_lazy("Was beim Abrunden übrig bleibt, bekommt"),
        choices=[("club", gettext_lazy("der Verein")), ("first", gettext_lazy("Rang 1"))],
        initial="club",
    )
    specials = forms.ChoiceField(
        label=gettext_lazy("Sonderpreise bei der Siegerehrung"),
        choices=[("first", gettext_lazy("vor den Rängen")), ("last", gettext_lazy("nach den Rängen"))],
        initial="first",
        required=False,
    )
    one_each = forms.BooleanField(label=gettext_lazy("Jeder bekommt höchstens einen Preis"), required=False)
    present_only = forms.BooleanField(
        label=gettext_lazy("Nur wer noch da ist, bekommt einen Preis"), required=False
    )
    every_third = forms.BooleanField(
        label=gettext_lazy("Jeder Dritte gewinnt: Ränge darunter bekommen nichts"),
        help_text=gettext_lazy("Bis zur ersten Auslosung rechnet der Plan mit den Spielern, die da sind."),
        required=False,
    )
    public = forms.BooleanField(
        label=gettext_lazy("Den Plan auf der Seite der Spieler und auf der Leinwand zeigen"), required=False
    )

    def __init__(
        self, data: Mapping[str, Any] | None, *, tournament: Tournament, plan: PrizePlan | None = None
    ) -> None:
        super().__init__(data, auto_id="plan_%s", initial=_rules(plan) if plan else None)
        if tournament.hides_amounts:
            for name in ("costs", "rounding", "rest"):
                self.fields[name].required = False
        roundings = sorted({*ROUNDINGS, plan.rounding_cents or 1 if plan else ROUNDINGS[0]})
        self.set_choices("rounding", [(cents, _rounding(cents)) for cents in roundings])
        prizes = plan.prizes if plan else ()
        choices = _choices(tournament, prizes)
        count = _rows_in(data) if data is not None else min(len(prizes) + EMPTY_ROWS, MOST_PRIZES)
        self.rows = [
            PrizeForm(
                data,
                number=number,
                choices=choices,
                prize=prizes[number] if number < len(prizes) else None,
                hides_amounts=tournament.hides_amounts,
            )
            for number in range(count)
        ]

    def plan(self) -> PrizePlan | None:
        """Return the entered plan, None if the form or a row has errors."""
        wrong = [form for form in (self, *self.rows) if not form.is_valid()]
        if wrong:
            return None
        prizes = []
        for row in self.rows:
            with row.refusal_at_field():
                prizes += [row.prize()] if row.is_given else []
        if any(row.errors for row in self.rows):
            return None
        data = self.cleaned_data
        with self.refusal_at_field():
            return PrizePlan(
                prizes=tuple(prizes),
                costs_cents=data["costs"] or 0,
                rounding_cents=data["rounding"] or ROUNDINGS[1],
                rest=data["rest"] or "club",
                specials=data["specials"] or "first",
                one_each=data["one_each"],
                present_only=data["present_only"],
                public=data["public"],
                every_third=data["every_third"],
            )
        return None

    @property
    def is_right(self) -> bool:
        """Whether the form and all rows have no errors."""
        return not self.errors and not any(row.errors for row in self.rows)


def what_of(prize: Prize) -> str:
    """Return the key of a prize's purpose: "rank", "strokes", "fee:reduced", "club:SV Hof"."""
    return f"{prize.kind}:{prize.of}" if prize.of else prize.kind


def _initial(prize: Prize) -> dict[str, Any]:
    return {"what": what_of(prize), "ranks": prize, "money": prize, "thing": prize.thing}


def _rules(plan: PrizePlan) -> dict[str, Any]:
    names = ("rest", "specials", "one_each", "present_only", "public", "every_third")
    options = {name: getattr(plan, name) for name in names}
    return {**options, "costs": plan.costs_cents or None, "rounding": plan.rounding_cents or 1}


def _rounding(cents: int) -> str:
    if cents == 1:
        return _("gar nicht, auf den Cent genau")
    return _("auf %(amount)s") % {"amount": euros(cents)}


def _choices(tournament: Tournament, prizes: Sequence[Prize]) -> list[tuple[str, Any]]:
    """Return the purposes of a prize, including the kinds of fees, and the clubs of players and of the plan."""
    choices: list[tuple[str, Any]] = [("rank", _("Rang")), *SPECIAL_PRIZES.items()]
    choices.append(("lot", _("Los unter allen ohne Preis")))
    kinds = tournament.fee_kinds
    if len(kinds) > 1:
        choices += [(f"fee:{kind.key}", best_of(kind.name or kind.key)) for kind in kinds]
    named = [prize.of for prize in prizes if prize.kind == "club"]
    clubs = dict.fromkeys([*named, *clubs_of(tournament)])
    choices += [(f"club:{club}", best_of(club)) for club in clubs]
    missing = [prize for prize in prizes if what_of(prize) not in dict(choices)]
    return choices + [(what_of(prize), best_of(prize.of)) for prize in missing]


def _rows_in(data: Mapping[str, Any]) -> int:
    """Return the number of rows that were sent. One that was made while amounts are hidden has no field for money."""
    fields = ("money", "thing")
    sent = (
        number
        for number in range(MOST_PRIZES)
        if not any(f"prize-{number}-{field}" in data for field in fields)
    )
    return next(sent, MOST_PRIZES)
