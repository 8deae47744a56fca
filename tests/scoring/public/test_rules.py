"""The rules page: sentences made of the fields, correct for every rule sheet and every copy."""

import html
import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from scoring.text.rulebook.book import rulebook_of
from scoring.text.rulebook.parts import Section
from tests.factories import TournamentFactory
from tournaments.core.fees import kinds_of_fees
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.schema import Ruleset

SHEET_1 = "schnauz-placing"


def copy_of(name: str, **changed: Any) -> Ruleset:
    """Return a preset with other values; `sheet__lives=1` changes a field of a table."""
    document = preset(name).to_dict()
    for path, value in changed.items():
        *tables, field = path.split("__")
        place = document
        for table in tables:
            place = place[table]
        place[field] = value
    return Ruleset.from_dict(document)


def sections(rules: Ruleset | str, language: str = "de") -> dict[str, Section]:
    with translation.override(language):
        ruleset = preset(rules) if isinstance(rules, str) else rules
        book = rulebook_of(ruleset, kinds_of_fees([], ruleset.entry_fee_cents))
    return {section.key: section for section in book.sections}


def says(rules: Ruleset | str, key: str, language: str = "de") -> str:
    return " ".join(sections(rules, language)[key].says).replace("\u00a0", " ")


class TestTheEvening:
    def test_rule_sheet_1(self) -> None:
        """RULES 1.1, 1.2."""
        assert says(SHEET_1, "evening") == (
            "Gespielt werden drei Spielrunden. Vor jeder Spielrunde werden Tische und Plätze neu ausgelost. "
            "An einem Tisch sitzen fünf oder sechs Spieler. Geht das nicht auf, gibt es auch Tische mit vier oder "
            "sieben. Wer später kommt, spielt ab der nächsten Spielrunde mit. Wer in einer fehlt, hat für sie keine "
            "Punkte. Die Startgebühr ist 3,00 €, einmal je Spieler."
        )

    def test_schafkopf_draws_both_rounds_before_the_start(self) -> None:
        """RULES 5.1."""
        assert says("schafkopf", "evening") == (
            "Gespielt werden zwei Spielrunden. Alle Tische und Plätze sind vor dem Beginn ausgelost. Darum kommt "
            "später niemand mehr dazu; wer geht, kann ersetzt werden. An einem Tisch sitzen vier Spieler. "
            "Jede Spielrunde beginnt auf ein Zeichen der Spielleitung, an allen Tischen zugleich. "
            "Eine Startgebühr gibt es nicht."
        )

    def test_a_knockout_takes_as_many_rounds_as_it_takes(self) -> None:
        """RULES 4.2."""
        assert says("knockout", "evening").startswith("Gespielt wird, bis ein Sieger feststeht;")

    def test_one_round_is_one_round(self) -> None:
        evening = says(copy_of(SHEET_1, rounds=1), "evening")
        assert evening.startswith("Gespielt wird eine Spielrunde. Tische und Plätze werden ausgelost.")
        assert "Wer später kommt" not in evening


