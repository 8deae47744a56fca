"""Another preset: `tournaments/rulesets/fce.toml`. A sixth rule sheet of an existing kind needs no code.

Two example clubs: hand points with a deck of 24 cards and other values, and plus and minus with three deals and no Tout.
Each sheet is loaded, played to the end, shown and printed like the five.
"""

import re
import shutil
from html import unescape
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scoring.documents import dump, export_tournament, import_tournament
from scoring.services.projection import rebuild_results
from scoring.services.rounds import close
from scoring.services.sheets import write
from scoring.text.refusals import message
from tests.check.checking import checked
from tests.factories import AT
from tests.recipes.recipe import check_recipe
from tests.scoring.core.writing import Line, hands, ruf, solo
from tests.scoring.pages import Staff
from tests.scoring.phone.test_phone_api import entered
from tournaments.core.refusal import Refusal
from tournaments.models import Table
from tournaments.rulesets import loader
from tournaments.rulesets.schema import Ruleset

STAMMTISCH = """
name = "stammtisch"
title = "Schnauz am Stammtisch"
title_en = "Schnauz at the regulars' table"
rounds = 2
entry_fee_cents = 250
points = []
tie_break = ["feuer", "schnauz"]
lot_by_program = false
drawn_ahead = false
scribe = "seat_1"
volunteer_scribe = false
confirmation = "paper"
pen_needs_supervisor = false
scribe_takes_back = "any"
objections_end = "voided"
manners = ["Geraucht wird draußen."]
manners_en = ["Smoke outside."]

[tables]
sizes = [3, 4]
exceptions = [5]
prefer = "larger"

[hands]
lowest_card = "9"
card_names = "german"
schnauz = "ace_king_ten"
schnauz_points = 40
feuer = "above_schnauz"
feuer_points = 50
three_of_a_kind_name = "Drilling"
three_of_a_kind_half_points = 64
threes = "equal"

[sheet]
kind = "hand_points"
deals = 4
endings = ["knock", "schnauz", "feuer"]
early_acceptance = false
"""
FEIERABEND = """
name = "feierabend"
title = "Feierabendschafkopf"
title_en = "Schafkopf after work"
rounds = 2
entry_fee_cents = 0
points = []
tie_break = ["solo_won"]
lot_by_program = false
drawn_ahead = false
scribe = "seat_1"
volunteer_scribe = false
confirmation = "paper"
pen_needs_supervisor = false
scribe_takes_back = "any"
objections_end = "voided"
manners = []
manners_en = []

[tables]
sizes = [4]
exceptions = []
prefer = "smaller"

[sheet]
kind = "plus_minus"
deals = 3
solos = ["solo", "wenz"]
not_in_first_deal = []
needs_approval = []
early_acceptance = true

[sheet.ruf]
normal = 2
schneider = 3
durch = 5

[sheet.solo]
normal = 4
schneider = 6
durch = 7
"""
SHEETS: dict[str, tuple[str, list[Line], list[int], list[Line], str]] = {
    "stammtisch": (
        STAMMTISCH,
        [hands(40, 21, 32, 10), hands(50, 40, 11, 20), hands(10, 20, 50, 19), hands(29, 30, 31, 32)],
        [129, 111, 124, 81],
        [hands(35, 20, 20, 20), hands(33, 20, 20, 20), hands(20, 20, 20, 8)],
        "Feuer 50, Schnauz 40, Drilling 32",
    ),
    "feierabend": (
        FEIERABEND,
        [solo(1, game="wenz", level="durch"), ruf(2, 3, level="schneider"), ruf(4, 1, won=False)],
        [21 - 3 - 2, -7 + 3 + 2, -7 + 3 + 2, -7 - 3 - 2],
        [solo(1, game="farbwenz"), solo(1, level="tout")],
        "Solo: gewonnen, gespielt",
    ),
}
"""By club: its TOML, the deals of each table, their points by seat, entries to be refused, texts of the printed sheet."""


RESULT = {"stammtisch": "Gesamt 129 111 124 81", "feierabend": "Endergebnis +16 −2 −2 −12"}
"""The row of the printed sheet with the points of a round."""


@pytest.fixture(params=SHEETS)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def ruleset(name: str, tmp_path: Path) -> Ruleset:
    """Load the ruleset from a folder with the new file beside the five presets."""
    folder = Path(shutil.copytree(Path(loader.__file__).parent, tmp_path / "rulesets"))
    (folder / f"{name}.toml").write_text(SHEETS[name][0], encoding="utf-8")
    spec = spec_from_file_location(f"loader_of_{name}", folder / "loader.py")
    assert spec is not None
    assert spec.loader is not None
    there = module_from_spec(spec)
    spec.loader.exec_module(there)
    assert set(there.PRESETS) == {*loader.PRESETS, name}
    read = there.preset(name)
    assert isinstance(read, Ruleset)
    return read


@pytest.fixture
def desk(db: None, ruleset: Ruleset) -> Staff:
    """Create eight players at two tables of four."""
    return Staff(8, ruleset=ruleset)


