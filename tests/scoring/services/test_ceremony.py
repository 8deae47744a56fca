"""The ceremony of a draw: a commitment, the words of the hall, the draw, and what the database keeps of it."""

import json
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils.crypto import salted_hmac

from scoring.documents import dump, export_tournament, import_tournament
from scoring.documents.marks import verify_marks
from scoring.services import dump as dump_of_the_database
from scoring.services import sheets
from scoring.services.ceremonies import draw_sealed, draw_sealed_lot, seal_draw, seal_lot
from scoring.services.projection import wrong_commitments
from scoring.services.purge import delete_tournament, erase_person
from scoring.services.rounds import DrawOptions, close, draw_again, draw_next
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_paper_sheet
from tests.scoring.pages import Staff
from tests.scoring.services.test_digests import behind_the_back
from tests.scoring.services.test_lot import FOUR
from tests.scoring.services.test_lot import desk as desk
from tournaments.core.canonical import canonical
from tournaments.core.document_reader import DocumentError
from tournaments.core.draw import draw
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import KeepApart
from tournaments.models import Commitment, Participant, Round, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import draw_settings, rounds
from tournaments.verification import verify_draws, verify_lots

OPTIONS = DrawOptions(exceptions=True)
LATER = AT + timedelta(minutes=1)


@pytest.fixture
def tournament(db: None) -> Tournament:
    made: Tournament = TournamentFactory.create(slug="herbst", name="Herbst", owner=UserFactory.create())
    ParticipantFactory.create_batch(12, tournament=made)
    return made


def seal(tournament: Tournament, number: int = 1) -> list[Commitment]:
    return seal_draw(tournament, number, options=OPTIONS, by="leitung", at=AT)


def drawn(tournament: Tournament, number: int = 1, words: str = "Eichel sieben", reason: str = "") -> Round:
    return draw_sealed(tournament, number, words=words, reason=reason, by="leitung", at=LATER)[0]


def refused(tournament: Tournament, words: str = "", reason: str = "") -> str:
    with pytest.raises(Refusal) as caught:
        drawn(tournament, words=words, reason=reason)
    return caught.value.code


def the_last(tournament: Tournament) -> Commitment:
    return tournament.commitments.latest("number")


def test_the_seed_follows_from_the_secret_and_the_words_and_the_tables_from_the_seed(
    tournament: Tournament,
) -> None:
    [sealed] = seal(tournament)
    assert (sealed.secret, sealed.words, len(sealed.digest)) == ("", None, 64)
    attempt = drawn(tournament).attempts.get()
    opened = the_last(tournament)
    assert opened.digest == sealed.digest
    assert sha256(canonical({**opened.value, "secret": opened.secret})).hexdigest() == opened.digest
    assert attempt.seed == sha256(bytes.fromhex(opened.secret) + b"Eichel sieben").hexdigest()
    assert (attempt.commitment, opened.words, opened.words_at) == (opened, "Eichel sieben", LATER)


def test_the_same_words_with_another_secret_give_another_draw(tournament: Tournament) -> None:
    seal(tournament)
    first = drawn(tournament).attempts.get()
    seal(tournament)
    second = drawn(tournament, reason="noch einmal").attempts.get(abandoned_at=None)
    assert first.commitment
    assert second.commitment
    assert first.commitment.secret != second.commitment.secret
    assert first.drawn() != second.drawn()


def test_the_same_secret_with_other_words_gives_another_draw(tournament: Tournament) -> None:
    seal(tournament)
    attempt = drawn(tournament).attempts.get()
    secret = the_last(tournament).secret
    seeds = [sha256(bytes.fromhex(secret) + words.encode()).hexdigest() for words in ("", "17", "Gras")]
    tables = {
        draw(version=2, mode=attempt.mode, seed=seed, players=attempt.players, sizes=attempt.sizes)
        for seed in seeds
    }
    assert len({*tables, attempt.drawn()}) == 4


def test_the_secret_is_published_with_the_release(tournament: Tournament) -> None:
    seal(tournament)
    assert the_last(tournament).public_secret is None
    drawn(tournament)
    assert the_last(tournament).public_secret is None
    rounds.release(tournament, 1, at=LATER)
    assert the_last(tournament).public_secret == the_last(tournament).secret != ""