class TestLives:
    @pytest.mark.parametrize(
        ("lives", "sentence"),
        [(3, "Jeder hat drei Leben."), (1, "Jeder hat ein Leben."), (13, "Jeder hat 13 Leben.")],
    )
    def test_how_many(self, lives: int, sentence: str) -> None:
        assert says(copy_of(SHEET_1, sheet__lives=lives), "lives").startswith(sentence)

    def test_without_lives_the_first_lost_deal_is_the_last(self) -> None:
        assert says(copy_of(SHEET_1, sheet__lives=0), "lives").startswith(
            "Wer ein Spiel verliert, geht unter und ist draußen. Gespielt wird, bis einer übrig ist."
        )

    def test_rule_sheet_1_on_feuer_and_handschnauz_all_others_lose(self) -> None:
        """RULES 1.5."""
        endings = dict(sections(SHEET_1)["endings"].terms)
        assert list(endings) == ["Klopfen", "Schnauz", "Feuer", "Handschnauz"]
        all_others = [name for name, what in endings.items() if "Alle anderen" in what]
        assert all_others == ["Feuer", "Handschnauz"]

    def test_in_konradsreuth_three_of_a_kind_never_pays_and_there_is_no_feuer(self) -> None:
        """RULES 2.2, 2.3."""
        endings = sections("konradsreuth")["endings"]
        assert [name for name, _ in endings.terms] == ["Klopfen", "Schnauz", "Handschnauz"]
        assert endings.says[1] == (
            "Wer drei Gleiche (Halbschnauz) hat, zahlt nie. Es kann also sein, dass ein Spiel niemanden etwas kostet."
        )

    def test_where_a_knock_spares_nobody_the_page_says_what_the_program_does(self) -> None:
        """RULES 2.3: a ruleset that was stored with the two other endings alone."""
        endings = sections(copy_of("konradsreuth", sheet__three_of_a_kind_spared=["schnauz", "handschnauz"]))[
            "endings"
        ]
        assert not any("zahlt nie" in sentence for sentence in endings.says)
        spared = [name for name, what in endings.terms if "zahlt dabei nicht" in what]
        assert spared == ["Schnauz", "Handschnauz"]

    def test_three_of_a_kind_may_be_spared_on_one_ending_only(self) -> None:
        rules = copy_of(SHEET_1, sheet__three_of_a_kind_spared=["handschnauz"])
        assert dict(sections(rules)["endings"].terms)["Handschnauz"].endswith(
            "Alle anderen, die noch im Spiel sind, verlieren. Wer drei Gleiche (Spitz) hat, zahlt dabei nicht."
        )

    def test_in_a_knockout_only_the_lowest_hands_lose(self) -> None:
        """RULES 4.1."""
        endings = sections("knockout")["endings"]
        assert endings.says == (
            "Es verliert, wer am wenigsten hat; haben mehrere gleich wenig, verlieren sie alle.",
        )
        assert not any("Alle anderen" in what for _, what in endings.terms)

    @pytest.mark.parametrize(
        ("marks", "sentence"),
        [
            (["schnauz", "feuer"], "Wer ein Spiel mit Schnauz oder Feuer beendet, "),
            (["schnauz"], "Wer ein Spiel mit Schnauz beendet, "),
        ],
    )
    def test_what_a_stroke_is_for(self, marks: list[str], sentence: str) -> None:
        """RULES 1.9, 2.3."""
        assert says(copy_of(SHEET_1, sheet__marks=marks), "strokes").startswith(sentence)

    def test_without_marks_there_is_no_tally(self) -> None:
        assert "strokes" not in sections(copy_of(SHEET_1, sheet__marks=[]))


class TestPointsAndStakes:
    def test_points_by_rank_for_the_largest_table(self) -> None:
        """RULES 1.8."""
        table = sections(SHEET_1)["points"].table
        assert table is not None
        assert (table.head[1:], table.rows[0][1:]) == (tuple("1234567"), tuple("6432111"))

    @pytest.mark.parametrize("name", ["knockout", "fce"])
    def test_where_ranks_give_no_points_there_is_no_such_table(self, name: str) -> None:
        assert "points" not in sections(name)

    def test_the_stake_goes_back_to_rank_2_and_the_winner_gets_the_rest(self) -> None:
        """RULES 1.10."""
        assert says(SHEET_1, "stakes") == (
            "Jeder legt in jeder Spielrunde 0,60 € in den Pott seines Tisches. Wer auf Rang 2 kommt, bekommt seinen "
            "Einsatz zurück, der Sieger des Tisches den Rest."
        )

    def test_several_ranks_may_get_it_back_or_none(self) -> None:
        some = copy_of(SHEET_1, stakes__returned_to_ranks=[2, 3])
        assert "Wer auf Rang 2 und 3 kommt" in says(some, "stakes")
        none = copy_of("knockout", stakes={"stake_cents": 60, "returned_to_ranks": []})
        assert says(none, "stakes").endswith("Den Pott bekommt der Sieger des Tisches.")

    def test_without_stakes_there_is_no_such_section(self) -> None:
        """RULES 4.3: sheet 4 names stakes only where they are played for."""
        assert "stakes" not in {**sections("fce"), **sections("knockout")}