def play(table: Table, lines: list[Line], how: str = "submitted") -> None:
    write(table, [*((line.kind, dict(line.data)) for line in lines), (how, {})], by="x", at=AT)


def played(desk: Staff, name: str) -> dict[int, int]:
    """Play two rounds to the end; return each player's points, added up here."""
    _, lines, by_seat, _, _ = SHEETS[name]
    sums: dict[int, int] = {}
    for number in (1, 2):
        for table in desk.draw(number).tables.all():
            play(table, lines)
            write(table, [("accepted", {})], by="x", at=AT)
            for seat in table.seats.select_related("participant"):
                player = seat.participant.start_number
                sums[player] = sums.get(player, 0) + by_seat[seat.seat_number - 1]
        close(desk.tournament, number, at=AT)
    return sums


def test_the_recipe_names_its_files() -> None:
    check_recipe("Another preset", __doc__, at_most=1)


def test_its_record_is_right(desk: Staff, name: str) -> None:
    played(desk, name)
    record = Client().get(f"/t/{desk.tournament.slug}/record.json").content.decode()
    [answer] = checked(record)
    assert answer["sheets"] == 4


def table_monitor(slug: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = Client().get(f"/t/{slug}/leaderboard.json").json()["rows"]
    return rows


def test_it_is_played_to_the_standings(desk: Staff, name: str) -> None:
    sums = played(desk, name)
    rows = table_monitor(desk.tournament.slug)
    assert {row["start_number"]: row["points"] for row in rows} == sums
    assert [row["points"] for row in rows] == sorted(sums.values(), reverse=True)
    assert {len(row["tie_break"]) for row in rows} == {len(desk.tournament.rules.tie_break)}
    assert rebuild_results(desk.tournament) == []


def test_every_page_is_there_before_and_after(desk: Staff, name: str) -> None:
    desk.draw()
    opened = entered(desk.table()).get("/s/sheet")
    assert (opened.status_code, opened.json()["ruleset"]) == (200, desk.tournament.ruleset)
    check_pages(desk)
    after = Staff(8, ruleset=desk.tournament.rules)
    played(after, name)
    check_pages(after)


def check_pages(desk: Staff) -> None:
    """Check all pages. The table monitor of a closed round is empty, and its paper page redirects to the round."""
    slug, rules = desk.tournament.slug, desk.tournament.rules
    of_all = (
        "overview",
        "rounds",
        "standings",
        "print",
        "print_standings",
        "standings_csv",
        "standings_xlsx",
    )
    of_a_round = ("round", "table_monitor", "paper", "print_sheets", "print_seating")
    of_a_table = ("sheet", "paper_check")
    public = ("", "screen/", "rules/", "check/", "leaderboard.json", "rounds/1/", "rounds/1.json")
    addresses = [
        *map(desk.url, of_all),
        *(desk.url(page, 1) for page in of_a_round),
        *(desk.url(page, 1, 1) for page in of_a_table),
        *(f"/t/{slug}/{page}" for page in (*public, *(["hand/"] if rules.hands else []))),
    ]
    assert [a for a in addresses if desk.client.get(a, follow=True).status_code not in (200, 204)] == []


def test_its_sheet_is_printed_empty_and_filled(desk: Staff, name: str) -> None:
    _, lines, _, _, words = SHEETS[name]
    table = desk.draw().tables.order_by("number")[0]
    empty = text(desk, "print_blank", 4)
    assert words in empty
    assert [word for word in ("in der Mitte", "Tout", "Farbwenz") if word in empty] == []
    assert numbered_lines(desk.get("print_blank", 4).content.decode()) == len(lines)
    play(table, lines)
    write(table, [("accepted", {})], by="x", at=AT)
    filled = text(desk, "print_sheets", 1, filled="1")
    assert RESULT[name] in filled


def text(desk: Staff, page: str, *args: object, **query: str) -> str:
    answer = desk.get(page, *args, **query)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", unescape(answer.content.decode())).split())


def numbered_lines(page: str) -> int:
    return len(re.findall(r'<th class="c-deal" scope="row">\d+</th>', page))


def test_what_its_own_rules_forbid_is_refused_in_a_sentence(desk: Staff, name: str) -> None:
    _, lines, _, wrong, _ = SHEETS[name]
    table = desk.draw().tables.order_by("number")[0]
    for line in wrong:
        with pytest.raises(Refusal) as caught:
            play(table, [line])
        assert message(caught.value)
    with pytest.raises(Refusal) as caught:
        play(table, lines[1:])
    assert (caught.value.code, caught.value.params["deals"]) == ("not_complete", len(lines))
    play(table, lines)


def test_its_document_is_there_and_back(desk: Staff, name: str) -> None:
    played(desk, name)
    document = export_tournament(desk.tournament)
    again = import_tournament(
        dump(document).replace(f'"{desk.tournament.slug}"', '"noch-einer"'), at=timezone.now()
    )
    assert dump(export_tournament(again)).replace('"noch-einer"', f'"{desk.tournament.slug}"') == dump(
        document
    )
    assert table_monitor("noch-einer") == table_monitor(desk.tournament.slug)
