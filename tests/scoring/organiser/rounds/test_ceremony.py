"""The draw before the hall: the pages of the organiser, of the players, the wall, and what is public at each moment."""

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from tests.factories import ParticipantFactory
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import live_pages
from tests.scoring.services.test_lot import FOUR
from tests.scoring.services.test_lot import desk as desk_of_the_lot
from tournaments.core.wishes import KeepApart
from tournaments.models import Commitment, Round
from tournaments.services.ceremony import _secret_of
from tournaments.services.draw_settings import add_wish, choose_ceremony

__all__ = ["desk_of_the_lot"]


@pytest.fixture
def desk(db: None) -> Staff:
    made = Staff(12)
    choose_ceremony(made.tournament, "hall")
    made.tournament.refresh_from_db()
    return made


def seal(desk: Staff, number: int = 1) -> Commitment:
    assert desk.post("draw", number, exceptions="on", prefer="").status_code == 302
    return the_last(desk)


def the_last(desk: Staff) -> Commitment:
    return Commitment.objects.filter(tournament=desk.tournament).latest("number")


def public(desk: Staff, path: str = "") -> Any:
    return Client().get(f"/t/{desk.tournament.slug}/{path}")


def round_json(desk: Staff, number: int = 1) -> Any:
    return public(desk, f"rounds/{number}.json").json()


def test_the_organiser_seals_and_then_draws_and_shows_in_one_go(desk: Staff) -> None:
    """Two clicks, as many as without the ceremony."""
    sealed = seal(desk)
    page = text_of(desk.get("round", 1))
    assert all(f'<span class="seal__group">{group}</span>' in page for group in sealed.groups)
    assert "12 Spieler. Das Ergebnis kennt noch niemand" in page
    assert not Round.objects.exists()
    answer = text_of(desk.post("draw_sealed", 1, words=" Eichel  sieben ", follow=True))
    assert "Ausgelost und freigegeben" in answer
    released = desk.tournament.rounds.get()
    assert (released.state, the_last(desk).words) == ("released", "Eichel sieben")


def test_the_way_is_chosen_with_the_first_draw_and_stays(db: None) -> None:
    desk = Staff(12)
    assert 'name="ceremony" value="quiet" id="draw_ceremony_0" checked' in text_of(desk.get("round", 1))
    desk.post("draw", 1, exceptions="on", prefer="", ceremony="hall")
    desk.tournament.refresh_from_db()
    assert (desk.tournament.ceremony, desk.tournament.rounds.count()) == ("hall", 0)
    desk.post("draw", 1, exceptions="on", prefer="", ceremony="quiet")
    assert desk.tournament.rounds.get().attempts.get().commitment == the_last(desk)
    assert [row.replaced_at is None for row in desk.tournament.commitments.all()] == [True]


def test_the_commitment_is_public_before_the_result_exists(desk: Staff) -> None:
    assert public(desk, "rounds/1.json").status_code == 404
    sealed = seal(desk)
    record = round_json(desk)
    [row] = record["commitments"]
    assert (record["state"], record["draw"], record["tables"]) == ("sealed", None, [])
    assert (row["digest"], row["words"], row["secret"], row["value"]) == (sealed.digest, None, None, None)
    for path in ("", "screen/", "rounds/1/"):
        page = text_of(public(desk, path))
        assert all(f'<span class="seal__group">{group}</span>' in page for group in sealed.groups), path


def test_with_the_release_everybody_can_check_it(desk: Staff) -> None:
    seal(desk)
    desk.post("draw_sealed", 1, words="Gras")
    record = round_json(desk)
    [commitment] = record["commitments"]
    opened = the_last(desk)
    assert (commitment["words"], commitment["secret"]) == ("Gras", opened.secret)
    assert commitment["value"]["players"] == list(range(1, 13))
    assert record["draw"]["commitment"] == 1
    page = text_of(public(desk, "rounds/1/"))
    assert "Zuruf um" in page
    assert "„Gras“" in page
    assert opened.secret in page


def test_an_abandoned_attempt_is_named_with_its_reason(desk: Staff) -> None:
    seal(desk)
    desk.post("draw_sealed", 1, words="Gras")
    assert desk.post("redraw", 1, exceptions="on", prefer="").status_code == 302
    assert desk.tournament.rounds.get().attempts.count() == 1
    refused = desk.post("draw_sealed", 1, words="Herz")
    assert refused.status_code == 422
    desk.post("draw_sealed", 1, words="Herz", reason="Ein Gast war doppelt")
    record = round_json(desk)
    assert [row["words"] for row in record["commitments"]] == ["Gras", "Herz"]
    assert all(row["secret"] for row in record["commitments"])
    assert record["draw"]["abandoned"][0]["abandoned_because"] == "Ein Gast war doppelt"
    assert "Verworfen: Ein Gast war doppelt" in text_of(public(desk, "rounds/1/"))