class TestHandPointsAndPlusAndMinus:
    def test_a_round_of_24_deals(self) -> None:
        """RULES 3.1, 3.5."""
        assert says("fce", "deals") == (
            "Eine Spielrunde hat 24 Spiele. Mit weniger Spielen kann nur die Aufsicht die Tischliste annehmen, mit "
            "einer Begründung. Jedes Spiel bringt jedem am Tisch die Punkte seiner Hand. Am Ende werden sie "
            "zusammengezählt."
        )
        assert says(copy_of("fce", sheet__deals=1), "deals").startswith("Eine Spielrunde hat ein Spiel.")

    def test_schnauz_feuer_and_three_of_a_kind_with_their_points(self) -> None:
        """RULES 3.3."""
        assert [name for name, _ in sections("fce")["hands"].terms] == [
            "Schnauz (35)",
            "Feuer (33)",
            "Halbes (31)",
            "sonst",
        ]

    def test_games_and_levels_with_their_points(self) -> None:
        """RULES 5.2."""
        table = sections("schafkopf")["points"].table
        assert table is not None
        assert table.head == ("Stufe", "Rufspiel", "Allein", "Die drei")
        assert table.rows == (
            ("einfach", "1", "6", "2"),
            ("Schneider", "2", "9", "3"),
            ("Durch (schwarz)", "3", "12", "4"),
            ("Tout", "–", "24", "8"),
        )

    def test_sheet_5_the_sample_list_shows_how_to_write(self) -> None:
        """RULES 5.4: plus and minus of the first deals, totals, deduction and result."""
        table = sections("schafkopf")["sample"].table
        assert table is not None
        assert " ".join(table.head).replace("\u00a0", "") == "Spiel 1+ 1− 2+ 2− 3+ 3− 4+ 4−"
        assert table.rows[0] == ("1 ruft 2 – gewonnen, einfach", *"1–1––1–1")
        assert table.rows[6] == ("4 spielt ein Solo – gewonnen, Tout", *"–8–8–8", "24", "–")
        assert table.rows[12:] == (
            ("Gesamt", "11", "25", "14", "18", "17", "15", "30", "14"),
            ("Abzug", "–", "11", "–", "14", "15", "–", "14", "–"),
            ("Endergebnis", "", "−14", "", "−4", "+2", "", "+16", ""),
        )
        assert table.circled == (2, 5, 6, 8, 10)
        assert "sample" not in sections(SHEET_1)

    def test_the_sample_holds_only_what_is_played(self) -> None:
        rules = copy_of(
            "schafkopf", sheet__solos=[], sheet__deals=4, sheet__ruf={"normal": 5, "schneider": 6, "durch": 7}
        )
        table = sections(rules)["sample"].table
        assert table is not None
        assert [row[0] for row in table.rows[:-3]] == [
            "1 ruft 2 – gewonnen, einfach",
            "2 ruft 4 – gewonnen, Schneider",
            "3 ruft 2 – gewonnen, Durch",
            "1 ruft 4 – verloren, einfach",
        ]
        assert table.rows[0][1] == "5"

    def test_what_the_first_deal_must_not_be_and_what_the_supervisor_marks(self) -> None:
        """RULES 5.3."""
        assert sections("schafkopf")["deals"].says[2:] == (
            "Im ersten Spiel jeder Spielrunde ist in einem Spiel gegen drei nicht erlaubt: Durch (schwarz) und Tout.",
            "Die Aufsicht muss abzeichnen: Tout. Vorher zählt das Spiel nicht.",
        )

    def test_without_games_against_three_nothing_is_said_of_them(self) -> None:
        found = sections(copy_of("schafkopf", sheet__solos=[]))
        assert found["points"].table is not None
        assert found["points"].table.head == ("Stufe", "Rufspiel")
        assert [name for name, _ in found["deals"].terms] == ["Rufspiel"]
        assert len(found["deals"].says) == 2


class TestWhoWins:
    @pytest.mark.parametrize(
        ("name", "sentence"),
        [
            (SHEET_1, "Bei gleichen Punkten liegt vorn, wer mehr Striche hat."),
            ("fce", "Bei gleichen Punkten liegt vorn, wer mehr Schnauz hat, dann, wer mehr Feuer hat."),
            (
                "schafkopf",
                "Bei gleichen Punkten liegt vorn, wer mehr Tout gewonnen hat, dann, wer mehr Tout gespielt hat, dann, "
                "wer mehr Solo gewonnen hat, dann, wer mehr Solo gespielt hat.",
            ),
            (
                "knockout",
                "Sind mehrere gleich weit gekommen, liegt vorn, wer am letzten Tisch den besseren Rang hat, dann, "
                "wer dort mehr Striche hat.",
            ),
        ],
    )
    def test_the_chain_of_the_ruleset(self, name: str, sentence: str) -> None:
        """RULES 1.11, 3.6, 4.3, 5.7."""
        assert sentence in says(name, "winning")

    @pytest.mark.parametrize(
        ("games", "sentence"),
        [
            (["solo"], "Von den Spielen gegen drei zählt dabei nur: Solo. Ein Tout davon zählt in beidem."),
            (["solo", "wenz"], "zählt dabei nur: Solo und Wenz."),
            (["solo", "wenz", "farbwenz"], "Als Solo zählt jedes Spiel gegen drei, ein Tout auch."),
        ],
    )
    def test_sheet_5_which_games_the_chain_counts(self, games: list[str], sentence: str) -> None:
        """RULES 5.7."""
        assert sentence in says(copy_of("schafkopf", sheet__tie_solo_games=games), "winning")

    def test_where_no_counted_game_is_played_nothing_is_said_of_it(self) -> None:
        rules = copy_of("schafkopf", sheet__solos=["wenz"], sheet__tie_solo_games=["solo"])
        assert "Von den Spielen" not in says(rules, "winning")

    def test_then_the_rank_is_shared_or_the_lot_decides(self) -> None:
        assert says(SHEET_1, "winning").endswith("Der Veranstalter kann stechen oder losen lassen.")
        assert says("schafkopf", "winning").endswith("Bis es gezogen ist, teilen sie sich den Rang.")

    def test_without_a_chain_nothing_is_said_of_it(self) -> None:
        assert "liegt vorn" not in says(copy_of(SHEET_1, tie_break=[]), "winning")

    @pytest.mark.parametrize(
        ("go_on", "sentence"),
        [
            (
                2,
                "Von jedem Tisch kommen die besten zwei weiter. Wer sich den Rang 2 teilt, kommt auch weiter.",
            ),
            (1, "Von jedem Tisch kommt der Sieger weiter. Die anderen scheiden aus."),
        ],
    )
    def test_who_goes_on(self, go_on: int, sentence: str) -> None:
        """RULES 4.2."""
        assert says(copy_of("knockout", qualifying__go_on=go_on), "going-on").startswith(sentence)