def test_an_abandoned_attempt_is_published_and_the_next_one_mentions_it(tournament: Tournament) -> None:
    seal(tournament)
    drawn(tournament)
    draw_again(tournament, 1, options=OPTIONS, reason="falsche Liste", by="leitung", at=LATER)
    first, second = tournament.commitments.all()
    assert first.revealed_at is not None
    assert second.value["before"] == {
        "digest": first.digest,
        "secret": first.secret,
        "words": "Eichel sieben",
    }
    assert (second.value["attempt"], second.words, second.revealed_at) == (2, "", None)


def test_a_latecomer_before_the_draw_makes_another_commitment(tournament: Tournament) -> None:
    seal(tournament)
    ParticipantFactory.create(tournament=tournament)
    assert refused(tournament, "Gras") == "commitment_outdated"
    assert the_last(tournament).words is None
    seal(tournament)
    first, second = tournament.commitments.all()
    assert first.replaced_at == AT
    assert first.public_secret
    assert len(second.value["players"]) == 13
    assert drawn(tournament).attempts.get().commitment == second


@pytest.mark.parametrize("what", ["a wish", "somebody goes"])
def test_a_changed_input_of_the_draw_makes_the_commitment_outdated(tournament: Tournament, what: str) -> None:
    seal(tournament)
    if what == "a wish":
        draw_settings.add_wish(tournament, KeepApart(1, 2, "Geschwister"))
    else:
        tournament.participants.filter(start_number=12).update(presence=Participant.Presence.ABSENT)
    assert refused(tournament) == "commitment_outdated"
    assert not tournament.rounds.exists()


def test_recorded_words_of_the_hall_stay(tournament: Tournament) -> None:
    seal(tournament)
    drawn(tournament)
    seal(tournament)
    assert refused(tournament, words="Gras") == "text_empty"  # a draw once more needs a reason
    assert the_last(tournament).words == "Gras"
    assert refused(tournament, words="Herz", reason="darum") == "words_are_said"
    drawn(tournament, words="Gras", reason="darum")


def test_without_a_commitment_nothing_is_drawn(tournament: Tournament) -> None:
    assert refused(tournament) == "nothing_is_sealed"
    seal(tournament)
    draw_next(tournament, number=1, options=DrawOptions(exceptions=True, seed="07" * 32), by="x", at=AT)
    assert refused(tournament) == "nothing_is_sealed"
    assert tournament.rounds.get().attempts.get().commitment is None
    assert the_last(tournament).replaced_at is not None


def test_a_draw_in_one_step_is_committed_to_as_well(tournament: Tournament) -> None:
    made = draw_next(tournament, number=1, options=OPTIONS, by="x", at=AT)
    assert made.attempts.get().commitment == the_last(tournament)
    assert the_last(tournament).words == ""


def test_rounds_that_are_drawn_ahead_are_sealed_together_and_each_opened_when_it_is_released(
    db: None,
) -> None:
    rules = preset("schafkopf")
    made: Tournament = TournamentFactory.create(ruleset=rules.to_dict())
    assert rules.drawn_ahead
    ParticipantFactory.create_batch(12, tournament=made)
    sealed = seal(made)
    assert [row.round_number for row in sealed] == list(range(1, rules.most_rounds + 1))
    assert all(row.value["history"] == [] for row in sealed)
    drawn_rounds = draw_sealed(made, 1, words="Gras", by="x", at=LATER)
    assert len(drawn_rounds) == rules.most_rounds
    assert {row.words for row in made.commitments.all()} == {"Gras"}
    rounds.release(made, 1, reason="Schreiber folgen", at=LATER)
    assert [row.public_secret is not None for row in made.commitments.all()] == [
        True,
        *[False] * (len(drawn_rounds) - 1),
    ]
    assert len(verify_draws(dump(export_tournament(made)))) == rules.most_rounds


