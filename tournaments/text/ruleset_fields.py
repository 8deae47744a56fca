"""Labels and help texts of the fields of a ruleset, for the organiser who changes it.

They are keyed by the field's path in the document ("tables.sizes"). The form in `organiser.ruleset_form` is
made from them and from the schema. `bad` says what to do about an invalid value, if the general sentence of
`text.refusals` does not fit a form.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.text.tie_breaks import TIE_BREAKS


@dataclass(frozen=True, slots=True)
class FieldWords:
    """Texts of a field.

    choices: for each value that can be chosen, most usual first. bad: how to mend a value that the form refuses, where the
    general sentence does not fit. expected: the value that a document must hold.
    """

    label: Promise
    help: Promise
    choices: Mapping[str, Promise] = field(default_factory=dict)
    bad: Promise | None = None
    expected: Promise = field(kw_only=True)


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
_LEVEL_EXPECTED = _("die Punkte dieser Stufe, 1 bis 1000.")
_LEVEL_BAD = _("Bitte eine Zahl von 1 bis 1000.")
_NORMAL = FieldWords(
    _LEVELS["normal"], _("Wenn sonst nichts dazukommt."), bad=_LEVEL_BAD, expected=_LEVEL_EXPECTED
)
_SCHNEIDER = FieldWords(
    _LEVELS["schneider"],
    _("Die Verlierer kommen nicht über 30 Augen."),
    bad=_LEVEL_BAD,
    expected=_LEVEL_EXPECTED,
)
_DURCH = FieldWords(
    _LEVELS["durch"], _("Die Verlierer machen keinen Stich."), bad=_LEVEL_BAD, expected=_LEVEL_EXPECTED
)

FIELDS: Mapping[str, FieldWords] = {
    # The name of the rules
    "title": FieldWords(
        _("Name der Regeln"),
        _("So heißen sie auf der Seite, auf der die Spieler sie nachlesen."),
        expected=_("eine Überschrift mit höchstens 120 Zeichen."),
    ),
    "title_en": FieldWords(
        _("Name auf Englisch"),
        _("Für alle, die auf Englisch umgestellt haben. Leer: wie auf Deutsch."),
        expected=_("eine englische Überschrift mit höchstens 120 Zeichen."),
    ),
    "name": FieldWords(
        _("Kennung"),
        _("So heißen die Regeln in der Turnierdatei: Kleinbuchstaben, Ziffern und Bindestriche."),
        bad=_("Bitte nur Buchstaben a bis z, Ziffern und Bindestriche, höchstens 60."),
        expected=_("ein Name aus Kleinbuchstaben a bis z, Ziffern und Bindestrichen."),
    ),
    # The evening
    "entry_fee_cents": FieldWords(
        _("Startgebühr in Euro"),
        _("Einmal je Spieler. 0 heißt: frei."),
        expected=_("die Startgebühr in Cent, 0 bis 1000000."),
    ),
    "rounds": FieldWords(
        _("Spielrunden"),
        _("So viele hat der Abend. Leer, wo Spieler ausscheiden: Dann folgt die Zahl aus der Spielerzahl."),
        bad=_("Bitte eine Zahl von 1 bis 20. Wo Spieler ausscheiden, bleibt das Feld leer."),
        expected=_("die Zahl der Spielrunden, 1 bis 20; keine, wo Spieler ausscheiden."),
    ),
    "drawn_ahead": FieldWords(
        _("Alle Spielrunden vor der ersten auslosen"),
        _("Dann kommt später niemand mehr dazu; nur ein Ersatz kann den Platz eines anderen nehmen."),
        bad=_(
            "Wo Spieler ausscheiden, geht das nicht: Wer weiterkommt, weiß vorher niemand. Bitte abwählen."
        ),
        expected=_("ja oder nein; nein, wo Spieler ausscheiden."),
    ),
    "starts_at_sign": FieldWords(
        _("Jede Spielrunde beginnt auf ein Zeichen der Spielleitung"),
        _("Bis dahin steht auf den Handys an den Tischen, dass es noch nicht losgeht."),
        expected=_("ja oder nein."),
    ),
    # Tables
    "tables.sizes": FieldWords(
        _("Spieler am Tisch"),
        _("Übliche Tischgrößen, die kleinste zuerst. Beim Schafkopf immer 4."),
        bad=_("Bitte verschiedene Größen von 2 bis 12, die kleinste zuerst, zum Beispiel 5, 6."),
        expected=_("verschiedene Tischgrößen von 2 bis 12, die kleinste zuerst."),
    ),
    "tables.exceptions": FieldWords(
        _("Ausnahmen"),
        _("Tischgrößen für Spielerzahlen, die sonst nicht aufgehen; nur mit Ihrem Ja. Leer: keine."),
        bad=_("Bitte Größen von 2 bis 12, die nicht schon üblich sind, zum Beispiel 4, 7."),
        expected=_("weitere Tischgrößen von 2 bis 12, keine zweimal."),
    ),
    "tables.prefer": FieldWords(
        _("Wenn beides geht"),
        _("Bei 30 Spielern zum Beispiel sechs Fünfertische oder fünf Sechsertische."),
        {"smaller": _("mehr kleine Tische"), "larger": _("mehr große Tische")},
        expected=_("„smaller“ für mehr kleine oder „larger“ für mehr große Tische."),
    ),
    # Who goes on
    "qualifying": FieldWords(
        _("Spieler scheiden aus"),
        _("Nach jeder Spielrunde spielen nur die Besten jedes Tisches weiter, bis das Finale entscheidet."),
        expected=_("wer weiterkommt, wo Spieler ausscheiden."),
    ),
    "qualifying.go_on": FieldWords(
        _("Von jedem Tisch kommen weiter"),
        _("Wer mit dem Letzten von ihnen den Rang teilt, kommt auch weiter."),
        bad=_("Bitte mindestens 1, und weniger, als am kleinsten Tisch sitzen."),
        expected=_("wie viele von jedem Tisch weiterkommen, mindestens 1, aber nie alle."),
    ),
    "qualifying.final": FieldWords(
        _("Das Finale spielen höchstens"),
        _("Sind noch so viele übrig oder weniger, sitzen alle an einem Tisch."),
        bad=_("Bitte mindestens so viele, wie am größten Tisch sitzen, und höchstens 12."),
        expected=_(
            "wie viele Spieler höchstens das Finale spielen: so viele, wie an den größten Tisch gehen, bis 12."
        ),
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
        expected=_("die Punkte je Rang, von -1000 bis 1000, für den besseren Rang nie weniger."),
    ),
    "tie_break": FieldWords(
        _("Bei Gleichstand entscheiden"),
        _("Der Reihe nach. Wer auch dann gleich ist, teilt sich den Rang."),
        {key: words.choice for key, words in TIE_BREAKS.items()},
        bad=_("Bitte jedes nur einmal wählen; den Rang am letzten Tisch nur, wo Spieler ausscheiden."),
        expected=_("was bei gleichen Punkten entscheidet, nichts zweimal, zum Beispiel „strokes“."),
    ),
    "lot_by_program": FieldWords(
        _("Das Los zieht das Programm"),
        _(
            "Sind Spieler in allem gleich, lost es auf Ihren Wunsch und hebt den Startwert auf. Sonst tragen Sie ein, "
            "wie Stechen oder Los ausgegangen sind."
        ),
        expected=_("ja oder nein."),
    ),
    # Stakes
    "stakes": FieldWords(
        _("Am Tisch wird um einen Einsatz gespielt"),
        _("Jeder legt ihn in jeder Spielrunde in den Pott seines Tisches."),
        expected=_("der Einsatz, oder gar keiner."),
    ),
    "stakes.stake_cents": FieldWords(
        _("Einsatz in Euro"),
        _("Je Spieler und Spielrunde."),
        bad=_("Bitte einen Betrag ab 0,01. Ohne Einsatz bitte das Häkchen darüber wegnehmen."),
        expected=_("der Einsatz in Cent, 1 bis 1000000."),
    ),
    "stakes.returned_to_ranks": FieldWords(
        _("Einsatz zurück für Rang"),
        _("Den übrigen Pott bekommt der Sieger des Tisches. Leer: den ganzen."),
        bad=_("Bitte Ränge von 2 bis 12, zum Beispiel 2. Den Rest bekommt der Sieger."),
        expected=_("Ränge von 2 bis 12, die ihren Einsatz zurückbekommen."),
    ),
    # Writing and confirming
    "scribe": FieldWords(
        _("Es schreibt"),
        _("So steht es auf der Tischliste und in den Regeln für die Spieler."),
        {"seat_1": _("wer auf Platz-Nr. 1 sitzt"), "organiser": _("wen die Spielleitung bestimmt")},
        expected=_("wer schreibt: „seat_1“ oder „organiser“."),
    ),
    "volunteer_scribe": FieldWords(
        _("Ein Freiwilliger darf schreiben"),
        _("Wenn der ganze Tisch einverstanden ist."),
        expected=_("ja oder nein."),
    ),
    "towns_on_sheet": FieldWords(
        _("Auf der Tischliste steht auch der Ort der Spieler"),
        _("So lassen sich gleiche Namen auseinanderhalten."),
        expected=_("ja oder nein."),
    ),
    "pen_needs_supervisor": FieldWords(
        _("Ein anderes Handy darf nur mit Zustimmung der Spielleitung weiterschreiben"),
        _("Sonst kann jedes Handy, das den Code des Tisches gescannt hat, das Schreiben übernehmen."),
        expected=_("ja oder nein."),
    ),
    "scribe_takes_back": FieldWords(
        _("Zurücknehmen darf der Schriftführer"),
        _("Solange die Tischliste offen ist. Der Veranstalter kann jeden Eintrag berichtigen."),
        {
            "any": _("jeden Eintrag"),
            "latest_deal": _("nur das letzte Spiel"),
            "none": _("nichts: Das macht die Aufsicht"),
        },
        expected=_("„any“, „latest_deal“ oder „none“."),
    ),
    "objections_end": FieldWords(
        _("Ein Einspruch gilt"),
        _("So lange lässt sich die Tischliste nicht abgeben."),
        {"voided": _("bis er geklärt ist"), "next_deal": _("bis das nächste Spiel geschrieben ist")},
        expected=_("„voided“ oder „next_deal“."),
    ),
    "confirmation": FieldWords(
        _("Bestätigen die Spieler die Tischliste auf dem Handy?"),
        _("Jeder tippt dafür am Ende seinen Namen an."),
        {
            "required": _("ja, alle am Tisch"),
            "optional": _("wer mag"),
            "paper": _("nein, sie unterschreiben auf Papier"),
        },
        expected=_("„required“, „optional“ oder „paper“."),
    ),
    # Manners
    "manners": FieldWords(
        _("Am Tisch gilt außerdem"),
        _("Was die Spieler nachlesen können, und worauf das Programm nicht achtet. Eine Zeile je Regel."),
        bad=_("Bitte höchstens 40 Zeilen mit höchstens 300 Zeichen."),
        expected=_("höchstens 40 Sätze, jeder mit höchstens 300 Zeichen."),
    ),
    "manners_en": FieldWords(
        _("Dasselbe auf Englisch"),
        _("Eine Zeile je Regel. Leer: wie auf Deutsch."),
        bad=_("Bitte höchstens 40 Zeilen mit höchstens 300 Zeichen."),
        expected=_("höchstens 40 Sätze auf Englisch, jeder mit höchstens 300 Zeichen."),
    ),
    # Hands
    "hands": FieldWords(
        _("Gespielt wird mit drei Karten auf der Hand"),
        _(
            "Das hier steht in den Regeln für die Spieler, und das Programm rechnet ihnen vor, was eine Hand zählt."
        ),
        bad=_("Wo jedes Spiel die Punkte der Hand bringt, muss hier stehen, was sie zählt. Bitte ankreuzen."),
        expected=_("was drei Karten zählen."),
    ),
    "hands.lowest_card": FieldWords(
        _("Niedrigste Karte"),
        _("Von ihr bis zum Ass, in vier Farben."),
        {"6": _("6 (36 Karten)"), "7": _("7 (32 Karten)"), "9": _("9 (24 Karten)")},
        expected=_("die niedrigste Karte: „6“, „7“ oder „9“."),
    ),
    "hands.card_names": FieldWords(
        _("So heißen die Bilder"),
        _("In den Regeln für die Spieler."),
        {"german": _("Unter, Ober, König"), "french": _("Bube, Dame, König")},
        expected=_("„german“ für Unter und Ober, „french“ für Bube und Dame."),
    ),
    "hands.schnauz": FieldWords(
        _("Ein Schnauz ist"),
        _("Jede 31 heißt: Ass und zwei Bilder oder Zehner derselben Farbe."),
        {"any_31": _("jede 31 in einer Farbe"), "ace_king_ten": _("nur Ass, König und Zehn einer Farbe")},
        expected=_("„any_31“ oder „ace_king_ten“."),
    ),
    "hands.schnauz_points": FieldWords(
        _("Der Schnauz zählt"),
        _("Meist 31."),
        bad=_("Bitte eine Zahl von 31 bis 99."),
        expected=_("die Punkte für einen Schnauz, 31 bis 99, so viele wie auf der Tischliste."),
    ),
    "hands.feuer": FieldWords(
        _("Feuer, also drei Asse"),
        _("Gibt es keines, sind drei Asse drei Gleiche wie andere auch."),
        {
            "above_schnauz": _("schlägt den Schnauz"),
            "equal_to_schnauz": _("gilt so viel wie ein Schnauz"),
            "below_schnauz": _("liegt unter dem Schnauz"),
            "none": _("gibt es nicht"),
        },
        expected=_("„above_schnauz“, „equal_to_schnauz“, „below_schnauz“ oder „none“."),
    ),
    "hands.feuer_points": FieldWords(
        _("Das Feuer zählt"),
        _("Leer, wo die Regeln nur sagen, was es schlägt."),
        bad=_(
            "Bitte eine Zahl bis 99, die zum Schnauz passt: mehr, gleich viel oder weniger, wie darüber gewählt. Wo "
            "jedes Spiel die Punkte der Hand bringt, muss es eine andere sein als beim Schnauz, sonst darf sie fehlen."
        ),
        expected=_(
            "die Punkte für ein Feuer, 31 bis 99, zum Schnauz passend und so viele wie auf der Tischliste; oder keine."
        ),
    ),
    "hands.three_of_a_kind_name": FieldWords(
        _("Drei Gleiche heißen"),
        _("Zum Beispiel Spitz, Halbes oder Halbschnauz. Leer: drei Gleiche."),
        bad=_("Bitte höchstens 30 Zeichen, oder leer lassen."),
        expected=_("wie drei Gleiche heißen, höchstens 30 Zeichen, oder nichts."),
    ),
    "hands.three_of_a_kind_half_points": FieldWords(
        _("Drei Gleiche zählen"),
        _("Auch halbe Punkte, zum Beispiel 30,5. Leer, wo die Regeln nur sagen, was sie schlagen."),
        bad=_(
            "Bitte mehr als jede Summe in einer Farbe und weniger als Schnauz und Feuer, zum Beispiel 30,5. Wo jedes "
            "Spiel die Punkte der Hand bringt, eine ganze Zahl; sonst darf sie fehlen."
        ),
        expected=_(
            "was drei Gleiche zählen, in halben Punkten: mehr als jede Summe, weniger als Schnauz und Feuer, und so "
            "viel wie auf der Tischliste; oder nichts."
        ),
    ),
    "hands.threes": FieldWords(
        _("Drei Gleiche untereinander"),
        _("Nach den Karten heißt: drei Könige schlagen drei Ober oder Damen, und so weiter."),
        {"ranked": _("nach den Karten"), "equal": _("alle gleich")},
        expected=_("„ranked“ oder „equal“."),
    ),
    # The sheet
    "sheet": FieldWords(
        _("Die Tischliste"), _("Was am Tisch geschrieben wird."), expected=_("die Regeln der Tischliste.")
    ),
    "sheet.kind": FieldWords(
        _("Art der Tischliste"),
        _("Sie folgt aus dem Regelblatt. Für eine andere bitte oben ein anderes nehmen."),
        {
            "survival": _("Leben, bis einer übrig ist"),
            "hand_points": _("Punkte der Hand in jedem Spiel"),
            "plus_minus": _("Plus und Minus in jedem Spiel"),
        },
        expected=_("„survival“, „hand_points“ oder „plus_minus“."),
    ),
    "sheet.lives": FieldWords(
        _("Leben"),
        _("So viele Münzen hat jeder; danach schwimmt er, und beim nächsten Mal geht er unter."),
        bad=_("Bitte eine Zahl von 0 bis 20."),
        expected=_("die Zahl der Leben, 0 bis 20."),
    ),
    "sheet.endings": FieldWords(
        _("Ein Spiel kann enden durch"),
        _("Diese Möglichkeiten zeigt das Handy am Tisch. Klopfen gehört immer dazu."),
        _ENDINGS,
        bad=_("Klopfen gehört immer dazu. Bitte ankreuzen."),
        expected=_("wie ein Spiel enden kann; „knock“ gehört immer dazu."),
    ),
    "sheet.all_others_lose": FieldWords(
        _("Alle anderen verlieren bei"),
        _("Sonst verliert nur, wer am wenigsten hat."),
        {ending: word for ending, word in _ENDINGS.items() if ending != "knock"},
        bad=_("Bitte nur ankreuzen, was oben als Spielende angekreuzt ist."),
        expected=_("welche Enden alle anderen verlieren lassen, außer „knock“."),
    ),
    "sheet.three_of_a_kind_spared": FieldWords(
        _("Drei Gleiche zahlen nicht bei"),
        _("Wer drei Gleiche hat, gibt dann kein Leben ab, auch wenn alle anderen eines verlieren."),
        _ENDINGS,
        bad=_("Bitte nur ankreuzen, was oben als Spielende angekreuzt ist."),
        expected=_("bei welchen Enden drei Gleiche nicht verlieren."),
    ),
    "sheet.marks": FieldWords(
        _("Einen Strich gibt es für"),
        _("Wer so ein Spiel beendet, bekommt ihn auf der Strichliste."),
        {"schnauz": _("Schnauz"), "feuer": _("Feuer")},
        expected=_("wofür es einen Strich gibt: „schnauz“, „feuer“."),
    ),
    "sheet.deals": FieldWords(
        _("Spiele je Spielrunde"),
        _("Erst mit so vielen Spielen lässt sich die Tischliste abgeben."),
        bad=_("Bitte eine Zahl von 1 bis 200."),
        expected=_("die Zahl der Spiele einer Spielrunde, 1 bis 200."),
    ),
    "sheet.early_acceptance": FieldWords(
        _("Die Aufsicht darf eine Tischliste mit weniger Spielen annehmen"),
        _("Immer mit einer Begründung."),
        expected=_("ja oder nein."),
    ),
    "sheet.solos": FieldWords(
        _("Spiele gegen drei"),
        _("Diese Möglichkeiten zeigt das Handy am Tisch neben dem Rufspiel."),
        _SOLOS,
        expected=_("die Spiele gegen drei: „solo“, „wenz“, „farbwenz“."),
    ),
    "sheet.tie_solo_games": FieldWords(
        _("Bei Gleichstand zählen als Solo und Tout"),
        _("Ein Tout dieser Spiele zählt in beidem. Die anderen bringen nur ihre Punkte."),
        _SOLOS,
        bad=_("Bitte mindestens ein Spiel ankreuzen."),
        expected=_(
            "welche Spiele gegen drei bei Gleichstand zählen, mindestens eines: „solo“, „wenz“, „farbwenz“."
        ),
    ),
    "sheet.not_in_first_deal": FieldWords(
        _("Im ersten Spiel nicht erlaubt"),
        _("Bei Spielen gegen drei, in jeder Spielrunde."),
        _LEVELS,
        expected=_(
            "Stufen, die ein Spiel gegen drei im ersten Spiel nicht haben darf: „schneider“, „durch“, „tout“."
        ),
    ),
    "sheet.needs_approval": FieldWords(
        _("Die Aufsicht zeichnet ab"),
        _("Bei Spielen gegen drei. Bis dahin wartet das Spiel auf der Tischliste und zählt nicht."),
        _LEVELS,
        bad=_("Wo ein Tout keine Punkte hat, gibt es ihn nicht. Bitte abwählen, oder die Punkte eintragen."),
        expected=_("Stufen, die die Aufsicht abzeichnen muss, zum Beispiel „tout“."),
    ),
    "sheet.ruf": FieldWords(
        _("Punkte im Rufspiel"),
        _("Plus für jeden der beiden Gewinner, ebenso viel Minus für jeden der beiden Verlierer."),
        expected=_("die Punkte eines Rufspiels."),
    ),
    "sheet.ruf.normal": _NORMAL,
    "sheet.ruf.schneider": _SCHNEIDER,
    "sheet.ruf.durch": _DURCH,
    "sheet.ruf.tout": FieldWords(_LEVELS["tout"], _("Im Rufspiel gibt es keinen."), expected=_LEVEL_EXPECTED),
    "sheet.solo": FieldWords(
        _("Punkte in Spielen gegen drei"),
        _("So viel für jeden der drei; wer allein spielt, gewinnt oder verliert das Dreifache."),
        expected=_("die Punkte eines Spiels gegen drei, für jeden der drei."),
    ),
    "sheet.solo.normal": _NORMAL,
    "sheet.solo.schneider": _SCHNEIDER,
    "sheet.solo.durch": _DURCH,
    "sheet.solo.tout": FieldWords(
        _LEVELS["tout"],
        _("Vorher angesagt, und alle Stiche gemacht. Leer: Den gibt es nicht."),
        bad=_("Bitte eine Zahl von 1 bis 1000, oder leer lassen."),
        expected=_LEVEL_EXPECTED,
    ),
    "tables": FieldWords(_("Tische"), _("Wie viele an einem Tisch sitzen."), expected=_("die Tischgrößen.")),
}