class TestWriting:
    def test_schafkopf_is_strict(self) -> None:
        """RULES 5.5, 5.6."""
        assert sections("schafkopf")["sheet"].says == (
            "Es schreibt, wen die Spielleitung bestimmt.",
            "Geschrieben wird auf dem Handy oder auf Papier; beides gilt gleich.",
            "Auf die Tischliste kommen deutlich lesbar, in Blockschrift, Vorname, Zuname und Wohnort.",
            "Ein anderes Handy schreibt nur weiter, wenn die Aufsicht zustimmt.",
            "Bevor die Tischliste abgegeben wird, bestätigt sie jeder am Tisch.",
            "Wer etwas einzuwenden hat, sagt es sofort: Ist das nächste Spiel geschrieben, geht es nicht mehr.",
            "Streichen und ändern darf nur die Aufsicht, und sie zeichnet es ab.",
            "Was sich am Tisch mit der Aufsicht nicht schnell klären lässt, entscheidet der Spielausschuss, endgültig "
            "und ohne Weg zum Gericht.",
            "Was die Spielleitung an einer Tischliste ändert, steht mit der Begründung dabei.",
            "Wer ausgeschlossen wird, fällt aus der Wertung.",
        )

    def test_seat_1_writes_and_deals_first(self) -> None:
        """RULES 1.3."""
        assert says(SHEET_1, "sheet").startswith("Wer auf Platz-Nr. 1 sitzt, schreibt und gibt als Erster.")

    def test_a_volunteer_may_write(self) -> None:
        """RULES 3.1."""
        assert "darf auch ein Freiwilliger schreiben" in says("fce", "sheet")
        assert "Freiwilliger" not in says(SHEET_1, "sheet")

    def test_the_fee_is_not_paid_back_where_there_is_one(self) -> None:
        """RULES 5.8."""
        assert says(SHEET_1, "sheet").endswith("und bekommt die Startgebühr nicht zurück.")

    @pytest.mark.parametrize(
        ("confirmation", "sentence"),
        [("paper", "Am Ende unterschreiben alle auf dem Papier."), ("optional", "Wer mag, bestätigt")],
    )
    def test_who_confirms(self, confirmation: str, sentence: str) -> None:
        assert sentence in says(copy_of(SHEET_1, confirmation=confirmation), "sheet")

    @pytest.mark.parametrize(
        "sentence",
        [
            "Abheben ist Pflicht.",
            "Wer sich vergibt, gibt neu und zahlt nichts.",
            "Hat er ihn im zweiten, wartet er damit, bis er an der Reihe ist.",
            "Schieben ist jederzeit erlaubt, aber nicht zweimal im selben Umlauf:",
            "Schieben alle, kommen drei neue Karten in die Mitte.",
        ],
        ids=["cutting", "misdeal", "second packet", "pushing", "all push"],
    )
    def test_rules_1_13_the_manners_at_the_table(self, sentence: str) -> None:
        assert sentence in says(SHEET_1, "manners")

    def test_rules_3_2_one_card_is_swapped_or_three_and_nobody_pushes(self) -> None:
        """RULES 3.2: not a field of the ruleset, but its manners tell the players, in both languages."""
        assert (
            "Getauscht wird eine Karte oder alle drei. Schieben gibt es nicht." in preset("fce").manners["de"]
        )
        assert "Getauscht wird eine Karte oder alle drei. Schieben gibt es nicht." in says("fce", "manners")
        assert "One card is swapped or all three. There is no pushing." in says("fce", "manners", "en")

    def test_what_the_organiser_wrote_down_is_read_in_the_reader_s_language(self) -> None:
        both = copy_of(SHEET_1, manners=["Nicht rauchen."], manners_en=["No smoking."])
        assert (says(both, "manners"), says(both, "manners", "en")) == ("Nicht rauchen.", "No smoking.")
        german_only = copy_of(SHEET_1, manners=["Nicht rauchen."], manners_en=[])
        assert says(german_only, "manners", "en") == "Nicht rauchen."
        assert "manners" not in sections(copy_of(SHEET_1, manners=[], manners_en=[]))


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_its_manners_in_both_languages(name: str) -> None:
    assert len(preset(name).manners["de"]) == len(preset(name).manners["en"]) > 0


