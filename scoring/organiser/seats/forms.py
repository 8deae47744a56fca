"""The organiser's forms for seats: substitutes, scribes, latecomers, no-shows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.forms import ReasonField, RefusableForm
from tournaments.core.draw import Moved
from tournaments.core.refusal import Refusal
from tournaments.forms import OtherPlayersField
from tournaments.queries.seating import RoundRow, TableRow
from tournaments.services.door import Newcomer


class SubstituteForm(RefusableForm):
    """The substitute for a player who leaves: a registered player, or a newcomer.

    others: start numbers of the namesakes that the organiser was asked about.
    """

    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(("name_empty", "name_too_long", "name_bad_characters", "same_name"), "name"),
        **dict.fromkeys(("is_withdrawn", "is_excluded", "already_at_a_table", "unknown_participant"), "who"),
    }

    who = forms.TypedChoiceField(
        label=gettext_lazy("Wer kommt für ihn?"), coerce=int, empty_value=None, required=False
    )
    name = forms.CharField(label=gettext_lazy("Name, wenn er neu ist"), max_length=80, required=False)
    club = forms.CharField(label=gettext_lazy("Verein"), max_length=80, required=False)
    paid = forms.BooleanField(label=gettext_lazy("Startgebühr ist bezahlt"), required=False)
    reason = ReasonField()
    others = OtherPlayersField()

    def __init__(self, *args: Any, candidates: Sequence[tuple[int, str]], fee: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        registered = [(number, f"{number} · {name}") for number, name in candidates]
        self.set_choices("who", [("", _("jemand, der noch nicht angemeldet ist")), *registered])
        if not fee:
            del self.fields["paid"]

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("who") is None and not self.cleaned_data.get("name"):
            self.add_error("name", _("Bitte einen Namen eintragen, oder oben jemanden auswählen."))
        return self.cleaned_data

    def refuse(self, refusal: Refusal) -> None:
        """Add the refusal; after same_name, the same form sent again confirms another person."""
        super().refuse(refusal)
        if refusal.code == "same_name":
            params: Mapping[str, Any] = refusal.params
            others = self.cleaned_data["others"] | {*params["start_numbers"]}
            self.data = {**dict(self.data.items()), "others": ",".join(map(str, others))}

    @property
    def by_whom(self) -> int | Newcomer:
        who = self.cleaned_data["who"]
        return who if who is not None else Newcomer(self.cleaned_data["name"], self.cleaned_data["club"])


class ScribesForm(forms.Form):
    """The scribe of each table of a round: a seat, or none named."""

    def __init__(self, *args: Any, round_row: RoundRow, default: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tables = round_row.tables
        for table in round_row.tables:
            seats = [(seat.seat_number, f"{seat.seat_number} · {seat.name}") for seat in table.seats]
            named = table.scribe.seat_number if table.scribe and table.scribe_at else None
            self.fields[f"table_{table.number}"] = forms.TypedChoiceField(
                label=_("Tisch %(number)s") % {"number": table.number},
                choices=[("", default), *seats],
                coerce=int,
                empty_value=None,
                required=False,
                initial=named,
            )

    @property
    def lines(self) -> list[tuple[TableRow, forms.BoundField]]:
        return [(table, self[f"table_{table.number}"]) for table in self.tables]

    @property
    def chosen(self) -> dict[int, int | None]:
        """Table number -> seat number, for the tables whose choice was submitted."""
        return {
            table.number: self.cleaned_data[f"table_{table.number}"]
            for table in self.tables
            if f"table_{table.number}" in self.data
        }


class JoinForm(RefusableForm):
    """The table at which a latecomer takes a seat."""

    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(("table_full", "table_has_begun", "unknown_table"), "table"),
    }

    table = forms.TypedChoiceField(
        coerce=int,
        choices=lambda: [(number, number) for number in range(1, 1000)],
        error_messages={"required": gettext_lazy("Bitte einen Tisch wählen.")},
    )
    reason = ReasonField()


class LeaveForm(RefusableForm):
    """The removal of an absent player. moves: as shown to the organiser, "12:3 7:3" (player:table)."""

    moves = forms.RegexField(r"^(\d{1,9}:\d{1,4}( |$))*$", required=False)
    reason = ReasonField()

    @staticmethod
    def written(moves: Iterable[Moved]) -> str:
        return " ".join(f"{move.player}:{move.table}" for move in moves)

    def clean_moves(self) -> list[Moved]:
        pairs = (move.split(":") for move in self.cleaned_data["moves"].split())
        return [Moved(int(player), int(table)) for player, table in pairs]


class TakeBackForm(RefusableForm):
    """Undo of the last change. sequence: of the last change that the page showed."""

    sequence = forms.IntegerField(min_value=1, max_value=1_000_000)
    reason = ReasonField()
