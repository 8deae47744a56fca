"""The form of a tournament: name, day, place, and its own copy of the ruleset, field by field."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from tournaments.core.refusal import Refusal
from tournaments.forms.fields import (
    CleanField,
    DayField,
    EurosField,
    NameField,
    NumbersField,
    TextField,
    as_error,
)
from tournaments.models import Tournament
from tournaments.rulesets.reading import RulesetError
from tournaments.rulesets.schema import LARGEST_TABLE, MOST_ROUNDS, Ruleset
from tournaments.rulesets.sheets import SurvivalRules

_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
MOST_IN_A_SLUG = 60
# Addresses below /o/ that are pages of their own.
_NOT_A_SLUG = frozenset({"new"})


def slug_for(name: str, taken: set[str]) -> str:
    """An address made of a name: „Schnauz für alle“ is schnauz-fuer-alle; with a number if that is taken."""
    wanted = slug_base(name)
    candidates = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 3))
    return next(slug for slug in candidates if slug not in taken and slug not in _NOT_A_SLUG)


def slug_base(name: str) -> str:
    return slugify(name.casefold().translate(_SPELT))[: MOST_IN_A_SLUG - 8].strip("-_") or "turnier"


def _clean_slug(text: str) -> str:
    slug = text.strip()
    if slug and (
        slug != slugify(slug) or "_" in slug or len(slug) > MOST_IN_A_SLUG or slug.strip("-") != slug
    ):
        raise Refusal("slug_bad")
    if slug in _NOT_A_SLUG:
        raise Refusal("slug_taken", slug=slug)
    return slug


class TournamentForm(forms.Form):
    """`base` is the ruleset whose copy is changed; of an existing tournament the address stands.

    with rules_stand=True (something is drawn) the rules are shown, not changed.
    """

    RULES = (
        "title", "rounds", "entry_fee", "points", "tie_break", "sizes", "exceptions", "prefer", "stake",
        "returned_to_ranks", "lives", "all_others_lose", "confirmation", "pen_needs_supervisor",
    )  # fmt: skip
    NOT_IN_EVERY_RULESET = ("rounds", "points", "tie_break", "lives", "all_others_lose")

    name = NameField(
        label=_("Name des Turniers"), most=120, help_text=_("So heißt es auf allen Seiten und Ausdrucken.")
    )
    slug = CleanField(
        _clean_slug,
        label=_("Webadresse"),
        help_text=_(
            "Bleibt sie leer, wird sie aus dem Namen gemacht. Später lässt sie sich nicht mehr ändern."
        ),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false", "data-slug": ""}),
    )
    played_on = DayField(label=_("Tag"))
    place = TextField(label=_("Ort"), most=120)
    names = forms.ChoiceField(
        label=_("Namen im Netz"),
        choices=[
            (Tournament.Names.SHORT.value, _("kurz: Sepp H.")),
            (Tournament.Names.FULL.value, _("ganz: Sepp Huber")),
            (Tournament.Names.NUMBER.value, _("nur die Nummer: Nr. 17")),
        ],
        initial=Tournament.Names.SHORT.value,
        widget=forms.RadioSelect,
        help_text=_("Veranstalter, Tischlisten und Aushang zeigen immer den ganzen Namen."),
    )

    title = NameField(label=_("Name der Regeln"), most=120)
    rounds = forms.IntegerField(label=_("Spielrunden"), min_value=1, max_value=MOST_ROUNDS)
    entry_fee = EurosField(label=_("Startgebühr in Euro"), help_text=_("Einmal je Spieler. 0 heißt: frei."))
    points = NumbersField(
        label=_("Punkte je Spielrunde"),
        help_text=_("Für Platz 1, 2, 3 … am Tisch. Die letzte Zahl gilt für alle weiteren Plätze."),
    )
    tie_break = forms.BooleanField(
        label=_("Bei gleichen Punkten entscheiden die Striche"),
        required=False,
        help_text=_("Striche gibt es für Schnauz und Feuer. Sonst wird der Platz geteilt."),
    )
    sizes = NumbersField(
        label=_("Spieler am Tisch"), help_text=_("Übliche Tischgrößen, die kleinste zuerst.")
    )
    exceptions = NumbersField(
        label=_("Ausnahmen"),
        help_text=_(
            "Tischgrößen für Spielerzahlen, die sonst nicht aufgehen; nur mit Ihrem Ja. Leer: keine."
        ),
    )
    prefer = forms.ChoiceField(
        label=_("Wenn beides geht"),
        choices=[("smaller", _("mehr kleine Tische")), ("larger", _("mehr große Tische"))],
        widget=forms.RadioSelect,
    )
    stake = EurosField(
        label=_("Einsatz in Euro"),
        empty=True,
        help_text=_("Je Spieler und Spielrunde in den Pott des Tisches. Leer: kein Einsatz."),
    )
    returned_to_ranks = NumbersField(
        label=_("Einsatz zurück für Platz"),
        help_text=_("Den übrigen Pott bekommt der Sieger des Tisches. Leer: den ganzen."),
    )
    lives = forms.IntegerField(
        label=_("Leben"),
        min_value=0,
        max_value=20,
        help_text=_("So viele Münzen hat jeder; danach schwimmt er, und beim nächsten Mal geht er unter."),
    )
    all_others_lose = forms.MultipleChoiceField(
        label=_("Alle anderen verlieren bei"),
        choices=[("schnauz", "Schnauz"), ("feuer", "Feuer"), ("handschnauz", "Handschnauz")],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Sonst verliert nur, wer am wenigsten hat."),
    )
    confirmation = forms.ChoiceField(
        label=_("Bestätigen die Spieler die Tischliste auf dem Handy?"),
        choices=[
            ("required", _("ja, alle am Tisch")),
            ("optional", _("wer mag")),
            ("paper", _("nein, sie unterschreiben auf Papier")),
        ],
        widget=forms.RadioSelect,
    )
    pen_needs_supervisor = forms.BooleanField(
        label=_("Ein anderes Handy darf nur mit Zustimmung der Spielleitung weiterschreiben"), required=False
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        base: Ruleset,
        tournament: Tournament | None = None,
        today: date | None = None,
        rules_stand: bool = False,
    ) -> None:
        own = {"played_on": today}
        if tournament is not None:
            own = {name: getattr(tournament, name) for name in ("name", "played_on", "place", "names")}
        super().__init__(data, initial=_initial(base) | own)
        self.base = base
        for name in self.NOT_IN_EVERY_RULESET:
            if name not in self.initial:
                del self.fields[name]
        if tournament is not None:
            del self.fields["slug"]
        if rules_stand:
            for name in self.RULES:
                if name in self.fields:
                    self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        if not self.errors:
            try:
                self.cleaned_data["ruleset"] = Ruleset.from_dict(_changed(self.base, self.cleaned_data))
            except RulesetError as error:
                self._say(error)
        return self.cleaned_data

    def _say(self, error: RulesetError) -> None:
        path = error.path.partition("[")[0]
        field, sentence = _RULE_ERRORS.get(path, (None, None))
        if sentence is None:
            self.add_error(None, as_error(Refusal("ruleset_bad", path=error.path)))
        else:
            sentence = sentence % {"largest": LARGEST_TABLE}
            self.add_error(field, forms.ValidationError(sentence, code="ruleset_bad"))

    def bound(self, *names: str) -> Iterator[forms.BoundField]:
        return (self[name] for name in names)


_SIZES_BAD = _("Bitte verschiedene Größen von 2 bis %(largest)s, die kleinste zuerst, zum Beispiel 5, 6.")
_EXCEPTIONS_BAD = _("Bitte Größen von 2 bis %(largest)s, die nicht schon üblich sind, zum Beispiel 4, 7.")

# Path in the ruleset -> field of the form, and what to do.
_RULE_ERRORS: Mapping[str, tuple[str, Any]] = {
    "points": ("points", _("Bitte Zahlen von −1000 bis 1000, für den besseren Platz nie weniger, zum Beispiel 6, 4, 3, 2, 1, 1.")),
    "tables.sizes": ("sizes", _SIZES_BAD),
    "tables.exceptions": ("exceptions", _EXCEPTIONS_BAD),
    "stakes.stake_cents": ("stake", _("Bitte einen Betrag ab 0,01, oder leer lassen: dann gibt es keinen Einsatz.")),
    "stakes.returned_to_ranks": ("returned_to_ranks", _("Bitte Plätze ab 2, zum Beispiel 2. Den Rest bekommt der Sieger.")),
}  # fmt: skip


def _initial(rules: Ruleset) -> dict[str, Any]:
    initial = {
        "title": rules.title,
        "entry_fee": rules.entry_fee_cents,
        "sizes": rules.tables.sizes,
        "exceptions": rules.tables.exceptions,
        "prefer": rules.tables.prefer,
        "stake": rules.stakes.stake_cents if rules.stakes else None,
        "returned_to_ranks": rules.stakes.returned_to_ranks if rules.stakes else (),
        "confirmation": rules.confirmation,
        "pen_needs_supervisor": rules.pen_needs_supervisor,
    }
    if rules.rounds is not None:
        initial["rounds"] = rules.rounds
    if rules.points:
        initial["points"] = rules.points
        initial["tie_break"] = "strokes" in rules.tie_break
    if isinstance(rules.sheet, SurvivalRules):
        initial["lives"] = rules.sheet.lives
        initial["all_others_lose"] = list(rules.sheet.all_others_lose)
    return initial


def _changed(base: Ruleset, data: Mapping[str, Any]) -> dict[str, Any]:
    """The document of `base` with what was typed in its place."""
    document = base.to_dict()
    straight = ("rounds", "points", "confirmation", "pen_needs_supervisor")
    document |= {name: data[name] for name in straight if name in data}
    if (
        data["title"] != base.title
    ):  # the other language follows: nobody else knows what the copy is called there
        document |= {"title": data["title"], "title_en": data["title"]}
    document["entry_fee_cents"] = data["entry_fee"]
    if "tie_break" in data:
        document["tie_break"] = ["strokes"] if data["tie_break"] else []
    document["tables"] = {name: data[name] for name in ("sizes", "exceptions", "prefer")}
    document["stakes"] = None
    if data["stake"] is not None:
        document["stakes"] = {"stake_cents": data["stake"], "returned_to_ranks": data["returned_to_ranks"]}
    if "lives" in data:
        endings = document["sheet"]["endings"]
        document["sheet"]["lives"] = data["lives"]
        document["sheet"]["all_others_lose"] = [e for e in endings if e in data["all_others_lose"]]
    return document