def all_sentences(name: str, language: str) -> list[str]:
    found = sections(name, language).values()
    return [
        sentence for section in found for sentence in (*section.says, *(text for _, text in section.terms))
    ]


@pytest.mark.parametrize("name", PRESETS)
def test_in_english_nothing_is_left_in_german_and_every_sentence_begins_like_one(name: str) -> None:
    german, english = all_sentences(name, "de"), all_sentences(name, "en")
    assert len(german) == len(english)
    assert set(german) & set(english) == set()
    hands = {text for _, text in sections(name, "en").get("hands", Section("", "", ())).terms}
    assert [text for text in english if text not in hands and not text[0].isupper()] == []


@pytest.mark.django_db
class TestThePage:
    @pytest.mark.parametrize("language", ["de", "en"])
    @pytest.mark.parametrize("name", PRESETS)
    def test_shows_every_sentence_and_asks_for_tournament_and_club_only(
        self, client: Client, django_assert_num_queries: DjangoAssertNumQueries, name: str, language: str
    ) -> None:
        tournament = TournamentFactory.create(ruleset=preset(name).to_dict())
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        with django_assert_num_queries(2):
            response = client.get(f"/t/{tournament.slug}/rules/")
        page = html.unescape(response.content.decode())
        assert [text for text in all_sentences(name, language) if text not in page] == []
        assert re.findall(r"<h1>(.*?)</h1>", page) == [preset(name).title[language]]

    def test_is_the_tournament_s_own_copy(self, client: Client) -> None:
        tournament = TournamentFactory.create(
            ruleset=copy_of(SHEET_1, title="Unsere Regeln", rounds=2).to_dict()
        )
        page = client.get(f"/t/{tournament.slug}/rules/").content.decode()
        assert "<h1>Unsere Regeln</h1>" in page
        assert "Gespielt werden zwei Spielrunden." in page

    def test_leads_to_the_cards_only_where_hands_are_held(self, client: Client) -> None:
        for name, leads in ((SHEET_1, True), ("schafkopf", False)):
            slug = TournamentFactory.create(ruleset=preset(name).to_dict()).slug
            assert (f"/t/{slug}/hand/" in client.get(f"/t/{slug}/rules/").content.decode()) is leads

    def test_is_linked_from_the_players_page(self, client: Client) -> None:
        slug = TournamentFactory.create().slug
        assert f'href="/t/{slug}/rules/"' in client.get(f"/t/{slug}/").content.decode()

    def test_is_not_sent_twice_to_who_has_it(self, client: Client) -> None:
        address = f"/t/{TournamentFactory.create().slug}/rules/"
        etag = client.get(address)["ETag"]
        assert client.get(address, headers={"If-None-Match": etag}).status_code == 304

    def test_of_no_tournament_is_404(self, client: Client) -> None:
        assert client.get("/t/kein-turnier/rules/").status_code == 404

    def test_what_an_organiser_writes_is_text_and_no_markup(self, client: Client) -> None:
        tournament = TournamentFactory.create(
            ruleset=copy_of(SHEET_1, manners=["<b>fett</b>"], title="<i>x</i>").to_dict()
        )
        page = client.get(f"/t/{tournament.slug}/rules/").content.decode()
        assert "<b>fett</b>" not in page
        assert "&lt;b&gt;fett&lt;/b&gt;" in page
        assert "<i>x</i>" not in page
