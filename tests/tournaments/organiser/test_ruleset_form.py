"""Changing the rules of a tournament: each field of the schema is explained and checked, no input is lost."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from tests.factories import UserFactory
from tests.tournaments.accounts.test_accounts import errors_at
from tests.tournaments.organiser.rule_forms import as_shown, sent, typed_rules
from tournaments.models import Tournament
from tournaments.organiser.ruleset_form import FIXED, RulesForm, leaves
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.schema import Ruleset
from tournaments.text.ruleset_fields import FIELDS, words_of

KINDS = {preset(name).sheet.kind for name in PRESETS}


def paths_of(cls: Any = Ruleset, prefix: str = "") -> Iterator[str]:
    for field in fields(cls):
        hint = get_type_hints(cls)[field.name]
        yield prefix + field.name
        for inner in (hint, *get_args(hint)):
            yield from paths_of(inner, f"{prefix}{field.name}.") if is_dataclass(inner) else ()


def form_of(rules: Ruleset | str, **changed: Any) -> RulesForm:
    base = preset(rules) if isinstance(rules, str) else rules
    return RulesForm(sent(typed_rules(rules, **changed)), base=base)


def changed_rules(rules: Ruleset | str, **changed: Any) -> Ruleset:
    form = form_of(rules, **changed)
    assert form.is_valid(), form.errors
    return form.ruleset


class TestEveryField:
    def test_has_a_label_and_an_explanation(self) -> None:
        assert set(FIELDS) == set(paths_of())
        assert [
            path for path, words in FIELDS.items() if not str(words.label) or str(words.help)[-1] != "."
        ] == []

    @pytest.mark.parametrize("language", ["de", "en"])
    def test_is_called_otherwise_than_its_neighbours(self, language: str) -> None:
        with translation.override(language):
            for name in PRESETS:
                form = RulesForm(base=preset(name))
                groups = [group.fields for section in form.sections for group in section.groups]
                for group in [form.first_fields, *groups]:
                    labels = [str(field.label) for field in group]
                    assert len(set(labels)) == len(labels)

    def test_can_be_edited_but_for_those_that_cannot_be_otherwise(self) -> None:
        tables = {path for path in paths_of() if any(other.startswith(f"{path}.") for other in paths_of())}
        optional = {"qualifying", "stakes", "hands"}
        edited = {leaf.path for kind in KINDS for leaf in leaves(kind)}
        translations = {"title_en", "manners_en"}
        assert edited == set(paths_of()) - (tables - optional) - FIXED | translations

    @pytest.mark.parametrize("name", PRESETS)
    def test_stands_in_the_page_once_with_its_explanation(self, name: str) -> None:
        form = RulesForm(base=preset(name))
        shown = [field.name for field in form.first_fields]
        for section in form.sections:
            shown += [section.switch.name] if section.switch else []
            shown += [field.name for group in section.groups for field in group.fields]
        assert sorted(shown) == sorted(form.fields)

    @pytest.mark.parametrize("name", PRESETS)
    def test_of_a_choice_every_value_has_words(self, name: str) -> None:
        for leaf in leaves(preset(name).sheet.kind):
            if leaf.path == "tie_break":
                continue  # its words are in the table of its keys
            words = words_of(leaf.path).choices
            values = get_args(leaf.hint) if words else ()
            allowed = {value for one in values for value in (get_args(one) or (one,))}
            left_out = {"knock"} if leaf.path == "sheet.all_others_lose" else set()
            assert allowed - {Ellipsis, *words} == left_out, leaf.path


class TestTheCopy:
    @pytest.mark.parametrize("name", PRESETS)
    def test_saved_unchanged_is_exactly_the_preset(self, name: str) -> None:
        assert changed_rules(name) == preset(name)

    @pytest.mark.parametrize("name", PRESETS)
    def test_what_is_typed_is_what_is_shown_again(self, name: str) -> None:
        typed = typed_rules(name)
        assert as_shown(RulesForm(sent(typed), base=preset(name))) == typed

    @pytest.mark.parametrize(
        ("name", "field", "typed", "path", "value"),
        [
            ("schnauz-placing", "rounds", "2", "rounds", 2),
            ("schnauz-placing", "drawn_ahead", "on", "drawn_ahead", True),
            ("schnauz-placing", "starts_at_sign", "on", "starts_at_sign", True),
            ("schnauz-placing", "entry_fee_cents", "5", "entry_fee_cents", 500),
            ("schnauz-placing", "tables-sizes", "5, 6, 8", "tables.sizes", (5, 6, 8)),
            ("schnauz-placing", "tables-exceptions", "", "tables.exceptions", ()),
            ("schnauz-placing", "tables-prefer", "larger", "tables.prefer", "larger"),
            ("schnauz-placing", "points", "3 2 1 −1", "points", (3, 2, 1, -1)),
            ("schnauz-placing", "tie_break_0", "feuer", "tie_break", ("feuer",)),
            ("schnauz-placing", "tie_break_3", "schnauz", "tie_break", ("strokes", "schnauz")),
            ("schnauz-placing", "lot_by_program", "on", "lot_by_program", True),
            ("schnauz-placing", "stakes-stake_cents", "1,20", "stakes.stake_cents", 120),
            ("schnauz-placing", "stakes-returned_to_ranks", "2 3", "stakes.returned_to_ranks", (2, 3)),
            ("schnauz-placing", "scribe", "organiser", "scribe", "organiser"),
            ("schnauz-placing", "volunteer_scribe", "on", "volunteer_scribe", True),
            ("schnauz-placing", "pen_needs_supervisor", "on", "pen_needs_supervisor", True),
            ("schnauz-placing", "scribe_takes_back", "latest_deal", "scribe_takes_back", "latest_deal"),
            ("schnauz-placing", "objections_end", "next_deal", "objections_end", "next_deal"),
            ("schnauz-placing", "confirmation", "required", "confirmation", "required"),
            ("schnauz-placing", "title", "Unsere  Regeln", "title.de", "Unsere Regeln"),
            ("schnauz-placing", "title_en", "Our rules", "title.en", "Our rules"),
            ("schnauz-placing", "title_en", "", "title.en", "Schnauz nach Plätzen"),
            ("schnauz-placing", "name", "unser-blatt", "name", "unser-blatt"),
            ("fce", "manners", "Abheben.\r\n\r\n  Nicht  schieben. \r\n", "manners.de", ("Abheben.", "Nicht schieben.")),
            ("fce", "manners_en", "", "manners.en", ()),
            ("schnauz-placing", "hands-lowest_card", "7", "hands.lowest_card", "7"),
            ("schnauz-placing", "hands-card_names", "french", "hands.card_names", "french"),
            ("konradsreuth", "hands-schnauz", "any_31", "hands.schnauz", "any_31"),
            ("schnauz-placing", "hands-feuer", "none", "hands.feuer", "none"),
            ("schnauz-placing", "hands-feuer_points", "33", "hands.feuer_points", 33),
            ("schnauz-placing", "hands-three_of_a_kind_name", "", "hands.three_of_a_kind_name", None),
            ("schnauz-placing", "hands-three_of_a_kind_half_points", "", "hands.three_of_a_kind_half_points", None),
            ("schnauz-placing", "hands-three_of_a_kind_half_points", "30½", "hands.three_of_a_kind_half_points", 61),
            ("schnauz-placing", "hands-threes", "equal", "hands.threes", "equal"),
            ("schnauz-placing", "sheet-lives", "2", "sheet.lives", 2),
            ("schnauz-placing", "sheet-all_others_lose", [], "sheet.all_others_lose", ()),
            ("schnauz-placing", "sheet-endings", ["knock", "feuer", "handschnauz"], "sheet.endings", ("knock", "feuer", "handschnauz")),
            ("schnauz-placing", "sheet-three_of_a_kind_spared", ["feuer"], "sheet.three_of_a_kind_spared", ("feuer",)),
            ("schnauz-placing", "sheet-marks", ["feuer"], "sheet.marks", ("feuer",)),
            ("knockout", "qualifying-go_on", "3", "qualifying.go_on", 3),
            ("knockout", "qualifying-final", "8", "qualifying.final", 8),
            ("fce", "sheet-deals", "20", "sheet.deals", 20),
            ("schafkopf", "sheet-solos", ["solo", "wenz"], "sheet.solos", ("solo", "wenz")),
            ("schafkopf", "sheet-ruf-normal", "2", "sheet.ruf.normal", 2),
            ("schafkopf", "sheet-ruf-schneider", "3", "sheet.ruf.schneider", 3),
            ("schafkopf", "sheet-ruf-durch", "4", "sheet.ruf.durch", 4),
            ("schafkopf", "sheet-solo-normal", "3", "sheet.solo.normal", 3),
            ("schafkopf", "sheet-solo-schneider", "4", "sheet.solo.schneider", 4),
            ("schafkopf", "sheet-solo-durch", "5", "sheet.solo.durch", 5),
            ("schafkopf", "sheet-solo-tout", "9", "sheet.solo.tout", 9),
            ("schafkopf", "sheet-not_in_first_deal", ["tout"], "sheet.not_in_first_deal", ("tout",)),
            ("schafkopf", "sheet-needs_approval", [], "sheet.needs_approval", ()),
            ("schafkopf", "sheet-early_acceptance", "", "sheet.early_acceptance", False),
        ],
    )  # fmt: skip
    def test_every_field_can_be_changed_by_itself(
        self, name: str, field: str, typed: Any, path: str, value: Any
    ) -> None:
        rules: Any = changed_rules(name, **{field: typed})
        for part in path.split("."):
            rules = rules[part] if isinstance(rules, dict) else getattr(rules, part)
        assert rules == value

    def test_points_of_hands_are_changed_together(self) -> None:
        typed = {"schnauz_points": "40", "feuer_points": "36", "three_of_a_kind_half_points": "32"}
        rules = changed_rules("fce", **{f"hands-{hand}": points for hand, points in typed.items()})
        assert rules.hands is not None
        assert (rules.hands.schnauz_points, rules.hands.three_of_a_kind_half_points) == (40, 64)


class TestTablesThatMayBeMissing:
    def test_without_stakes(self) -> None:
        assert changed_rules("schnauz-placing", stakes=None).stakes is None

    def test_what_stands_in_a_table_that_is_switched_off_is_no_error_and_is_kept(self) -> None:
        form = form_of("schnauz-placing", **{"stakes": None, "stakes-stake_cents": "viel"})
        assert form.is_valid()
        assert form["stakes-stake_cents"].value() == "viel"

    def test_stakes_where_there_were_none_begin_with_what_another_sheet_has(self) -> None:
        form = RulesForm(base=preset("fce"))
        assert (form["stakes"].value(), form["stakes-stake_cents"].value()) == (False, "0,60")
        rules = changed_rules("fce", stakes="on")
        assert rules.stakes is not None
        assert rules.stakes.stake_cents == 60

    def test_players_may_drop_out_of_any_game_of_lives(self) -> None:
        rules = changed_rules(
            "schnauz-placing", qualifying="on", rounds=None, points=None, tie_break_0="rank"
        )
        assert (rules.qualifying, rules.rounds, rules.points) == (preset("knockout").qualifying, None, ())


ERRORS: list[tuple[str, str, Any, str]] = [
    ("schnauz-placing", "rounds", "0", "Bitte eine Zahl von 1 bis 20."),
    ("schnauz-placing", "rounds", "21", "Bitte eine Zahl von 1 bis 20."),
    ("schnauz-placing", "rounds", "viele", "Bitte eine Zahl von 1 bis 20."),
    ("schnauz-placing", "rounds", "", "Bitte eine Zahl von 1 bis 20."),
    ("schnauz-placing", "entry_fee_cents", "3.000", "Das ist kein Betrag."),
    ("schnauz-placing", "points", "1, 2, 3", "Bitte Zahlen von −1000 bis 1000,"),
    ("schnauz-placing", "points", "", "Bitte Zahlen von −1000 bis 1000,"),
    ("schnauz-placing", "points", "sechs", "Bitte ganze Zahlen eingeben,"),
    ("schnauz-placing", "points", "6000", "Bitte Zahlen von −1000 bis 1000,"),
    ("schnauz-placing", "tie_break_1", "strokes", "Bitte jedes nur einmal wählen;"),
    ("schnauz-placing", "tie_break_1", "rank", "Bitte jedes nur einmal wählen;"),
    ("schnauz-placing", "tie_break_1", "tout_won", "Bitte jedes nur einmal wählen;"),
    ("schnauz-placing", "tables-sizes", "", "Bitte verschiedene Größen von 2 bis 12,"),
    ("schnauz-placing", "tables-sizes", "1, 2", "Bitte verschiedene Größen von 2 bis 12,"),
    ("schnauz-placing", "tables-sizes", "6, 5", "Bitte verschiedene Größen von 2 bis 12,"),
    ("schafkopf", "tables-sizes", "5", "Bitte verschiedene Größen von 2 bis 12,"),
    ("schnauz-placing", "tables-exceptions", "5", "Bitte Größen von 2 bis 12,"),
    ("schnauz-placing", "tables-exceptions", "13", "Bitte Größen von 2 bis 12,"),
    ("schnauz-placing", "tables-prefer", "beide", "Bitte eine der Möglichkeiten wählen."),
    ("knockout", "qualifying-go_on", "0", "Bitte mindestens 1,"),
    ("knockout", "qualifying-go_on", "4", "Bitte mindestens 1,"),
    ("knockout", "qualifying-final", "5", "Bitte mindestens so viele,"),
    ("knockout", "drawn_ahead", "on", "Wo Spieler ausscheiden, geht das nicht:"),
    ("knockout", "rounds", "3", "Bitte eine Zahl von 1 bis 20. Wo Spieler ausscheiden, bleibt das Feld leer."),
    ("schnauz-placing", "stakes-stake_cents", "-1", "Das ist kein Betrag."),
    ("schnauz-placing", "stakes-stake_cents", "0", "Bitte einen Betrag ab 0,01."),
    ("schnauz-placing", "stakes-returned_to_ranks", "1", "Bitte Ränge von 2 bis 12,"),
    ("schnauz-placing", "sheet-lives", "21", "Bitte eine Zahl von 0 bis 20."),
    ("schnauz-placing", "sheet-endings", ["schnauz"], "Klopfen gehört immer dazu."),
    ("schnauz-placing", "sheet-all_others_lose", ["knock"], "Bitte nur ankreuzen, was oben"),
    ("konradsreuth", "sheet-all_others_lose", ["feuer"], "Bitte nur ankreuzen, was oben"),
    ("konradsreuth", "sheet-three_of_a_kind_spared", ["feuer"], "Bitte nur ankreuzen, was oben"),
    ("fce", "sheet-deals", "0", "Bitte eine Zahl von 1 bis 200."),
    ("fce", "hands", "", "Wo jedes Spiel die Punkte der Hand bringt,"),
    ("fce", "hands-schnauz_points", "30", "Bitte eine Zahl von 31 bis 99."),
    ("fce", "hands-feuer_points", "", "Bitte eine Zahl bis 99, die zum Schnauz passt:"),
    ("fce", "hands-three_of_a_kind_half_points", "31,5", "Bitte mehr als jede Summe in einer Farbe"),
    ("fce", "hands-three_of_a_kind_half_points", "31,3", "Bitte mehr als jede Summe in einer Farbe"),
    ("schnauz-placing", "hands-feuer_points", "31", "Bitte eine Zahl bis 99, die zum Schnauz passt:"),
    ("schnauz-placing", "hands-three_of_a_kind_name", "x" * 31, "Bitte höchstens 30 Zeichen,"),
    ("fce", "manners", "x" * 301, "Bitte höchstens 40 Zeilen"),
    ("fce", "manners_en", "Cut.\n" * 41, "Bitte höchstens 40 Zeilen"),
    ("schafkopf", "sheet-ruf-normal", "0", "Bitte eine Zahl von 1 bis 1000."),
    ("schafkopf", "sheet-solo-tout", "", "Wo ein Tout keine Punkte hat,"),
    ("schnauz-placing", "title", "", "Der Name fehlt."),
    ("schnauz-placing", "title", "\u200b", "Der Name enthält ein unsichtbares Zeichen"),
    ("schnauz-placing", "name", "Groß und klein", "Bitte nur Buchstaben a bis z,"),
]  # fmt: skip
AT_ANOTHER_FIELD = {
    ("schafkopf", "sheet-solo-tout"): "sheet-needs_approval",
}
"""An error that concerns two fields is shown at one of them."""


@pytest.fixture
def owner(client: Client) -> User:
    user = UserFactory.create(is_superuser=True)
    client.force_login(user)
    return user


@pytest.mark.django_db
class TestWhatCannotBe:
    @pytest.mark.parametrize(("name", "field", "typed", "sentence"), ERRORS)
    def test_is_refused_at_its_field_says_what_to_do_and_nothing_typed_is_lost(
        self, client: Client, owner: User, name: str, field: str, typed: Any, sentence: str
    ) -> None:
        sends = {"base": name, "name": "Abend", "played_on": "2026-11-21", "names": "short"}
        response = client.post("/o/+/", sends | typed_rules(name, **{field: typed}))
        assert response.status_code == 422
        page = response.content.decode()
        place = AT_ANOTHER_FIELD.get((name, field), field.removesuffix("_0").removesuffix("_1"))
        assert errors_at(page, f"rules-{place}").startswith(sentence)
        assert len(re.findall(r'class="field__error"', page)) == 1
        assert as_shown(response.context["rules"]) == as_shown(form_of(name, **{field: typed}))
        assert not Tournament.objects.filter(memberships__user=owner).exists()

    def test_is_listed_above_and_only_what_has_errors_is_opened(self, client: Client, owner: User) -> None:
        sends = {"base": "", "name": "Abend", "played_on": "2026-11-21", "names": "short"}
        typed = typed_rules(**{"sheet-lives": "viele", "tables-sizes": "x", "rounds": "x"})
        page = client.post("/o/+/", sends | typed).content.decode()
        above = re.findall(r'<li><a href="#id_([\w-]+)_error">(.*?)</a></li>', page)
        assert above == [
            ("rules-rounds", "Spielrunden"),
            ("rules-tables-sizes", "Spieler am Tisch"),
            ("rules-sheet-lives", "Leben"),
        ]
        opened = re.findall(r'<details class="disclosure"[^>]* open>\s*<summary>(.*?)</summary>', page)
        assert opened == ["Tische und Auslosung", "Die Tischliste"]

    def test_without_errors_all_are_closed(self, client: Client, owner: User) -> None:
        page = client.get("/o/+/").content.decode()
        assert re.findall(r'<details class="disclosure"[^>]* open>', page) == []
        assert (
            len(re.findall(r'<details class="disclosure"', page)) == 10
        )  # 9 groups in the fold of the rules


@pytest.mark.parametrize("stands", [False, True])
def test_a_form_that_only_shows_has_nothing_to_type_into(stands: bool) -> None:
    form = RulesForm(base=preset("knockout"), stand=stands)
    assert {field.field.disabled for field in form} == {stands}
