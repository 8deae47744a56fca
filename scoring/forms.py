"""What the organiser types about rounds, sheets and standings; every refusal finds its way to a field."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.paper import LONGEST_LINE, Draft, PaperSheet, read_line
from scoring.models import Decision, Screen
from scoring.queries.evening import SizeOption
from scoring.queries.standings import LeaderboardRow
from scoring.services.flags import LONGEST_NAME, LONGEST_NOTE
from scoring.wording import word
from tournaments.core.draw import Moved
from tournaments.core.refusal import Refusal
from tournaments.queries.seating import RoundRow, SeatRow, TableRow
from tournaments.rulesets.sheets import SurvivalRules
from tournaments.services.door import Newcomer

LONGEST_REASON = 500

_REASON = {"required": gettext_lazy("Bitte in ein paar Worten sagen, warum.")}
INITIALS_MISSING = gettext_lazy(
    "Hier fehlt das Kürzel. Bitte eintragen, wer von der Aufsicht das abzeichnet."
)
_TEXT_CODES = ("reason_needed", "bad_text", "text_empty", "text_too_long", "text_bad_characters")

ENDINGS: Mapping[str, Promise] = {
    "knock": gettext_lazy("Klopfen"),
    "schnauz": gettext_lazy("Schnauz"),
    "feuer": gettext_lazy("Feuer"),
    "handschnauz": gettext_lazy("Handschnauz"),
}
MARKS: Mapping[str, Promise] = {"schnauz": gettext_lazy("Schnauz"), "feuer": gettext_lazy("Feuer")}


class RefusableForm(forms.Form):
    """A form that can say at its field why the program refused."""

    field_of: Mapping[str, str] = dict.fromkeys(_TEXT_CODES, "reason")

    def refuse(self, refusal: Refusal) -> None:
        name = self.field_of.get(refusal.code)
        self.add_error(name if name in self.fields else None, word(refusal))


class ReasonField(forms.CharField):
    def __init__(self, **options: Any) -> None:
        given: dict[str, Any] = {"label": gettext_lazy("Begründung"), "error_messages": _REASON, **options}
        super().__init__(max_length=LONGEST_REASON, **given)


class ReasonForm(RefusableForm):
    reason = ReasonField()


class OptionalReasonForm(RefusableForm):
    reason = ReasonField(required=False)


class FlagForm(RefusableForm):
    """What a reader in the hall says is wrong with a sheet."""

    field_of = dict.fromkeys(_TEXT_CODES, "note")

    note = forms.CharField(
        label=gettext_lazy("Was stimmt nicht?"),
        max_length=LONGEST_NOTE,
        error_messages={"required": gettext_lazy("Bitte in ein paar Worten sagen, was nicht stimmt.")},
    )
    name = forms.CharField(label=gettext_lazy("Wer sagt das?"), max_length=LONGEST_NAME, required=False)


class FlagWordForm(RefusableForm):
    """The organiser's word on it."""

    field_of = dict.fromkeys(_TEXT_CODES, "word")

    word = forms.CharField(
        label=gettext_lazy("Was ist daraus geworden?"),
        max_length=LONGEST_REASON,
        error_messages={"required": gettext_lazy("Bitte in einem Wort sagen, was daraus geworden ist.")},
    )


# --- the draw ------------------------------------------------------------------------------------------------------