def test_a_commitment_that_the_key_does_not_open_is_made_anew(tournament: Tournament, settings) -> None:  # type: ignore[no-untyped-def]
    """As after a restore without the key of the server."""
    seal(tournament)
    settings.SECRET_KEY = "another key of this server, as long as it should be, and random"
    assert refused(tournament) == "commitment_cannot_be_opened"
    seal(tournament)
    first, _second = tournament.commitments.all()
    assert (first.secret, first.revealed_at, first.replaced_at) == ("", None, AT)
    drawn(tournament, words="")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tournaments_commitment SET digest = repeat('0', 64)",
        "UPDATE tournaments_commitment SET words = 'Herz'",
        "UPDATE tournaments_commitment SET words = NULL, words_at = NULL",
        "UPDATE tournaments_commitment SET secret = repeat('0', 64)",
        "UPDATE tournaments_commitment SET made_at = now()",
        "UPDATE tournaments_commitment SET value = value || '{\"players\": []}'",
        "UPDATE tournaments_commitment SET revealed_at = NULL",
        "UPDATE tournaments_commitment SET replaced_at = now()",
        "UPDATE tournaments_drawattempt SET commitment_id = NULL",
        "UPDATE tournaments_drawattempt SET seed = repeat('0', 64)",
        "UPDATE tournaments_drawattempt SET players = '[1]'",
        'UPDATE tournaments_drawattempt SET wishes = \'[{"a": 1, "b": 2, "kind": "keep_apart"}]\'',
        "DELETE FROM tournaments_commitment",
        "DELETE FROM tournaments_drawattempt",
        "TRUNCATE tournaments_commitment CASCADE",
    ],
)
def test_the_database_keeps_what_was_committed_to(tournament: Tournament, statement: str) -> None:
    seal(tournament)
    drawn(tournament)
    rounds.release(tournament, 1, at=LATER)
    connection.check_constraints()
    with pytest.raises(DatabaseError, match="stays as it was made"), transaction.atomic():
        connection.cursor().execute(statement)


def test_words_can_be_said_once_and_not_after_the_draw(tournament: Tournament) -> None:
    """The control: before the draw the same statement goes through."""
    seal(tournament)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tournaments_commitment SET words = 'Herz', words_at = now()")
    drawn(tournament, words="Herz")


def test_a_purge_still_deletes_and_erases(tournament: Tournament) -> None:
    draw_settings.add_wish(tournament, KeepApart(1, 2, "Geschwister"))
    seal(tournament)
    drawn(tournament)
    draw_again(tournament, 1, options=OPTIONS, reason="noch einmal", by="leitung", at=LATER)
    erase_person(tournament, 1, by="leitung", at=AT)
    assert [attempt.wishes[0]["reason"] for attempt in tournament.rounds.get().attempts.all()] == ["–", "–"]
    delete_tournament(tournament, typed="Herbst", by="leitung", at=AT)
    assert not Commitment.objects.exists()


def test_rules_5_7_a_lot_goes_through_the_same_ceremony(desk: Staff) -> None:
    sealed = seal_lot(desk.tournament, FOUR, by="x", at=AT)
    decision = draw_sealed_lot(desk.tournament, words="Schelln", by="x", at=AT)
    opened = the_last(desk.tournament)
    assert decision.commitment == opened == sealed
    assert opened.public_secret
    assert decision.seed == sha256(bytes.fromhex(opened.secret) + b"Schelln").hexdigest()
    assert verify_lots(dump(export_tournament(desk.tournament))) == 1


def played(tournament: Tournament) -> None:
    """Play a round that was drawn twice after a latecomer, and draw the next one."""
    seal(tournament)
    ParticipantFactory.create(tournament=tournament)
    seal(tournament)
    drawn(tournament)
    draw_again(tournament, 1, options=OPTIONS, reason="falsche Liste", by="leitung", at=LATER)
    rounds.release(tournament, 1, at=LATER)
    for table in tournament.rounds.get().tables.all():
        a_paper_sheet(table)
    close(tournament, 1, at=LATER)
    seal(tournament, 2)
    drawn(tournament, 2, words="")


def test_a_document_keeps_the_commitments_but_no_secret_of_an_open_one(tournament: Tournament) -> None:
    played(tournament)
    rounds.release(tournament, 2, at=LATER)
    exported = dump(export_tournament(tournament))
    assert [verified.attempts for verified in verify_draws(exported)] == [2, 1]
    delete_tournament(tournament, typed="Herbst", by="leitung", at=AT)
    assert dump(export_tournament(import_tournament(exported, at=AT))) == exported


