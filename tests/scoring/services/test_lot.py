"""Tests of the lot that the program draws between players who are equal in the whole tie-break chain (RULES 5.7)."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from scoring.documents import dump, export_tournament, import_tournament
from scoring.models import Decision
from scoring.services.standings import decide, draw_lot
from tests.factories import AT
from tests.scoring.organiser.rounds.test_drawn_ahead import both_drawn, played
from tests.scoring.organiser.rounds.test_knockout import refused
from tests.scoring.pages import Staff, text_of
from tournaments.core.document_reader import DocumentError
from tournaments.core.lot import draw_lot as lot
from tournaments.models import Tournament
from tournaments.services import rounds

pytestmark = pytest.mark.django_db

SEED = "5c" * 32
FOUR = [1, 2, 3, 4]


@pytest.fixture
def desk() -> Staff:
    """Return a tournament with one table and both rounds played, in which all four players are tied without points."""
    evening = both_drawn(4)
    for number in (1, 2):
        rounds.release(evening.tournament, number, reason="gleich", at=AT)
        played(evening.tournament, number)
    return evening


def ranks(tournament: Tournament) -> list[tuple[int, int, bool]]:
    rows = Client().get(f"/t/{tournament.slug}/leaderboard.json").json()["rows"]
    return [(row["rank"], row["start_number"], row["tied"]) for row in rows]


def test_rules_5_7_until_the_organiser_asks_for_it_the_rank_is_shared(desk: Staff) -> None:
    """RULES 5.7."""
    assert ranks(desk.tournament) == [(1, number, True) for number in FOUR]


def test_rules_5_7_one_click_draws_the_lot_and_shows_seed_and_order(desk: Staff) -> None:
    """RULES 5.7. The seed reproduces the order."""
    asked = text_of(desk.get("standings"))
    page = text_of(desk.post("draw_lot", players="1 2 3 4", follow=True))
    decision = Decision.objects.get(tournament=desk.tournament)
    order = list(lot(decision.seed, FOUR))
    names = dict(desk.tournament.participants.values_list("start_number", "name"))
    assert "Los ziehen" in asked
    assert 'value="lot"' not in asked
    assert (decision.kind, decision.order, len(decision.seed)) == ("lot", order, 64)
    assert decision.seed in page
    assert f"Los: {' vor '.join(names[number] for number in order)}" in page
    assert ranks(desk.tournament) == [(rank, number, False) for rank, number in enumerate(order, start=1)]


def test_rules_5_7_chance_is_new_for_every_lot(desk: Staff) -> None:
    """RULES 5.7. A revoked lot stays on record with its seed."""
    for _ in range(2):
        desk.post("draw_lot", players="1 2 3 4")
        decision = Decision.objects.filter(tournament=desk.tournament).latest("id")
        desk.post("revoke_decision", decision.pk)
    seeds = set(Decision.objects.filter(tournament=desk.tournament).values_list("seed", flat=True))
    assert len(seeds) == 2
    assert ranks(desk.tournament)[0] == (1, 1, True)


def test_rules_5_7_paper_names_the_seed(desk: Staff) -> None:
    """RULES 5.7."""
    draw_lot(desk.tournament, FOUR, by="x", at=AT, seed=SEED)
    page = text_of(desk.get("print_standings"))
    assert "Das Los hat entschieden:" in page
    assert f"Startwert: {SEED}" in page


# --- refusals ------------------------------------------------------------------------------------------------------


def test_only_all_who_share_a_rank_are_drawn_between(desk: Staff) -> None:
    codes = [
        refused(lambda: draw_lot(desk.tournament, [1, 2], by="x", at=AT)),
        refused(lambda: draw_lot(desk.tournament, [], by="x", at=AT)),
        refused(lambda: draw_lot(desk.tournament, [*FOUR, 4], by="x", at=AT)),
        refused(lambda: draw_lot(desk.tournament, FOUR, by="x", at=AT, seed="5c")),
    ]
    assert codes == ["not_tied", "not_tied", "not_tied", "seed_bad"]
    assert "sind nicht in allem gleich" in text_of(desk.post("draw_lot", players="1 2 x", follow=True))
    assert not Decision.objects.filter(tournament=desk.tournament).exists()


def test_a_lot_by_hand_is_refused_where_the_program_draws_it_and_the_other_way_round(desk: Staff) -> None:
    def by_hand() -> object:
        return decide(desk.tournament, kind="lot", order=FOUR, reason="gezogen", by="x", at=AT)

    other = Staff(4)
    assert refused(by_hand) == "lot_is_drawn_by_program"
    assert refused(lambda: draw_lot(other.tournament, FOUR, by="x", at=AT)) == "lot_is_drawn_by_hand"
    decide(desk.tournament, kind="playoff", order=FOUR, reason="gestochen", by="x", at=AT)
    assert ranks(desk.tournament) == [(number, number, False) for number in FOUR]


# --- the document --------------------------------------------------------------------------------------------------


def test_rules_5_7_the_document_keeps_the_seed_and_every_lot_is_drawn_again(
    desk: Staff, tmp_path: Path
) -> None:
    """RULES 5.7. Lots are verified on import, and by the command without a database."""
    draw_lot(desk.tournament, FOUR, by="x", at=AT, seed=SEED)
    document = export_tournament(desk.tournament)
    document["tournament"]["slug"] = "kopie"
    copy = import_tournament(dump(document), at=timezone.now())
    assert dump(export_tournament(copy)) == dump(document)
    assert ranks(copy) == ranks(desk.tournament)
    file, said = tmp_path / "kopie.json", StringIO()
    file.write_text(dump(document))
    call_command("verify_draw", str(file), stdout=said)
    assert said.getvalue().splitlines()[-2:] == ["lots: 1", "verified: 2 of 2 rounds"]


@pytest.mark.parametrize(
    ("change", "path", "code"),
    [
        ({"seed": "5d" * 32}, "$.decisions[0].order", "lot_does_not_match"),
        ({"seed": "5c"}, "$.decisions[0].seed", "seed_bad"),
        ({"kind": "playoff"}, "$.decisions[0].seed", "lot_does_not_match"),
        ({"seed": None}, "$.decisions[0].reason", "document_text_expected"),
    ],
)
def test_a_lot_that_does_not_follow_from_its_seed_is_found_out(
    desk: Staff, change: dict[str, object], path: str, code: str
) -> None:
    draw_lot(desk.tournament, FOUR, by="x", at=AT, seed=SEED)
    document = json.loads(dump(export_tournament(desk.tournament)))
    document["tournament"]["slug"] = "kopie"
    document["decisions"][0] |= change
    with pytest.raises(DocumentError) as error:
        import_tournament(json.dumps(document), at=AT)
    assert (error.value.path, error.value.refusal.code) == (path, code)