def test_a_draw_with_a_given_seed_says_that_there_was_no_ceremony(db: None) -> None:
    desk = Staff(12)
    call_command("draw_round", desk.tournament.slug, "--seed", "07" * 32, "--release", stdout=StringIO())
    assert round_json(desk)["draw"]["commitment"] is None
    assert "Diese Auslosung hatte kein Siegel" in text_of(public(desk, "rounds/1/"))


def test_the_command_line_commits_and_draws_in_one_step(db: None) -> None:
    desk = Staff(12)
    call_command("draw_round", desk.tournament.slug, stdout=StringIO())
    record = round_json(desk)
    assert (record["state"], record["commitments"][0]["words"], record["commitments"][0]["secret"]) == (
        "drawn",
        "",
        None,
    )
    assert record["draw"] is None


def test_the_quiet_way_publishes_the_commitment_and_what_was_abandoned(db: None) -> None:
    desk = Staff(12)
    desk.post("draw", 1, exceptions="on", prefer="")
    desk.post("redraw", 1, exceptions="on", prefer="", reason="Ein Gast fehlte")
    first, second = round_json(desk)["commitments"]
    assert (first["secret"] is None, second["secret"]) == (False, None)
    assert "Verworfen: Ein Gast fehlte" in text_of(public(desk, "rounds/1/"))
    assert round_json(desk)["tables"] == []


def test_a_latecomer_between_seal_and_draw_needs_another_seal(desk: Staff) -> None:
    seal(desk)
    ParticipantFactory.create(tournament=desk.tournament)
    page = text_of(desk.get("round", 1))
    assert "Seit dem Siegel hat sich etwas geändert" in page
    assert "Auslosen und zeigen" not in page
    answer = text_of(desk.post("draw_sealed", 1, words="Gras", follow=True))
    assert answer.count("Bitte neu versiegeln") == 1
    assert the_last(desk).words is None
    assert "Neu versiegeln" in page
    seal(desk)
    desk.post("draw_sealed", 1, words="Gras")
    assert "Um" in text_of(public(desk, "rounds/1/"))
    assert [bool(row["replaced_at"]) for row in round_json(desk)["commitments"]] == [True, False]
    assert desk.tournament.rounds.get().attempts.get().players == list(range(1, 14))


def test_a_private_wish_keeps_the_secret(desk: Staff) -> None:
    add_wish(desk.tournament, KeepApart(1, 2, "Streit", private=True))
    seal(desk)
    desk.post("draw_sealed", 1, words="Gras")
    [row] = round_json(desk)["commitments"]
    assert (row["words"], row["secret"], row["value"]) == ("Gras", None, None)
    assert "Das Geheimnis bleibt es, weil ein Wunsch privat ist" in text_of(public(desk, "rounds/1/"))


@pytest.mark.parametrize("moment", ["sealed", "words", "drawn"])
def test_nobody_learns_the_secret_before_the_release(
    desk: Staff, moment: str, caplog: pytest.LogCaptureFixture
) -> None:
    sealed = seal(desk)
    secret = _secret_of(sealed.nonce)
    if moment == "words":
        Commitment.objects.update(words="Gras", words_at=sealed.made_at)
    if moment == "drawn":
        choose_ceremony(desk.tournament, "quiet")
        desk.post("draw", 1, exceptions="on", prefer="")
    seen = [
        text_of(public(desk, path))
        for path in ("", "screen/", "rounds/1/", "record.json", "leaderboard.json", "rounds/1.json")
    ]
    seen += live_pages(desk.tournament).values()
    seen += [text_of(desk.get(name)) for name in ("overview", "standings")]
    seen += [text_of(desk.get("rounds", all="1")), text_of(desk.get("round", 1)), caplog.text]
    if moment != "drawn":
        seen.append(text_of(desk.get("export")))
    assert secret not in " ".join(seen)
    assert sealed.nonce not in " ".join(seen)
    digests = re.findall(r"[0-9a-f]{64}", " ".join(seen))
    assert sealed.digest in digests


def test_rules_5_7_a_lot_before_the_hall(desk_of_the_lot: Staff) -> None:
    desk = desk_of_the_lot
    choose_ceremony(desk.tournament, "hall")
    players = " ".join(map(str, FOUR))
    assert "Los versiegeln" in text_of(desk.get("standings"))
    desk.post("draw_lot", players=players)
    sealed = the_last(desk)
    assert sealed.round_number is None
    assert all(group in text_of(desk.get("standings")) for group in sealed.groups)
    assert "Los zwischen Gleichen" in text_of(public(desk, "screen/"))
    assert "x" * 61 in text_of(desk.post("draw_sealed_lot", words="x" * 61))
    desk.post("draw_sealed_lot", words="Schelln")
    decision = desk.tournament.decisions.get()
    assert decision.commitment == the_last(desk)
    assert the_last(desk).words == "Schelln"
    record = public(desk, "record.json").json()
    assert record["decisions"][0]["commitment"] == sealed.number
