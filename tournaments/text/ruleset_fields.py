"""Labels and help texts of the fields of a ruleset, for the organiser who changes it.

They are keyed by the field's path in the document ("tables.sizes"). The form in `organiser.ruleset_form` is
made from them and from the schema. `bad` says what to do about an invalid value, if the general sentence of
`text.refusals` does not fit a form.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from django.utils.functional import Promise
from django.utils.translation import get_language_info, gettext
from django.utils.translation import gettext_lazy as _

from tournaments.rulesets.languages import SOURCE, field_of
from tournaments.rulesets.reading import Between, OneOf
from tournaments.rulesets.schema import Ruleset


@dataclass(frozen=True, slots=True)
class FieldWords:
    """Texts of a field.

    choices: for each value that can be chosen, most usual first. bad: how to mend a value that the form refuses, where the
    general sentence does not fit. also: what a value must be beyond its declaration in the schema (see `expected_value`).
    """

    label: Promise | str
    help: Promise | str
    choices: Mapping[str, Promise] = field(default_factory=dict)
    bad: Promise | None = None
    also: Promise | None = None


_LEVELS: Mapping[str, Promise] = {
    "normal": _("einfach"),
    "schneider": _("Schneider"),
    "durch": _("Durch (schwarz)"),
    "tout": _("Tout"),
}
_ENDINGS: Mapping[str, Promise] = {
    "knock": _("Klopfen"),
    "schnauz": _("Schnauz"),
    "feuer": _("Feuer"),
    "handschnauz": _("Handschnauz"),
    "table_schnauz": _("Tischschnauz"),
    "table_feuer": _("Tischfeuer"),
}
_SOLOS: Mapping[str, Promise] = {"solo": _("Solo"), "wenz": _("Wenz"), "farbwenz": _("Farbwenz")}
_NORMAL = FieldWords(_LEVELS["normal"], _("Wenn sonst nichts dazukommt."))
_SCHNEIDER = FieldWords(_LEVELS["schneider"], _("Die Verlierer kommen nicht über 30 Augen."))
_DURCH = FieldWords(_LEVELS["durch"], _("Die Verlierer machen keinen Stich."))

FIELDS: Mapping[str, FieldWords] = {
    # The name of the rules
    "title": FieldWords(
        _("Name der Regeln"), _("So heißen sie auf der Seite, auf der die Spieler sie nachlesen.")
    ),
    "name": FieldWords(
        _("Kennung"),
        _("So heißen die Regeln in der Turnierdatei: Kleinbuchstaben, Ziffern und Bindestriche."),
        bad=_("Bitte nur Buchstaben a bis z, Ziffern und Bindestriche, höchstens 60."),
        also=_("nur Buchstaben a bis z, Ziffern und Bindestriche"),
    ),
    # The evening
    "entry_fee_cents": FieldWords(_("Startgebühr in Euro"), _("Einmal je Spieler. 0 heißt: frei.")),
    "rounds": FieldWords(
        _("Spielrunden"),
        _("So viele hat der Abend. Leer, wo Spieler ausscheiden: Dann folgt die Zahl aus der Spielerzahl."),
        bad=_("Bitte eine Zahl von 1 bis 20. Wo Spieler ausscheiden, bleibt das Feld leer."),
        also=_("null, wo Spieler ausscheiden"),
    ),
    "drawn_ahead": FieldWords(
        _("Alle Spielrunden vor der ersten auslosen"),
        _("Dann kommt später niemand mehr dazu; nur ein Ersatz kann den Platz eines anderen nehmen."),
        bad=_(
            "Wo Spieler ausscheiden, geht das nicht: Wer weiterkommt, weiß vorher niemand. Bitte abwählen."
        ),
        also=_("false, wo Spieler ausscheiden"),
    ),
    "starts_at_sign": FieldWords(
        _("Jede Spielrunde beginnt auf ein Zeichen der Spielleitung"),
        _("Bis dahin steht auf den Handys an den Tischen, dass es noch nicht losgeht."),
    ),
    # Tables
    "tables.sizes": FieldWords(
        _("Spieler am Tisch"),
        _("Übliche Tischgrößen, die kleinste zuerst. Beim Schafkopf immer 4."),
        bad=_("Bitte verschiedene Größen von 2 bis 12, die kleinste zuerst, zum Beispiel 5, 6."),
        also=_("jede nur einmal, die kleinste zuerst"),
    ),
    "tables.exceptions": FieldWords(
        _("Ausnahmen"),
        _("Tischgrößen für Spielerzahlen, die sonst nicht aufgehen; nur mit Ihrem Ja. Leer: keine."),
        bad=_("Bitte Größen von 2 bis 12, die nicht schon üblich sind, zum Beispiel 4, 7."),
        also=_("jede nur einmal, und keine übliche Größe"),
    ),
    "tables.prefer": FieldWords(
        _("Wenn beides geht"),
        _("Bei 30 Spielern zum Beispiel sechs Fünfertische oder fünf Sechsertische."),
        {"smaller": _("mehr kleine Tische"), "larger": _("mehr große Tische")},
    ),
    # Who goes on
    "qualifying": FieldWords(
        _("Spieler scheiden aus"),
        _("Nach jeder Spielrunde spielen nur die Besten jedes Tisches weiter, bis das Finale entscheidet."),
    ),
    "qualifying.go_on": FieldWords(
        _("Von jedem Tisch kommen weiter"),
        _("Wer mit dem Letzten von ihnen den Rang teilt, kommt auch weiter."),
        bad=_("Bitte mindestens 1, und weniger, als am kleinsten Tisch sitzen."),
        also=_("weniger, als am kleinsten Tisch sitzen"),
    ),
    "qualifying.final": FieldWords(
        _("Das Finale spielen höchstens"),
        _("Sind noch so viele übrig oder weniger, sitzen alle an einem Tisch."),
        bad=_("Bitte mindestens so viele, wie am größten Tisch sitzen, und höchstens 12."),
        also=_("mindestens so viele, wie am größten Tisch sitzen"),
    ),
    # Points and ties
    "points": FieldWords(
        _("Punkte je Spielrunde"),
        _(
            "Für Rang 1, 2, 3 … am Tisch. Die letzte Zahl gilt für alle weiteren. Leer, wo Spieler ausscheiden."
        ),
        bad=_(
            "Bitte Zahlen von −1000 bis 1000, für den besseren Rang nie weniger, zum Beispiel 6, 4, 3, 2, 1, 1. "
            "Wo Spieler ausscheiden, bleibt das Feld leer."
        ),
        also=_("für den besseren Rang nie weniger"),
    ),
    "tie_break": FieldWords(
        _("Bei Gleichstand entscheiden"),
        _("Der Reihe nach. Wer auch dann gleich ist, teilt sich den Rang."),
        bad=_("Bitte jedes nur einmal wählen; den Rang am letzten Tisch nur, wo Spieler ausscheiden."),
        also=_("jedes nur einmal, und nur, was diese Tischliste zählt"),
    ),
    "lot_by_program": FieldWords(
        _("Das Los zieht das Programm"),
        _(
            "Sind Spieler in allem gleich, lost es auf Ihren Wunsch und hebt den Startwert auf. Sonst tragen Sie ein, "
            "wie Stechen oder Los ausgegangen sind."
        ),
    ),
    # Stakes
    "stakes": FieldWords(
        _("Am Tisch wird um einen Einsatz gespielt"),
        _("Jeder legt ihn in jeder Spielrunde in den Pott seines Tisches."),
    ),
    "stakes.stake_cents": FieldWords(
        _("Einsatz in Euro"),
        _("Je Spieler und Spielrunde."),
        bad=_("Bitte einen Betrag ab 0,01. Ohne Einsatz bitte das Häkchen darüber wegnehmen."),
    ),
    "stakes.returned_to_ranks": FieldWords(
        _("Einsatz zurück für Rang"),
        _("Den übrigen Pott bekommt der Sieger des Tisches. Leer: den ganzen."),
        bad=_("Bitte Ränge von 2 bis 12, zum Beispiel 2. Den Rest bekommt der Sieger."),
    ),
    # Writing and confirming
    "scribe": FieldWords(
        _("Es schreibt"),
        _("So steht es auf der Tischliste und in den Regeln für die Spieler."),
        {"seat_1": _("wer auf Platz-Nr. 1 sitzt"), "organiser": _("wen die Spielleitung bestimmt")},
    ),
    "volunteer_scribe": FieldWords(
        _("Ein Freiwilliger darf schreiben"), _("Wenn der ganze Tisch einverstanden ist.")
    ),
    "towns_on_sheet": FieldWords(
        _("Auf der Tischliste steht auch der Ort der Spieler"),
        _("So lassen sich gleiche Namen auseinanderhalten."),
    ),
    "pen_needs_supervisor": FieldWords(
        _("Ein anderes Handy darf nur mit Zustimmung der Spielleitung weiterschreiben"),
        _("Sonst kann jedes Handy, das den Code des Tisches gescannt hat, das Schreiben übernehmen."),
    ),
    "scribe_takes_back": FieldWords(
        _("Zurücknehmen darf der Schriftführer"),
        _("Solange die Tischliste offen ist. Der Veranstalter kann jeden Eintrag berichtigen."),
        {
            "any": _("jeden Eintrag"),
            "latest_deal": _("nur das letzte Spiel"),
            "none": _("nichts: Das macht die Aufsicht"),
        },
    ),
    "objections_end": FieldWords(
        _("Ein Einspruch gilt"),
        _("So lange lässt sich die Tischliste nicht abgeben."),
        {"voided": _("bis er geklärt ist"), "next_deal": _("bis das nächste Spiel geschrieben ist")},
    ),
    "confirmation": FieldWords(
        _("Bestätigen die Spieler die Tischliste auf dem Handy?"),
        _("Jeder tippt dafür am Ende seinen Namen an."),
        {
            "required": _("ja, alle am Tisch"),
            "optional": _("wer mag"),
            "paper": _("nein, sie unterschreiben auf Papier"),
        },
    ),
    # Manners
    "manners": FieldWords(
        _("Am Tisch gilt außerdem"),
        _("Was die Spieler nachlesen können, und worauf das Programm nicht achtet. Eine Zeile je Regel."),
        bad=_("Bitte höchstens 40 Zeilen mit höchstens 300 Zeichen."),
        also=_("höchstens 40 Zeilen"),
    ),
    # Hands
    "hands": FieldWords(
        _("Gespielt wird mit drei Karten auf der Hand"),
        _(
            "Das hier steht in den Regeln für die Spieler, und das Programm rechnet ihnen vor, was eine Hand zählt."
        ),
        bad=_("Wo jedes Spiel die Punkte der Hand bringt, muss hier stehen, was sie zählt. Bitte ankreuzen."),
    ),
    "hands.lowest_card": FieldWords(
        _("Niedrigste Karte"),
        _("Von ihr bis zum Ass, in vier Farben."),
        {"6": _("6 (36 Karten)"), "7": _("7 (32 Karten)"), "9": _("9 (24 Karten)")},
    ),
    "hands.card_names": FieldWords(
        _("So heißen die Bilder"),
        _("In den Regeln für die Spieler."),
        {"german": _("Unter, Ober, König"), "french": _("Bube, Dame, König")},
    ),
    "hands.schnauz": FieldWords(
        _("Ein Schnauz ist"),
        _("Jede 31 heißt: Ass und zwei Bilder oder Zehner derselben Farbe."),
        {"any_31": _("jede 31 in einer Farbe"), "ace_king_ten": _("nur Ass, König und Zehn einer Farbe")},
    ),
    "hands.schnauz_points": FieldWords(_("Der Schnauz zählt"), _("Meist 31.")),
    "hands.feuer": FieldWords(
        _("Feuer, also drei Asse"),
        _("Gibt es keines, sind drei Asse drei Gleiche wie andere auch."),
        {
            "above_schnauz": _("schlägt den Schnauz"),
            "equal_to_schnauz": _("gilt so viel wie ein Schnauz"),
            "below_schnauz": _("liegt unter dem Schnauz"),
            "none": _("gibt es nicht"),
        },
    ),
    "hands.feuer_points": FieldWords(
        _("Das Feuer zählt"),
        _("Leer, wo die Regeln nur sagen, was es schlägt."),
        bad=_(
            "Bitte eine Zahl bis 99, die zum Schnauz passt: mehr, gleich viel oder weniger, wie darüber gewählt. Wo "
            "jedes Spiel die Punkte der Hand bringt, muss es eine andere sein als beim Schnauz, sonst darf sie fehlen."
        ),
        also=_("zum Schnauz passend, und so viele wie auf der Tischliste"),
    ),
    "hands.three_of_a_kind_name": FieldWords(
        _("Drei Gleiche heißen"),
        _("Zum Beispiel Spitz, Halbes oder Halbschnauz. Leer: drei Gleiche."),
        bad=_("Bitte höchstens 30 Zeichen, oder leer lassen."),
    ),
    "hands.three_of_a_kind_half_points": FieldWords(
        _("Drei Gleiche zählen"),
        _("Auch halbe Punkte, zum Beispiel 30,5. Leer, wo die Regeln nur sagen, was sie schlagen."),
        bad=_(
            "Bitte mehr als jede Summe in einer Farbe und weniger als Schnauz und Feuer, zum Beispiel 30,5. Wo jedes "
            "Spiel die Punkte der Hand bringt, eine ganze Zahl; sonst darf sie fehlen."
        ),
        also=_("mehr als jede Summe, weniger als Schnauz und Feuer, und so viel wie auf der Tischliste"),
    ),
    "hands.threes": FieldWords(
        _("Drei Gleiche untereinander"),
        _("Nach den Karten heißt: drei Könige schlagen drei Ober oder Damen, und so weiter."),
        {"ranked": _("nach den Karten"), "equal": _("alle gleich")},
    ),
    # The sheet
    "sheet": FieldWords(_("Die Tischliste"), _("Was am Tisch geschrieben wird.")),
    "sheet.kind": FieldWords(
        _("Art der Tischliste"),
        _("Sie folgt aus dem Regelblatt. Für eine andere bitte oben ein anderes nehmen."),
        {
            "survival": _("Leben, bis einer übrig ist"),
            "hand_points": _("Punkte der Hand in jedem Spiel"),
            "plus_minus": _("Plus und Minus in jedem Spiel"),
        },
    ),
    "sheet.lives": FieldWords(
        _("Leben"), _("So viele Münzen hat jeder; danach schwimmt er, und beim nächsten Mal geht er unter.")
    ),
    "sheet.endings": FieldWords(
        _("Ein Spiel kann enden durch"),
        _("Diese Möglichkeiten zeigt das Handy am Tisch. Klopfen gehört immer dazu."),
        _ENDINGS,
        bad=_("Klopfen gehört immer dazu. Bitte ankreuzen."),
        also=_("„knock“ gehört immer dazu"),
    ),
    "sheet.all_others_lose": FieldWords(
        _("Alle anderen verlieren bei"),
        _("Sonst verliert nur, wer am wenigsten hat."),
        {ending: word for ending, word in _ENDINGS.items() if ending != "knock"},
        bad=_("Bitte nur ankreuzen, was oben als Spielende angekreuzt ist."),
        also=_("nur Enden dieser Tischliste außer „knock“"),
    ),
    "sheet.three_of_a_kind_spared": FieldWords(
        _("Drei Gleiche zahlen nicht bei"),
        _("Wer drei Gleiche hat, gibt dann kein Leben ab, auch wenn alle anderen eines verlieren."),
        _ENDINGS,
        bad=_("Bitte nur ankreuzen, was oben als Spielende angekreuzt ist."),
        also=_("nur Enden dieser Tischliste"),
    ),
    "sheet.marks": FieldWords(
        _("Einen Strich gibt es für"),
        _("Wer so ein Spiel beendet, bekommt ihn auf der Strichliste."),
        {"schnauz": _("Schnauz"), "feuer": _("Feuer")},
    ),
    "sheet.deals": FieldWords(
        _("Spiele je Spielrunde"), _("Erst mit so vielen Spielen lässt sich die Tischliste abgeben.")
    ),
    "sheet.early_acceptance": FieldWords(
        _("Die Aufsicht darf eine Tischliste mit weniger Spielen annehmen"), _("Immer mit einer Begründung.")
    ),
    "sheet.solos": FieldWords(
        _("Spiele gegen drei"), _("Diese Möglichkeiten zeigt das Handy am Tisch neben dem Rufspiel."), _SOLOS
    ),
    "sheet.tie_solo_games": FieldWords(
        _("Bei Gleichstand zählen als Solo und Tout"),
        _("Ein Tout dieser Spiele zählt in beidem. Die anderen bringen nur ihre Punkte."),
        _SOLOS,
        bad=_("Bitte mindestens ein Spiel ankreuzen."),
        also=_("mindestens eines, jedes nur einmal"),
    ),
    "sheet.not_in_first_deal": FieldWords(
        _("Im ersten Spiel nicht erlaubt"), _("Bei Spielen gegen drei, in jeder Spielrunde."), _LEVELS
    ),
    "sheet.needs_approval": FieldWords(
        _("Die Aufsicht zeichnet ab"),
        _("Bei Spielen gegen drei. Bis dahin wartet das Spiel auf der Tischliste und zählt nicht."),
        _LEVELS,
        bad=_("Wo ein Tout keine Punkte hat, gibt es ihn nicht. Bitte abwählen, oder die Punkte eintragen."),
        also=_("„tout“ nur, wo ein Tout Punkte hat"),
    ),
    "sheet.ruf": FieldWords(
        _("Punkte im Rufspiel"),
        _("Plus für jeden der beiden Gewinner, ebenso viel Minus für jeden der beiden Verlierer."),
    ),
    "sheet.ruf.normal": _NORMAL,
    "sheet.ruf.schneider": _SCHNEIDER,
    "sheet.ruf.durch": _DURCH,
    "sheet.ruf.tout": FieldWords(_LEVELS["tout"], _("Im Rufspiel gibt es keinen."), also=_("immer null")),
    "sheet.solo": FieldWords(
        _("Punkte in Spielen gegen drei"),
        _("So viel für jeden der drei; wer allein spielt, gewinnt oder verliert das Dreifache."),
    ),
    "sheet.solo.normal": _NORMAL,
    "sheet.solo.schneider": _SCHNEIDER,
    "sheet.solo.durch": _DURCH,
    "sheet.solo.tout": FieldWords(
        _LEVELS["tout"],
        _("Vorher angesagt, und alle Stiche gemacht. Leer: Den gibt es nicht."),
        bad=_("Bitte eine Zahl von 1 bis 1000, oder leer lassen."),
    ),
    "tables": FieldWords(_("Tische"), _("Wie viele an einem Tisch sitzen.")),
}

_TRANSLATIONS: Mapping[str, tuple[Promise, Promise]] = {
    "title": (
        _("Name auf %(language)s"),
        _("Für alle, die auf %(language)s umgestellt haben. Leer: wie auf Deutsch."),
    ),
    "manners": (_("Dasselbe auf %(language)s"), _("Eine Zeile je Regel. Leer: wie auf Deutsch.")),
}
"""Label and help text of a text by language, in another language than German."""


def words_of(path: str) -> FieldWords:
    """Return the texts of the field at a path. Raises KeyError if a ruleset has no such field."""
    name, language = field_of(path)
    if language in ("", SOURCE):
        return FIELDS[path]
    in_language = {"language": get_language_info(language)["name_translated"]}
    label, help_text = (str(words) % in_language for words in _TRANSLATIONS[name])
    return replace(FIELDS[name], label=label, help=help_text)


def expected_value(path: str) -> str:
    """Return the value that a document must hold at a path, by its declaration in the schema."""
    hints, also = _declared(path), words_of(path).also
    value = _in_words(_choices(hints))
    if any(NoneType in get_args(hint) for hint in hints):
        value = gettext("%(value)s, oder null") % {"value": value}
    return f"{value}; {also}" if also else value


def bounds_of(path: str) -> Between | None:
    """Return the bounds of the number at a path, None for any other field."""
    hint = _choices(_declared(path))[0]
    bounds = get_args(hint)[1] if get_origin(hint) is Annotated else None
    return bounds if isinstance(bounds, Between) else None


def _declared(path: str) -> list[Any]:
    """Return the declared types of a field: one for each kind of sheet that has it."""
    hints: list[Any] = [Ruleset]
    for key in field_of(path)[0].split("."):
        tables = [get_type_hints(hint, include_extras=True) for hint in _choices(hints) if is_dataclass(hint)]
        hints = [table[key] for table in tables if key in table]
    return [get_args(hint)[1] if get_origin(hint) is Mapping else hint for hint in hints]


def _choices(hints: Sequence[Any]) -> list[Any]:
    """Return the types without unions and None."""
    unions = [get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,) for hint in hints]
    return [choice for union in unions for choice in union if choice is not NoneType]


def _in_words(hints: Sequence[Any]) -> str:
    hint, origin = hints[0], get_origin(hints[0])
    if origin is tuple:
        return gettext("eine Liste, darin je %(item)s") % {
            "item": _in_words([get_args(one)[0] for one in hints])
        }
    if origin is Literal:
        values = dict.fromkeys(value for one in hints for value in get_args(one))
        return _one_of(values)
    if origin is not Annotated:
        return str(_KINDS.get(hint, _("Felder in geschweiften Klammern")))
    bounds = get_args(hint)[1]
    if isinstance(bounds, OneOf):
        return _one_of(bounds.choices)
    if isinstance(bounds, Between):
        numbers = {"least": bounds.least, "most": bounds.most}
        return gettext("eine ganze Zahl von %(least)s bis %(most)s") % numbers
    return gettext("ein Text mit höchstens %(most)s Zeichen") % {"most": bounds.most}


def _one_of(values: Iterable[str]) -> str:
    return gettext("eines davon: %(choices)s") % {"choices": ", ".join(f"„{value}“" for value in values)}


_KINDS: Mapping[type, Promise] = {bool: _("true oder false"), str: _("ein Text")}