class DrawForm(RefusableForm):
    """Which tables, where there is a choice, and the explicit yes to sizes that are not regular."""

    field_of = {**RefusableForm.field_of, "needs_confirmation": "exceptions"}

    mode = forms.ChoiceField(
        label=gettext_lazy("Wie ausgelost wird"),
        choices=[
            ("few_repeats", gettext_lazy("mit möglichst wenigen Wiederholungen")),
            ("random", gettext_lazy("nur nach dem Los")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )
    prefer = forms.ChoiceField(choices=[("smaller", ""), ("larger", ""), ("equal", "")], required=False)
    exceptions = forms.BooleanField(label=gettext_lazy("Ja, mit diesen Tischen auslosen"), required=False)

    def __init__(self, *args: Any, options: Sequence[SizeOption], mode: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.options = options
        self.fields["mode"].initial = mode
        self.fields["prefer"].initial = options[0].prefer

    @property
    def chosen(self) -> str:
        return str(self["prefer"].value() or self.options[0].prefer)


class RedrawForm(DrawForm):
    reason = ReasonField()


class SwapForm(RefusableForm):
    """Two players of a drawn round."""

    field_of = {**RefusableForm.field_of, "same_player": "player", "not_at_a_table": "player"}

    player = forms.TypedMultipleChoiceField(
        coerce=int,
        error_messages={
            "required": gettext_lazy("Bitte zwei Spieler ankreuzen."),
            "invalid_choice": gettext_lazy("Bitte zwei Spieler dieser Spielrunde ankreuzen."),
        },
    )
    reason = ReasonField()

    def __init__(self, *args: Any, found: RoundRow, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["player"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = [(seat.start_number, seat.name) for seat in found.seats]

    def clean_player(self) -> list[int]:
        players: list[int] = self.cleaned_data["player"]
        if len(players) != 2:
            raise forms.ValidationError(_("Bitte genau zwei Spieler ankreuzen."))
        return players

    def forgive(self) -> None:
        """What is missing is not asked for yet."""
        self.full_clean()
        self.errors.clear()

    @property
    def ticked(self) -> list[str]:
        return [str(value) for value in self["player"].value() or []]


class SubstituteForm(RefusableForm):
    """Who takes the seat of a player who leaves: somebody who is here, or somebody new."""

    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(("name_empty", "name_too_long", "name_bad_characters"), "name"),
        **dict.fromkeys(("is_withdrawn", "is_excluded", "already_at_a_table", "unknown_participant"), "who"),
    }

    who = forms.TypedChoiceField(
        label=gettext_lazy("Wer kommt für ihn?"), coerce=int, empty_value=None, required=False
    )
    name = forms.CharField(label=gettext_lazy("Name, wenn er neu ist"), max_length=80, required=False)
    club = forms.CharField(label=gettext_lazy("Verein"), max_length=80, required=False)
    paid = forms.BooleanField(label=gettext_lazy("Startgebühr ist bezahlt"), required=False)
    reason = ReasonField()

    def __init__(self, *args: Any, candidates: Sequence[tuple[int, str]], fee: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        who = self.fields["who"]
        assert isinstance(who, forms.ChoiceField)
        known = [(number, f"{number} · {name}") for number, name in candidates]
        who.choices = [("", _("jemand, der noch nicht angemeldet ist")), *known]
        if not fee:
            del self.fields["paid"]

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("who") is None and not self.cleaned_data.get("name"):
            self.add_error("name", _("Bitte einen Namen eintragen, oder oben jemanden auswählen."))
        return self.cleaned_data

    @property
    def by_whom(self) -> int | Newcomer:
        who = self.cleaned_data["who"]
        return who if who is not None else Newcomer(self.cleaned_data["name"], self.cleaned_data["club"])


class ScribesForm(forms.Form):
    """Who writes at each table of a round: a seat, or nobody named."""

    def __init__(self, *args: Any, found: RoundRow, default: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tables = found.tables
        for table in found.tables:
            seats = [(seat.seat_number, f"{seat.seat_number} · {seat.name}") for seat in table.seats]
            named = table.scribe.seat_number if table.scribe and table.named_at else None
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
        """Table number -> seat number, of the tables whose choice is on the page."""
        return {
            table.number: self.cleaned_data[f"table_{table.number}"]
            for table in self.tables
            if f"table_{table.number}" in self.data
        }


class JoinForm(RefusableForm):
    """The table where somebody who comes late takes a seat."""

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
    """Somebody is not there; moves: what the organiser has seen of it, as "12:3 7:3" (player:table)."""

    moves = forms.RegexField(r"^(\d{1,9}:\d{1,4}( |$))*$", required=False)
    reason = ReasonField()

    @staticmethod
    def written(moves: Iterable[Moved]) -> str:
        return " ".join(f"{move.player}:{move.table}" for move in moves)

    def clean_moves(self) -> list[Moved]:
        pairs = (move.split(":") for move in self.cleaned_data["moves"].split())
        return [Moved(int(player), int(table)) for player, table in pairs]


class TakeBackForm(RefusableForm):
    """sequence: of the last change that the organiser has seen."""

    sequence = forms.IntegerField(min_value=1, max_value=1_000_000)
    reason = ReasonField()


class WishForm(RefusableForm):
    """Two players who are kept apart, or one who has a fixed table; players by start number or name."""

    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(("unknown_participant", "wish_two_tables"), "player"),
        "same_player": "other",
        "unknown_table": "table",
    }

    player = forms.CharField(label=gettext_lazy("Teiln.-Nr. oder Name"), max_length=80)
    other = forms.CharField(label=gettext_lazy("nicht zusammen mit"), max_length=80, required=False)
    table = forms.IntegerField(
        label=gettext_lazy("oder immer an Tisch"), min_value=1, max_value=500, required=False
    )
    reason = ReasonField()

    def clean(self) -> dict[str, Any]:
        if bool(self.cleaned_data.get("other")) == bool(self.cleaned_data.get("table")):
            self.add_error("other", _("Bitte entweder einen zweiten Spieler eintragen oder einen Tisch."))
        return self.cleaned_data


class CloseForm(OptionalReasonForm):
    field_of = {**RefusableForm.field_of, "sheets_not_accepted": "reason", "entries_parked": "reason"}


# --- a sheet -------------------------------------------------------------------------------------------------------


class PaperForm(RefusableForm):
    """A paper sheet in one line; see `scoring.core.paper`."""

    field_of = {
        **dict.fromkeys(("ranks_two_winners", "ranks_no_competition_ranking", "ranks_incomplete"), "line"),
        "paper_replaces": "replace",
    }

    line = forms.CharField(
        label=gettext_lazy("Ränge und Striche"),
        max_length=LONGEST_LINE,
        error_messages={"required": gettext_lazy("Bitte erst die Ränge, dann die Striche eintippen.")},
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Das Papierblatt ersetzt, was schon eingetragen ist"), required=False
    )

    def __init__(self, *args: Any, seats: Sequence[SeatRow], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.seats = [seat.seat_number for seat in seats]

    def clean_line(self) -> PaperSheet:
        try:
            return read_line(self.cleaned_data["line"], self.seats)
        except Refusal as refusal:
            raise forms.ValidationError(word(refusal)) from None

    def drafts(self) -> list[Draft]:
        """The facts that say the same on a sheet."""
        paper: PaperSheet = self.cleaned_data["line"]
        return paper.drafts()

    @property
    def hint(self) -> str:
        """What is wrong with the line as far as it is typed; "" as long as there is none."""
        errors = self.errors.get("line") if str(self["line"].value() or "").strip() else None
        return str(errors[0]) if errors else ""


class FactForm(RefusableForm):
    """The data of a fact as fields, and back."""

    kind: str
    rules: Any
    """The rules of the table's sheet; each form says of which kind it needs them."""

    def __init__(self, *args: Any, seats: Sequence[SeatRow], rules: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.seats, self.rules = seats, rules
        self.set_up()

    def set_up(self) -> None:
        """Fills in what depends on the table and its rules."""

    @classmethod
    def initial_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """What stands in the fields for an entry with this data."""
        return dict(data)

    def entry_data(self) -> dict[str, Any]:
        """The data of the entry that the fields say."""
        raise NotImplementedError

    def _seat_choices(self) -> list[tuple[int, str]]:
        return [(seat.seat_number, f"{seat.seat_number} · {seat.name}") for seat in self.seats]

    def _choices(self, name: str, choices: Sequence[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


class DealForm(FactForm):
    kind = "deal"
    rules: SurvivalRules
    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(
            ("no_losers", "already_drowned", "all_others_lose", "would_drown_everybody"), "losers"
        ),
        **dict.fromkeys(("finisher_needed", "finisher_on_knock", "finisher_cannot_lose"), "finisher"),
        "unknown_ending": "ended_by",
    }

    ended_by = forms.ChoiceField(label=gettext_lazy("Das Spiel endete durch"), widget=forms.RadioSelect)
    finisher = forms.TypedChoiceField(
        label=gettext_lazy("Den Strich bekommt"), coerce=int, empty_value=None, required=False
    )
    losers = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Ein Leben verloren hat"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Bitte mindestens einen Verlierer ankreuzen.")},
    )

    def set_up(self) -> None:
        self._choices("ended_by", [(ending, ENDINGS[ending]) for ending in self.rules.endings])
        self._choices("losers", self._seat_choices())
        self._choices("finisher", [("", _("niemand (geklopft)")), *self._seat_choices()])

    def entry_data(self) -> dict[str, Any]:
        clean = self.cleaned_data
        return {"losers": clean["losers"], "ended_by": clean["ended_by"], "finisher": clean["finisher"]}


class StrokeForm(FactForm):
    kind = "stroke"
    rules: SurvivalRules

    seat_number = forms.TypedChoiceField(label=gettext_lazy("Spieler"), coerce=int)
    mark = forms.ChoiceField(label=gettext_lazy("Strich für"), widget=forms.RadioSelect)

    def set_up(self) -> None:
        self._choices("seat_number", self._seat_choices())
        self._choices("mark", [(mark, MARKS[mark]) for mark in self.rules.marks])

    def entry_data(self) -> dict[str, Any]:
        return {"seat_number": self.cleaned_data["seat_number"], "mark": self.cleaned_data["mark"]}


class RankedForm(FactForm):
    """A rank for each seat."""

    kind = "ranked"

    def set_up(self) -> None:
        for seat in self.seats:
            self.fields[f"rank_{seat.seat_number}"] = forms.IntegerField(
                label=f"{seat.seat_number} · {seat.name}",
                min_value=1,
                max_value=len(self.seats),
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
                error_messages={"required": gettext_lazy("Bitte einen Rang eintragen.")},
            )

    @classmethod
    def initial_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {f"rank_{seat}": rank for seat, rank in data["ranks"].items()}

    @property
    def rank_fields(self) -> list[forms.BoundField]:
        return [self[f"rank_{seat.seat_number}"] for seat in self.seats]

    def entry_data(self) -> dict[str, Any]:
        seats = [seat.seat_number for seat in self.seats]
        return {"ranks": {str(seat): self.cleaned_data[f"rank_{seat}"] for seat in seats}}


class InitialsField(forms.CharField):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=gettext_lazy("Kürzel"),
            max_length=8,
            error_messages={"required": INITIALS_MISSING},
            **options,
        )


class MarkForm(RefusableForm):
    """The supervisor's mark on an entry. needs_initials: whether the rule sheet wants it signed (RULES 5.3, 5.5)."""

    initials = InitialsField(required=False)

    def __init__(self, *args: Any, needs_initials: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["initials"].required = needs_initials


class VoidForm(MarkForm):
    """What goes with taking back; initials are asked for only where they are needed."""

    reason = ReasonField()

    def __init__(self, *args: Any, needs_initials: bool, **kwargs: Any) -> None:
        super().__init__(*args, needs_initials=needs_initials, **kwargs)
        if not needs_initials:
            del self.fields["initials"]


class CorrectionForm(MarkForm):
    """What goes with a correction, whatever it corrects."""

    reason = ReasonField()
    accept = forms.BooleanField(label=gettext_lazy("danach gleich wieder annehmen"), required=False)


SURVIVAL_FORMS: Mapping[str, type[FactForm]] = {
    form.kind: form for form in (DealForm, StrokeForm, RankedForm)
}


# --- the standings -------------------------------------------------------------------------------------------------


KINDS_OF_DECISION = [
    (Decision.Kind.PLAYOFF.value, gettext_lazy("Stechen")),
    (Decision.Kind.LOT.value, gettext_lazy("Los")),
]


class DecisionForm(RefusableForm):
    """The order of players who are tied: a place for each of them."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Entschieden durch"),
        choices=KINDS_OF_DECISION,
        widget=forms.RadioSelect,
        initial=Decision.Kind.PLAYOFF.value,
    )
    reason = ReasonField(label=gettext_lazy("Begründung, zum Beispiel wie gestochen wurde"))

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        group: Sequence[LeaderboardRow],
        lot_by_program: bool = False,
    ) -> None:
        super().__init__(data, auto_id=f"tie-{group[0].rank}-%s")
        self.group = group
        if lot_by_program:
            self._choices_of_kind([Decision.Kind.PLAYOFF.value])
        ranks = [(group[0].rank + index, str(group[0].rank + index)) for index in range(len(group))]
        for row in group:
            self.fields[f"place_{row.start_number}"] = forms.TypedChoiceField(
                label=row.name,
                coerce=int,
                choices=[("", "–"), *ranks],
                error_messages={"required": gettext_lazy("Bitte einen Rang wählen.")},
            )

    def _choices_of_kind(self, kinds: Collection[str]) -> None:
        field = self.fields["kind"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [choice for choice in KINDS_OF_DECISION if choice[0] in kinds]

    @property
    def places(self) -> list[tuple[LeaderboardRow, forms.BoundField]]:
        return [(row, self[f"place_{row.start_number}"]) for row in self.group]

    def clean(self) -> dict[str, Any]:
        given = [self.cleaned_data.get(f"place_{row.start_number}") for row in self.group]
        if None not in given and len(set(given)) < len(given):
            raise forms.ValidationError(_("Bitte jeden Rang nur einmal vergeben."))
        return self.cleaned_data

    def order(self) -> list[int]:
        """Start numbers, best first."""
        numbers = [row.start_number for row in self.group]
        return sorted(numbers, key=lambda number: self.cleaned_data[f"place_{number}"])


# --- the screens of the hall ---------------------------------------------------------------------------------------


class SceneForm(RefusableForm):
    """What is sent to a screen; `scene` is the button that was pressed."""

    field_of = dict.fromkeys(_TEXT_CODES, "text")

    scene = forms.ChoiceField(choices=Screen.Scene.choices, widget=forms.HiddenInput)


class WelcomeForm(SceneForm):
    field_of = dict.fromkeys(_TEXT_CODES, "network")

    network = forms.CharField(label=gettext_lazy("WLAN für Gäste: Name"), max_length=32, required=False)
    password = forms.CharField(label=gettext_lazy("Passwort des WLAN"), max_length=63, required=False)


class AnnouncementForm(SceneForm):
    text = forms.CharField(
        label=gettext_lazy("Durchsage"),
        max_length=240,
        error_messages={"required": gettext_lazy("Bitte eintragen, was auf der Leinwand stehen soll.")},
    )


class PrizesForm(SceneForm):
    lowest_rank = forms.IntegerField(
        label=gettext_lazy("Preise bis Rang"),
        min_value=1,
        max_value=12,
        initial=3,
        error_messages={"required": gettext_lazy("Bitte eintragen, bis zu welchem Rang es Preise gibt.")},
    )