@pytest.mark.parametrize(
    ("forge", "path"),
    [
        (lambda made: made["marks"].pop(0), "$.marks[0].digest"),
        (lambda made: made["marks"][0].update(digest="0" * 64), "$.marks[0].digest"),
        (lambda made: made["rounds"][0]["draw"].update(commitment=None), "$.marks[1].draw"),
        (lambda made: made["commitments"][2].update(digest="0" * 64), "$.commitments[2].digest"),
    ],
)
def test_a_mark_of_a_document_is_over_the_draw_of_its_round(
    tournament: Tournament, forge: Callable[[Any], object], path: str
) -> None:
    played(tournament)
    corrected(tournament)
    document = export_tournament(tournament)
    verify_marks(json.dumps(document))
    forge(document)
    with pytest.raises(DocumentError) as caught:
        verify_marks(json.dumps(document))
    assert caught.value.path == path


def corrected(tournament: Tournament) -> None:
    table = tournament.rounds.get(number=1).tables.order_by("number")[0]
    drafts = [("reopened", {"reason": "x"}), ("accepted", {"reason": "x"})]
    sheets.write(table, drafts, by="x", at=LATER)


def test_the_document_of_an_open_commitment_says_nothing_of_its_secret(tournament: Tournament) -> None:
    [sealed] = seal(tournament)
    exported = export_tournament(tournament)
    assert exported["commitments"][0]["secret"] is None
    assert sealed.nonce not in dump(exported)


FORGED: list[tuple[Callable[[Any], object], str]] = [
    (lambda made: made["commitments"][0].update(secret="5c" * 32), "commitment_does_not_match"),
    (lambda made: made["commitments"][1].update(words="Herz"), "commitment_does_not_match"),
    (lambda made: made["commitments"][2].update(words="Herz"), "commitment_does_not_match"),
    (lambda made: made["commitments"][3].update(words="Herz"), "commitment_does_not_match"),
    (lambda made: made["commitments"].pop(0), "document_number_expected"),
    (lambda made: made["commitments"][1]["value"]["players"].pop(), "commitment_does_not_match"),
    (lambda made: made["rounds"][1]["draw"].update(commitment=3), "commitment_does_not_match"),
    (lambda made: made["rounds"][1]["draw"].update(seed="5c" * 32), "draw_does_not_match"),
    (lambda made: made["rounds"][0]["draw"].update(commitment=9), "commitment_does_not_match"),
]


@pytest.mark.parametrize("place", range(len(FORGED)))
def test_a_document_whose_commitments_do_not_hold_is_refused(tournament: Tournament, place: int) -> None:
    forge, code = FORGED[place]
    played(tournament)
    document = export_tournament(tournament)
    forge(document)
    with pytest.raises(DocumentError) as caught:
        verify_draws(json.dumps(document))
    assert caught.value.refusal.code == code


BEHIND_THE_BACK = [
    "UPDATE tournaments_commitment SET words = 'Herz' WHERE number = 4",
    "UPDATE tournaments_commitment SET secret = repeat('0', 64) WHERE number = 1",
    "UPDATE tournaments_commitment SET digest = repeat('0', 64) WHERE number = 2",
    'UPDATE tournaments_commitment SET value = value || \'{"mode": "random"}\' WHERE number = 4',
    "UPDATE tournaments_drawattempt SET seed = repeat('0', 64) WHERE abandoned_at IS NULL",
    "UPDATE tournaments_drawattempt SET commitment_id = NULL WHERE abandoned_at IS NOT NULL",
    "DELETE FROM tournaments_commitment WHERE number = 1",
]


@pytest.mark.parametrize("statement", BEHIND_THE_BACK)
def test_a_change_without_the_triggers_is_found(tournament: Tournament, statement: str) -> None:
    played(tournament)
    assert wrong_commitments(tournament) == []
    behind_the_back(statement)
    assert wrong_commitments(tournament)


def test_a_backup_without_the_key_does_not_tell_the_secret(committed: None, settings: Any) -> None:
    """The control: with the key it follows from what is in the backup."""
    made: Tournament = TournamentFactory.create(slug="ohne-schluessel")
    ParticipantFactory.create_batch(12, tournament=made)
    [sealed] = seal(made)
    written = BytesIO()
    dump_of_the_database.dump(
        written, key=settings.SECRET_KEY, with_key=False, public_url="http://localhost", at=AT
    )
    with ZipFile(written) as archive:
        rows = b"".join(archive.read(name) for name in archive.namelist())
    drawn(made)
    secret = the_last(made).secret
    assert sealed.nonce.encode() in rows
    assert secret.encode() not in rows
    salted = salted_hmac("tournaments.ceremony", sealed.nonce, settings.SECRET_KEY, algorithm="sha256")
    assert salted.hexdigest() == secret
