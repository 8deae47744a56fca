"""Plus and minus for the organiser: forms for games and sums, and the rows of the printed sheet.

The printed sheet has a pair of columns for each player, as on the sample of rule sheet 5, with total, deduction and result.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.paper import LONGEST_LINE, read_points
from scoring.core.plus_minus import RUF, PlusMinus, is_circled
from scoring.core.sheet import SheetLog
from scoring.forms import RefusableForm
from scoring.organiser.kinds.adapter import OrganiserKind
from scoring.organiser.kinds.deal_rows import Columns, DealCell, DealRow
from scoring.organiser.kinds.fact_forms import (
    PLAYER_MISSING,
    FactForm,
    InitialsField,
    PaperTotals,
    SeatFiguresForm,
    figures_of,
)
from scoring.text.entries import GAMES, LEVELS, game_words, with_sign
from tournaments.core.refusal import Refusal
from tournaments.rulesets.schema import PLUS_MINUS_TABLE
from tournaments.rulesets.sheets import PlusMinusRules


class GameForm(FactForm):
    """A game, its players and its outcome."""

    kind = "deal"
    heading = gettext_lazy("Ein Spiel eintragen")
    button = gettext_lazy("Ein Spiel")
    rules: PlusMinusRules
    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(("partner_needed", "partner_is_declarer", "no_partner_in_a_solo"), "partner"),
        **dict.fromkeys(("unknown_level", "not_in_first_deal"), "level"),
        "unknown_game": "game",
    }

    game = forms.ChoiceField(label=gettext_lazy("Spiel"), widget=forms.RadioSelect)
    declarer = forms.TypedChoiceField(
        label=gettext_lazy("Wer spielt?"), coerce=int, error_messages={"required": PLAYER_MISSING}
    )
    partner = forms.TypedChoiceField(
        label=gettext_lazy("Wer ist gerufen?"), coerce=int, empty_value=None, required=False
    )
    won = forms.TypedChoiceField(
        label=gettext_lazy("Ausgang"),
        coerce=lambda value: value == "yes",
        choices=[("yes", gettext_lazy("gewonnen")), ("no", gettext_lazy("verloren"))],
        widget=forms.RadioSelect,
    )
    level = forms.ChoiceField(
        label=gettext_lazy("Wie hoch?"),
        choices=list(LEVELS.items()),
        widget=forms.RadioSelect,
        initial="normal",
    )

    def set_up(self) -> None:
        self.set_choices("game", [(game, GAMES[game]) for game in (RUF, *self.rules.solos)])
        self.set_choices("declarer", self._player_choices())
        self.set_choices("partner", [("", _("niemand (allein gegen drei)")), *self._seat_choices()])

    @classmethod
    def initial_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {**data, "won": "yes" if data["won"] else "no"}


class GameTotalsForm(SeatFiguresForm):
    """The results of a paper sheet of games, with the Touts and Solos that break ties."""

    kind = "totalled"
    heading = gettext_lazy("Summen vom Papier eintragen")
    button = gettext_lazy("Summen vom Papier")
    rules: PlusMinusRules
    figures = figures_of("tout_won", "tout_played", "solo_won", "solo_played")
    note = gettext_lazy("Ein Tout ist auch ein Solo: Er zählt bei beiden.")

    def clean(self) -> dict[str, Any]:
        """Require that each Tout is among the Solos (RULES 5.7)."""
        for seat in self.seats:
            for outcome in ("won", "played"):
                touts, solos = (
                    self.cleaned_data.get(f"{game}_{outcome}_{seat.seat_number}") or 0
                    for game in ("tout", "solo")
                )
                if touts > solos:
                    said = _(
                        "Ein Tout ist auch ein Solo: Hier fehlt er. Bitte mindestens %(least)s eintragen."
                    )
                    self.add_error(f"solo_{outcome}_{seat.seat_number}", said % {"least": touts})
        return self.cleaned_data


class PaperGameTotals(PaperTotals, GameTotalsForm):
    """A whole paper sheet of games, with the supervisor's initials (RULES 5.5).

    Points and initials may be typed as one line (see `scoring.core.paper`), which counts instead of their fields.
    """

    line = forms.CharField(label=gettext_lazy("Punkte und Kürzel"), max_length=LONGEST_LINE, required=False)
    initials = InitialsField()

    def set_up(self) -> None:
        super().set_up()
        self.in_line: frozenset[str | None] = frozenset()
        self.line_error: Refusal | None = None
        typed = str(self.data.get("line", "")).strip()
        if typed:
            self._read(typed)

    def _read(self, line: str) -> None:
        """Take points and initials from the line; show at the line what is wrong with them."""
        of_points = [f"points_{seat.seat_number}" for seat in self.seats]
        self.in_line = frozenset({None, "initials", *of_points})
        try:
            points, initials = read_points(line, [seat.seat_number for seat in self.seats])
        except Refusal as refusal:
            self.line_error = refusal
            for name in ("initials", *of_points):
                self.fields[name].required = False
        else:
            by_field = {f"points_{seat}": str(figure) for seat, figure in points.items()}
            self.data = {**dict(self.data.items()), **by_field, "initials": initials}

    def clean_line(self) -> str:
        if self.line_error is not None:
            raise self.error_of(self.line_error)
        return str(self.cleaned_data["line"])

    def add_error(self, field: str | None, error: Any) -> None:
        super().add_error("line" if field in self.in_line else field, error)

    @property
    def first_attrs(self) -> dict[str, Any]:
        attrs: dict[str, Any] = self.fields["line"].widget.attrs
        return attrs

    @property
    def is_by_field(self) -> bool:
        """Whether the fields are used: they hold what the line does not, or are refused."""
        return self.is_bound and (
            not self.in_line or any(name not in ("line", "replace") for name in self.errors)
        )

    @property
    def hint(self) -> str:
        return str(self.errors["line"][0]) if "line" in self.errors else super().hint


def _deal_rows(log: SheetLog) -> Iterator[DealRow]:
    state: PlusMinus = log.state
    initials = {
        entry.data["entry"]: entry.initials or "✓" for entry in log.entries if entry.kind == "approved"
    }
    facts = [fact for fact in log.facts if fact.kind == "deal"]
    for number, (fact, deal) in enumerate(zip(facts, state.deals, strict=True), start=1):
        cells = tuple(DealCell() if deal.waits else DealCell(deal.points[seat]) for seat in log.seats)
        mark = _("wartet") if deal.waits else initials.get(fact.entry_id, "")
        yield DealRow(number, cells, game_words(fact.data, str), mark, is_circled(fact.data))


def _columns(log: SheetLog | None, seats: Sequence[int]) -> tuple[Columns, ...]:
    return tuple(Columns() if log is None else _added_up(log.state, seat) for seat in seats)


def _added_up(state: PlusMinus, seat: int) -> Columns:
    result = with_sign(state.result(seat))
    if state.totals is not None:
        return Columns(result=result)
    plus, minus, deduction = state.plus(seat), state.minus(seat), str(state.deduction(seat))
    if plus >= minus:
        return Columns(str(plus), str(minus), deduction, "–", result)
    return Columns(str(plus), str(minus), "–", deduction, result)


PLUS_MINUS = OrganiserKind(
    fact_forms={form.kind: form for form in (GameForm, GameTotalsForm)},
    paper_form=PaperGameTotals,
    sheet_template="scoring/organiser/prints/_plus_minus_sheet.html",
    filled_template="scoring/organiser/prints/_plus_minus_sheet.html",
    needs_initials=True,
    deal_rows=_deal_rows,
    columns=_columns,
    only_table=PLUS_MINUS_TABLE[0],
)
