"""The year's standing, worked out by hand: the rules of four clubs as their notice boards have them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from scoring.core.series import (
    EveningScore,
    PlayedEvening,
    SeriesRow,
    best_mean_ranks,
    most_evenings,
    ranks_without,
    series_standing,
    winners_of_the_day,
)
from scoring.core.series_rule import SERIES_PRESETS, SeriesRule, preset_text, series_preset
from tournaments.core.refusal import Refusal


def abend(name: str, *lines: str, kind: str = "survival") -> PlayedEvening:
    """Return an evening of lines such as "1 Anna 18" or "2 Gast Otto 14 3": rank, guest, name, points, strokes."""
    scores = []
    for line in lines:
        words = line.split()
        is_guest = words[1] == "Gast"
        player, points, *strokes = words[2 if is_guest else 1 :]
        scores.append(
            EveningScore(player, int(words[0]), int(points), int((strokes or ["0"])[0]), 0, is_guest)
        )
    return PlayedEvening(name, kind, tuple(scores))


def rule(**fields: Any) -> SeriesRule:
    return SeriesRule.from_dict({"title": "Jahr", "value": "points"} | fields)


def table(rows: Sequence[SeriesRow]) -> list[str]:
    """Return the rows as a club would write them: "1. Anna 64 (9)"."""
    return [f"{row.rank or '–'}. {row.player} {row.value} ({row.played})" for row in rows]


def of(rows: Sequence[SeriesRow], player: str) -> SeriesRow:
    return next(row for row in rows if row.player == player)


def ten_evenings_less_one() -> list[PlayedEvening]:
    """Nine evenings. Anna and Bert share the first place once; a guest wins the last one."""
    return [
        abend("Jan", "1 Anna 18", "2 Bert 16", "3 Carl 12", "4 Dora 9"),
        abend("Feb", "1 Anna 18", "2 Carl 16", "3 Bert 12"),
        abend("März", "1 Anna 17", "1 Bert 17", "3 Dora 10", "4 Carl 9"),
        abend("April", "1 Bert 16", "2 Anna 14", "3 Carl 11"),
        abend("Mai", "1 Carl 18", "2 Anna 12", "3 Bert 8"),
        abend("Juni", "1 Anna 18", "2 Bert 16", "3 Carl 12"),
        abend("Sept", "1 Anna 18", "2 Bert 16", "3 Carl 12", "3 Dora 12"),
        abend("Okt", "1 Bert 18", "2 Anna 15", "3 Carl 12"),
        abend("Nov", "1 Gast Otto 18", "2 Carl 16", "3 Bert 12", "4 Anna 6"),
    ]


class TestDieBesten7Von9:
    """10-8-6-5-4-3-2-1, geteilte Plätze teilen die Summe, Gäste spielen mit, Mitglieder stehen in der Wertung."""

    rows = series_standing(series_preset("best-seven"), ten_evenings_less_one())

    def test_die_tabelle_des_jahres(self) -> None:
        """Anna: 10, 10, 9, 8, 8, 10, 10, 8 und 6, es zählen 10+10+10+10+9+8+8. Ebenso Bert: 10, 10, 9, 8, 8, 8, 8.

        Carl: 6, 8, 5, 6, 10, 6, 5½, 6 und 10, es zählen 10+10+8+6+6+6+6. Dora: 5+6+5½. Otto steht in keiner Wertung.
        """
        assert table(self.rows) == [
            "1. Anna 65 (9)",
            "2. Bert 61 (9)",
            "3. Carl 52 (9)",
            "4. Dora 33/2 (3)",
            "–. Otto 0 (0)",
        ]

    def test_geteilte_plaetze_teilen_die_summe(self) -> None:
        assert [of(self.rows, name).evenings[2].value for name in ("Anna", "Bert")] == [9, 9]
        assert [of(self.rows, name).evenings[6].value for name in ("Carl", "Dora")] == [Fraction(11, 2)] * 2

    def test_wo_ein_gast_gewinnt_ruecken_die_mitglieder_auf(self) -> None:
        november = [of(self.rows, name).evenings[8] for name in ("Carl", "Bert", "Anna", "Otto")]
        assert [(evening.rank, evening.value) for evening in november] == [
            (1, 10),
            (2, 8),
            (3, 6),
            (None, None),
        ]
        assert of(self.rows, "Otto").unranked == "guest"
        assert winners_of_the_day(self.rows, "Nov") == ("Carl",)

    def test_die_streichergebnisse_sind_die_schlechtesten(self) -> None:
        struck = {row.player: [e.evening for e in row.evenings if e.is_struck] for row in self.rows}
        assert struck == {
            "Anna": ["Okt", "Nov"],
            "Bert": ["Feb", "Mai"],
            "Carl": ["März", "Sept"],
            "Dora": [],
            "Otto": [],
        }

    def test_wer_nach_sieben_abenden_noch_gewinnen_kann(self) -> None:
        """Anna hat 65 sicher. Bert kommt mit zwei Siegen auf 10+10+10+9+8+8+8 = 63, Carl auf 10+10+8+6+6+6+6 = 52."""
        rows = series_standing(series_preset("best-seven"), ten_evenings_less_one()[:7], remaining=2)
        assert [(row.player, row.value, row.can_win) for row in rows] == [
            ("Anna", 65, True), ("Bert", 55, False), ("Carl", Fraction(93, 2), False), ("Dora", Fraction(33, 2), False)
        ]  # fmt: skip

    def test_was_der_letzte_abend_geaendert_hat(self) -> None:
        """Vor dem März hat Anna 20, Carl und Bert haben je 14, und Bert hat wie Carl keinen Abend gewonnen."""
        evenings = ten_evenings_less_one()[:3]
        assert ranks_without(series_preset("best-seven"), evenings, "März") == {
            "Anna": 1, "Bert": 2, "Carl": 2, "Dora": 4
        }  # fmt: skip
        assert ranks_without(series_preset("best-seven"), evenings[:1], "Jan") == {}


class TestDerDurchschnittAllerAbende:
    """Der Durchschnitt der Punkte aller Abende; wer weniger als 24 gespielt hat, steht nicht in der Wertung."""

    evenings = (
        *(abend(f"A{number}", "1 Anna 15", "2 Bert 13") for number in range(24)),
        abend("A24", "1 Carl 18", "2 Bert 16"),
    )
    rows = series_standing(series_preset("mean-of-all"), evenings)

    def test_wer_24_abende_hat_ist_in_der_wertung(self) -> None:
        """Bert: 24 mal 13 und einmal 16 sind 328, durch 25."""
        assert table(self.rows) == ["1. Anna 15 (24)", "2. Bert 328/25 (25)", "–. Carl 18 (1)"]

    def test_wer_nicht_in_der_wertung_ist_sieht_wie_viele_abende_fehlen(self) -> None:
        assert (of(self.rows, "Carl").unranked, of(self.rows, "Carl").lacking) == ("too_few_evenings", 23)

    def test_geehrt_wird_wer_am_oeftesten_da_war(self) -> None:
        assert most_evenings(self.rows) == ("Bert",)


class TestDieSummeUeberDreiAbende:
    """Drei Abende, die Punkte werden zusammengezählt; jeder Abend hat einen Sieger des Tages."""

    evenings = (
        abend("1. Tag", "1 Anna 18 4", "2 Bert 14 2", "3 Carl 10 1"),
        abend("2. Tag", "1 Bert 17 3", "2 Anna 13 1", "3 Dora 12 0"),
        abend("3. Tag", "1 Carl 18 5", "1 Dora 18 2", "3 Bert 9 0", "3 Anna 9 0"),
    )

    def rows(self, lot_seed: str = "") -> tuple[SeriesRow, ...]:
        return series_standing(series_preset("sum-of-three"), self.evenings, lot_seed=lot_seed)

    def test_die_summe_entscheidet_dann_tagessiege_und_striche(self) -> None:
        """Anna und Bert haben 40 Punkte, einen Tagessieg und fünf Striche: sie teilen sich den ersten Platz."""
        assert table(self.rows()) == ["1. Anna 40 (3)", "1. Bert 40 (3)", "3. Dora 30 (2)", "4. Carl 28 (2)"]
        assert [row.shared for row in self.rows()] == [True, True, False, False]

    def test_zuletzt_entscheidet_das_los_und_zwar_immer_gleich(self) -> None:
        orders = {tuple(row.player for row in self.rows(f"{seed:064x}"))[:2] for seed in range(20)}
        assert orders == {("Anna", "Bert"), ("Bert", "Anna")}
        assert self.rows("5e" * 32) == self.rows("5e" * 32)
        assert [row.rank for row in self.rows("5e" * 32)] == [1, 2, 3, 4]

    def test_die_sieger_der_tage(self) -> None:
        days = [winners_of_the_day(self.rows(), day) for day in ("1. Tag", "2. Tag", "3. Tag")]
        assert days == [("Anna",), ("Bert",), ("Dora", "Carl")]


class TestDerPokalMitFinale:
    """20 Abende; wer einmal da war, darf ins Finale. Geehrt werden die meisten Abende und der beste mittlere Platz."""

    evenings = (
        *(abend(f"Wirt {number}", "1 Anna 18", "2 Bert 12", "2 Carl 12", "4 Dora 3", "5 Emil 1") for number in range(19)),
        abend("Wirt 19", "1 Fritz 30", "2 Emil 20", kind="hand_points"),
    )  # fmt: skip
    rows = series_standing(series_preset("cup-with-final"), evenings)

    def test_ein_abend_bringt_den_anteil_der_anderen_die_hinter_einem_liegen(self) -> None:
        """Anna 19 mal 4/4, Bert und Carl je 2/4, Dora 1/4, Emil nichts. Fritz hat den einen geschlagen, der da war."""
        assert table(self.rows) == [
            "1. Anna 19 (19)", "2. Bert 19/2 (19)", "2. Carl 19/2 (19)", "4. Dora 19/4 (19)", "5. Fritz 1 (1)", "6. Emil 0 (20)"
        ]  # fmt: skip

    def test_ins_finale_kommt_wer_einmal_da_war(self) -> None:
        assert all(row.in_final for row in self.rows)
        first = rule(final="first", final_places=2, value="beaten")
        assert [row.player for row in series_standing(first, self.evenings) if row.in_final] == [
            "Anna",
            "Bert",
            "Carl",
        ]

    def test_die_ehrungen(self) -> None:
        assert most_evenings(self.rows) == ("Emil",)
        assert best_mean_ranks(self.rows) == ("Anna", "Fritz")


def test_points_for_coming_are_part_of_an_evening_and_struck_with_it() -> None:
    evenings = [abend("Jan", "1 Anna 9", "2 Bert 5"), abend("Feb", "1 Bert 8")]
    one_each = rule(attendance_points=2, count_best=1)
    assert table(series_standing(one_each, evenings)) == ["1. Anna 11 (1)", "2. Bert 10 (2)"]


def test_all_but_one_counts_a_missed_evening_as_the_struck_one() -> None:
    evenings = [
        abend("Jan", "1 Anna 9", "2 Bert 5"),
        abend("Feb", "1 Bert 8"),
        abend("März", "1 Bert 4", "2 Anna 3"),
    ]
    assert table(series_standing(rule(strike_worst=1), evenings)) == ["1. Bert 13 (3)", "2. Anna 12 (2)"]


def test_a_guest_who_takes_a_place_leaves_the_others_where_they_are() -> None:
    evenings = [abend("Jan", "1 Gast Otto 9", "2 Anna 5")]
    with_place = rule(value="place_points", place_points=[3, 1], guests="skip_with_place")
    assert table(series_standing(with_place, evenings)) == ["1. Anna 1 (1)", "–. Otto 0 (0)"]


def test_strokes_and_mere_coming_can_be_the_value() -> None:
    evenings = [abend("Jan", "1 Anna 9 1", "2 Bert 5 4"), abend("Feb", "1 Anna 8 2", "2 Bert 2 0")]
    assert table(series_standing(rule(value="strokes"), evenings)) == ["1. Bert 4 (2)", "2. Anna 3 (2)"]
    assert table(series_standing(rule(value="one"), evenings)) == ["1. Anna 2 (2)", "1. Bert 2 (2)"]


def test_points_of_different_sheets_are_not_added_up_but_place_points_are() -> None:
    evenings = [abend("Jan", "1 Anna 9"), abend("Feb", "1 Anna 300", kind="hand_points")]
    with pytest.raises(Refusal, match="series_kinds_differ"):
        series_standing(rule(), evenings)
    places = rule(value="place_points", place_points=[3, 1])
    assert table(series_standing(places, evenings)) == ["1. Anna 6 (2)"]


def test_a_player_stands_once_in_an_evening() -> None:
    with pytest.raises(Refusal, match="series_player_twice"):
        series_standing(rule(), [abend("Jan", "1 Anna 9", "2 Anna 5")])


def test_a_series_without_evenings_has_no_rows() -> None:
    assert series_standing(rule(strike_worst=2), []) == ()


@pytest.mark.parametrize(
    ("toml", "code"),
    [
        ("title = Jahr", "series_no_toml"),
        ('title = "Jahr"', "series_field_bad"),
        ('title = "Jahr"\nvalue = "luck"', "series_field_bad"),
        ('title = "Jahr"\nvalue = "points"\nbonus = 3', "series_field_bad"),
        ('title = "Jahr"\nvalue = "points"\nties = ["height"]', "series_field_bad"),
        ('title = "Jahr"\nvalue = "place_points"', "series_place_points_missing"),
        ('title = "Jahr"\nvalue = "points"\nplace_points = [3]', "series_place_points_missing"),
        ('title = "Jahr"\nvalue = "place_points"\nplace_points = [1, 3]', "series_place_points_rise"),
        ('title = "Jahr"\nvalue = "points"\ncount_best = 3\nstrike_worst = 1', "series_best_and_worst"),
        ('title = "Jahr"\nvalue = "points"\nties = ["wins", "wins"]', "series_ties_bad"),
        ('title = "Jahr"\nvalue = "points"\nties = ["lot", "wins"]', "series_ties_bad"),
        ('title = "Jahr"\nvalue = "points"\nfinal = "first"', "series_final_places_missing"),
    ],
)
def test_a_rule_that_says_nonsense_is_refused(toml: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        SeriesRule.from_toml(toml)
    assert refused.value.code == code


def test_there_are_four_presets_and_the_first_explains_every_field() -> None:
    assert SERIES_PRESETS == ("best-seven", "cup-with-final", "mean-of-all", "sum-of-three")
    for name in SERIES_PRESETS:
        assert SeriesRule.from_dict(series_preset(name).to_dict()) == series_preset(name)
    for language in ("de", "en"):
        explained = preset_text("best-seven", language)
        assert [field for field in SeriesRule.__dataclass_fields__ if field not in explained] == []


def test_presets_have_an_english_title_and_an_english_explanation_of_the_same_rule() -> None:
    for name in SERIES_PRESETS:
        assert SeriesRule.from_toml(preset_text(name, "en")) == series_preset(name)
        assert preset_text(name, "en") != preset_text(name) == preset_text(name, "fr")
        assert series_preset(name).title.keys() == {"de", "en"}


def test_a_title_in_another_language_is_checked_as_the_german_one() -> None:
    with pytest.raises(Refusal) as refused:
        SeriesRule.from_toml('title = "Jahr"\ntitle_en = " "\nvalue = "points"')
    assert refused.value.params == {"field": "title_en"}
