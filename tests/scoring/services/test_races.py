"""Race tests: two simultaneous draws, a submission and a correction, an entry and a redraw.

Each race is run several times, because two threads do not always collide. A control with a barrier in place of the
lock shows what would happen without the lock.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from scoring.core.entries import Entry
from scoring.models import ParkedEntry, SeatResult, Sheet, SheetEntry
from scoring.services import sheets
from scoring.services.paper import accept_submitted, correct
from scoring.services.parked_entries import adopt
from scoring.services.projection import rebuild_results
from scoring.services.purge import BLANK, delete_tournament, erase_person
from scoring.services.rounds import DrawOptions, close, draw_again, draw_next
from scoring.services.seats import substitute, take_seat
from scoring.services.sheets import EntryOutcome, Sent, record, take_pen, write
from scoring.sheet_log import OpenSheet, open_sheet
from tests.factories import ParticipantFactory
from tests.races import at_once, while_uncommitted
from tests.races import kept_threads as kept_threads
from tournaments.core.draw import Replaced
from tournaments.core.refusal import Refusal
from tournaments.models import DrawAttempt, Participant, Round, Table, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import rounds
from tournaments.services.door import Newcomer, hand_over, register
from tournaments.services.ending import end_tournament
from tournaments.services.seats import change_seats
from tournaments.services.tournaments import create_tournament

AT = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
TIMES = 8
RANKS = {"ranks": {str(seat): seat for seat in range(1, 6)}}
OTHER_RANKS = {"ranks": {"1": 2, "2": 1, "3": 3, "4": 4, "5": 5}}

pytestmark = pytest.mark.usefixtures("kept_threads")


def tournament(players: int = 5) -> Tournament:
    made = create_tournament(
        slug=f"rennen-{uuid4()}"[:40],
        name="Preisschnauz",
        played_on=date(2026, 11, 21),
        place="",
        names="full",
        ruleset=preset("schnauz-placing"),
        owner=None,
        at=AT,
    )
    ParticipantFactory.create_batch(players, tournament=made)
    return made


def released(players: int = 5) -> tuple[Tournament, Table]:
    made = tournament(players)
    draw_next(made, number=1, options=DrawOptions(), by="x", at=AT)
    rounds.release(made, 1, at=AT)
    return made, Table.objects.get(round__tournament=made, number=1)


def code_of(answer: object) -> str:
    """Return "done" or the code of the refusal. Raise any other exception."""
    if isinstance(answer, Refusal):
        return answer.code
    if isinstance(answer, Exception):
        raise answer
    return "done"


# --- the draw ------------------------------------------------------------------------------------------------------


def test_two_organisers_drawing_at_once_give_one_draw() -> None:
    for _ in range(TIMES):
        made = tournament(10)
        draws = [partial(draw_next, made, number=1, options=DrawOptions(), by=by, at=AT) for by in "ab"]
        answers = at_once(*draws)
        assert sorted(map(code_of, answers)) == ["done", "round_already_drawn"]
        attempt = DrawAttempt.objects.get(round__tournament=made)
        assert made.seats.count() == len(attempt.players) == 10


def test_without_the_lock_the_second_draw_would_run_into_the_first() -> None:
    """Control: both see that nothing is drawn, and only the database's constraint stops the second draw."""
    made = tournament(10)
    both_have_looked = Barrier(2, timeout=60)

    def draw() -> Round:
        with transaction.atomic():
            assert not Round.objects.filter(tournament=made, number=1).exists()
            both_have_looked.wait()
            return made.rounds.create(number=1, drawn_at=AT)

    assert {type(answer) for answer in at_once(draw, draw)} == {Round, IntegrityError}


def test_two_organisers_redrawing_at_once_leave_one_attempt_in_force() -> None:
    for _ in range(TIMES):
        made, _table = released(10)
        redraws = [
            partial(draw_again, made, 1, options=DrawOptions(), reason="noch einer da", by=by, at=AT)
            for by in "ab"
        ]
        assert [code_of(answer) for answer in at_once(*redraws)] == ["done", "done"]
        assert DrawAttempt.objects.filter(round__tournament=made, abandoned_at=None).count() == 1
        assert made.seats.count() == 10


# --- the end of the tournament against its next round --------------------------------------------------------------


def test_of_the_end_and_the_release_of_the_next_round_exactly_one_wins() -> None:
    for index in range(TIMES):
        made, _table = released()
        close(made, 1, reason="x", at=AT)
        draw_next(made, number=2, options=DrawOptions(), by="x", at=AT)
        ending = partial(end_tournament, made, reason="spät", by="x", at=AT)
        releasing = partial(rounds.release, made, 2, at=AT)
        ended, shown = at_once(ending, releasing) if index % 2 else reversed(at_once(releasing, ending))
        assert (code_of(ended), code_of(shown)) in [("done", "tournament_ended"), ("round_in_play", "done")]


def test_without_the_lock_a_round_would_be_in_play_after_the_end() -> None:
    """Control: both see what they need, and the database's triggers do not see the other's change either."""
    made, _table = released()
    close(made, 1, reason="x", at=AT)
    drawn = draw_next(made, number=2, options=DrawOptions(), by="x", at=AT)
    both_have_looked, both_have_written = Barrier(2, timeout=30), Barrier(2, timeout=30)

    def end() -> int:
        with transaction.atomic():
            assert not Round.objects.filter(tournament=made, state="released").exists()
            both_have_looked.wait()
            changed = Tournament.objects.filter(pk=made.pk).update(ended_at=AT, ended_reason="spät")
            both_have_written.wait()
            return changed

    def release() -> int:
        with transaction.atomic():
            assert not Tournament.objects.filter(pk=made.pk, ended_at__isnull=False).exists()
            both_have_looked.wait()
            changed = Round.objects.filter(pk=drawn.pk).update(state="released")
            both_have_written.wait()
            return changed

    assert at_once(end, release) == [1, 1]
    # What no service makes is not left behind: other tests restore all that was committed.
    Tournament.objects.filter(pk=made.pk).update(ended_at=None, ended_reason="")


def test_of_the_end_and_the_next_draw_the_end_comes_last_or_the_draw_is_refused() -> None:
    for index in range(TIMES):
        made, _table = released()
        close(made, 1, reason="x", at=AT)
        ending = partial(end_tournament, made, reason="spät", by="x", at=AT)
        drawing = partial(draw_next, made, number=2, options=DrawOptions(), by="x", at=AT)
        ended, drawn = at_once(ending, drawing) if index % 2 else reversed(at_once(drawing, ending))
        assert code_of(ended) == "done"
        assert code_of(drawn) in ("done", "tournament_ended")
        assert made.rounds.count() == (2 if code_of(drawn) == "done" else 1)


def test_a_tournament_that_is_deleted_while_a_table_writes_leaves_nothing() -> None:
    for index in range(TIMES):
        made, table = released()
        if index % 2:  # otherwise this entry creates the sheet
            take_pen(table, device="a", at=AT)
        entry = partial(write, table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
        delete = partial(delete_tournament, made, typed=made.name, by="leitung", at=AT)
        written, deleted = at_once(entry, delete) if index % 3 else reversed(at_once(delete, entry))
        assert code_of(deleted) == "done"
        assert isinstance(written, Table.DoesNotExist) or code_of(written) == "done"
        assert not SheetEntry.objects.filter(tournament_id=made.pk).exists()
        assert not Sheet.objects.filter(table_id=table.pk).exists()


# --- an entry against a redraw -------------------------------------------------------------------------------------


def test_of_a_first_entry_and_a_redraw_exactly_one_wins() -> None:
    winners = set()
    for index in range(2 * TIMES):
        made, table = released()
        if index % 2:  # otherwise this entry creates the sheet
            take_pen(table, device="a", at=AT)
        entry = partial(write, table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
        redraw = partial(draw_again, made, 1, options=DrawOptions(), reason="x", by="y", at=AT)
        written, redrawn = at_once(entry, redraw) if index % 3 else reversed(at_once(redraw, entry))
        entries = SheetEntry.objects.filter(tournament=made).count()
        if isinstance(written, Table.DoesNotExist):
            assert (code_of(redrawn), entries) == ("done", 0)
            winners.add("redraw")
        else:
            assert (code_of(written), code_of(redrawn), entries) == ("done", "round_has_entries", 1)
            winners.add("entry")
    assert winners <= {"entry", "redraw"}


def test_without_the_foreign_key_the_entry_would_be_gone_with_its_table() -> None:
    """Control: a redraw that checks first and deletes later misses an entry in between."""
    made, table = released()
    looked, written = Barrier(2, timeout=60), Barrier(2, timeout=60)

    def redraw() -> bool:
        with transaction.atomic():
            nothing_there = not SheetEntry.objects.filter(tournament=made).exists()
            looked.wait()
            written.wait()
            return nothing_there

    def entry() -> bool:
        looked.wait()
        write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
        written.wait()
        return SheetEntry.objects.filter(tournament=made).exists()

    assert at_once(redraw, entry) == [True, True]
    with pytest.raises(Refusal) as refused:
        draw_again(made, 1, options=DrawOptions(), reason="x", by="y", at=AT)
    assert refused.value.code == "round_has_entries"


# --- an entry against a change of seats ----------------------------------------------------------------------------


def test_of_a_first_entry_and_a_latecomer_exactly_one_wins() -> None:
    for index in range(TIMES):
        made, table = released()
        register(made, Newcomer("Spätkommer"), paid=False, by="x", at=AT)
        pen = take_pen(table, device="a", at=AT).row.pen_epoch

        def entry(table: Table = table, pen: int = pen) -> EntryOutcome:
            sent = Sent(str(uuid4()), "stroke", {"seat_number": 1, "mark": "schnauz"}, AT)
            return record(table, [sent], device="a", pen_epoch=pen, at=AT)[0][0]

        join = partial(take_seat, made, 1, player=6, table=1, reason="kam später", by="x", at=AT)
        written, joined = at_once(entry, join) if index % 2 else reversed(at_once(join, entry))
        assert isinstance(written, EntryOutcome)
        seats = table.seats.count()
        assert (written.outcome, code_of(joined), seats) in [
            ("recorded", "table_has_begun", 5),
            ("parked", "done", 6),
        ]


def test_without_the_sheets_lock_an_entry_would_be_written_for_seats_that_are_no_more() -> None:
    """Control: a check of the sheet without its lock misses an entry in between."""
    made, table = released()
    take_pen(table, device="a", at=AT)
    looked, written = Barrier(2, timeout=60), Barrier(2, timeout=60)

    def join() -> bool:
        with transaction.atomic():
            is_empty = not open_sheet(table.pk).log.entries
            looked.wait()
            written.wait()
            return is_empty

    def entry() -> bool:
        looked.wait()
        write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
        written.wait()
        return SheetEntry.objects.filter(tournament=made).exists()

    assert at_once(join, entry) == [True, True]


def test_two_latecomers_at_two_desks_get_two_seats() -> None:
    for _ in range(TIMES):
        made, table = released()
        for name in "ab":
            register(made, Newcomer(f"Spätkommer {name}"), paid=False, by="x", at=AT)
        joins = [
            partial(take_seat, made, 1, player=player, table=1, reason="kam später", by="x", at=AT)
            for player in (6, 7)
        ]
        assert [code_of(answer) for answer in at_once(*joins)] == ["done", "done"]
        assert list(table.seats.values_list("seat_number", flat=True)) == [1, 2, 3, 4, 5, 6, 7]
        assert list(table.round.attempts.get().changes.values_list("sequence", flat=True)) == [1, 2]


def test_without_the_tournaments_lock_both_would_take_the_same_seat() -> None:
    """Control: both see five players at the table, and only the database's constraint stops the second one."""
    made, table = released()
    newcomers = [
        register(made, Newcomer(f"Spätkommer {name}"), paid=False, by="x", at=AT).start_number
        for name in "ab"
    ]
    both_have_looked = Barrier(2, timeout=60)

    def join(player: int) -> None:
        with transaction.atomic():
            free = table.seats.count() + 1
            both_have_looked.wait()
            participant = made.participants.get(start_number=player)
            made.seats.create(round=table.round, table=table, participant=participant, seat_number=free)

    answers = at_once(*(partial(join, player) for player in newcomers))
    assert sorted(type(answer).__name__ for answer in answers) == ["IntegrityError", "NoneType"]


# --- handing in against correcting ---------------------------------------------------------------------------------


def test_a_phone_hands_in_while_the_organiser_corrects() -> None:
    """In either order the correction counts, and no sheet is submitted whose correction the scribe has not seen."""
    for _ in range(TIMES):
        made, table = released()
        pen = take_pen(table, device="a", at=AT).row.pen_epoch
        ranked = Sent(str(uuid4()), "ranked", RANKS, AT)
        record(table, [ranked], device="a", pen_epoch=pen, at=AT)

        def hand_in(table: Table = table, pen: int = pen) -> EntryOutcome:
            sent = Sent(str(uuid4()), "submitted", {}, AT)
            return record(table, [sent], device="a", pen_epoch=pen, at=AT)[0][0]

        def amend(table: Table = table, ranked: Sent = ranked) -> object:
            return correct(table, ranked.id, OTHER_RANKS, reason="vertauscht", accept=False, by="x", at=AT)

        handed_in, corrected = at_once(hand_in, amend)
        log = open_sheet(table.pk).log
        assert code_of(corrected) == "done"
        assert isinstance(handed_in, EntryOutcome)
        kinds = [entry.kind for entry in log.entries]
        expected = {
            "recorded": ["ranked", "submitted", "reopened", "corrected"],
            "parked": ["ranked", "corrected"],
        }
        assert kinds == expected[handed_in.outcome]
        assert [score.rank for score in log.results] == [2, 1, 3, 4, 5]
        assert rebuild_results(made) == []


def test_without_the_lock_a_sheet_would_be_handed_in_twice() -> None:
    """Control: two writers that replay the same log both find their entry valid."""
    _, table = released()
    write(table, [("ranked", RANKS)], by="x", at=AT)
    both_have_read = Barrier(2, timeout=60)

    def hand_in() -> object:
        with transaction.atomic():
            sheet = open_sheet(table.pk)
            both_have_read.wait()
            recorder = sheets.SheetRecorder(sheet, device="", pen_epoch=None, at=AT)
            recorder.append(Entry(str(uuid4()), "submitted", {}, "organiser", made_at=AT))
            return recorder.save()

    answers = at_once(hand_in, hand_in)
    assert sorted(isinstance(answer, IntegrityError) for answer in answers) == [False, True]


def test_two_organisers_accept_a_sheet_once() -> None:
    for _ in range(TIMES):
        made, table = released()
        write(table, [("ranked", RANKS), ("submitted", {})], by="x", at=AT)
        accept = partial(write, table, [("accepted", {})], by="a", at=AT)
        all_of_them = partial(accept_submitted, made, 1, by="b", at=AT)
        at_once(accept, all_of_them)
        assert SheetEntry.objects.filter(tournament=made, kind="accepted").count() == 1
        assert SeatResult.objects.filter(seat__tournament=made, accepted=True).count() == 5


# --- closing -------------------------------------------------------------------------------------------------------


def test_a_round_never_closes_over_a_sheet_that_is_reopened_in_the_same_moment() -> None:
    for _ in range(TIMES):
        made, table = released()
        write(table, [("ranked", RANKS), ("accepted", {"reason": "x"})], by="x", at=AT)
        reopen = partial(write, table, [("reopened", {"reason": "falsch"})], by="a", at=AT)
        shut = partial(close, made, 1, at=AT)
        reopened, closed = at_once(reopen, shut)
        state = Round.objects.get(tournament=made).state
        assert code_of(reopened) == "done"
        assert (state, code_of(closed)) in {("closed", "done"), ("released", "sheets_not_accepted")}


def test_a_sheet_is_opened_once_by_two_at_once() -> None:
    for _ in range(TIMES):
        made, table = released()
        entries = [
            partial(write, table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
            for _ in range(2)
        ]
        assert [code_of(answer) for answer in at_once(*entries)] == ["done", "done"]
        assert Sheet.objects.filter(table=table).count() == 1
        sequences = SheetEntry.objects.filter(tournament=made).order_by("sequence")
        assert list(sequences.values_list("sequence", flat=True)) == [1, 2]


# --- a substitute --------------------------------------------------------------------------------------------------

RUFSPIEL = ("deal", {"game": "ruf", "declarer": 1, "partner": 2, "won": True, "level": "normal"})
EMIL = Newcomer("Ersatz Emil")


def schafkopf_of_four() -> tuple[Tournament, Table]:
    """Return a tournament and its only table, with the first round in play and the second not drawn yet."""
    made = tournament(4)
    Tournament.objects.filter(pk=made.pk).update(ruleset=preset("schafkopf").to_dict())
    made.refresh_from_db()
    draw_next(made, number=1, options=DrawOptions(), by="x", at=AT)
    rounds.release(made, 1, reason="gleich", at=AT)
    return made, Table.objects.get(round__tournament=made)


def who_sat(answer: object) -> set[int]:
    """Return the players at the table, as the entry saw them."""
    assert isinstance(answer, OpenSheet)
    return {seat.participant.start_number for seat in answer.seats}


def who_sits(table: Table) -> set[int]:
    return set(table.seats.values_list("participant__start_number", flat=True))


def test_a_first_entry_and_a_substitute_at_once_agree_on_who_sits_there() -> None:
    for _ in range(TIMES):
        made, table = schafkopf_of_four()
        entry = partial(write, table, [RUFSPIEL], by="x", at=AT)
        put_in = partial(substitute, made, 3, EMIL, reason="krank", by="y", at=AT)
        written, put = at_once(entry, put_in)
        if code_of(put) == "nothing_to_take_over":
            assert who_sat(written) == who_sits(table) == {1, 2, 3, 4}
        else:
            assert (code_of(put), who_sat(written)) == ("done", {1, 2, 4, 5})
            assert who_sits(table) == {1, 2, 4, 5}


def test_without_the_lock_the_seat_would_change_under_an_entry() -> None:
    """Control: a substitution that checks first and changes the seat later misses an entry in between."""
    made, table = schafkopf_of_four()
    looked, written = Barrier(2, timeout=60), Barrier(2, timeout=60)

    def put_in() -> object:
        with transaction.atomic():
            assert not open_sheet(table.pk).log.entries
            looked.wait()
            written.wait()
            coming = hand_over(made, 3, EMIL, by="y", at=AT).start_number
            return change_seats(made, 1, [Replaced(3, coming)], reason="krank", by="y", at=AT)

    def entry() -> object:
        looked.wait()
        answer = write(table, [RUFSPIEL], by="x", at=AT)
        written.wait()
        return answer

    open_sheet(table.pk)
    put, sheet = at_once(put_in, entry)
    assert (code_of(put), who_sat(sheet), who_sits(table)) == ("done", {1, 2, 3, 4}, {1, 2, 4, 5})


# --- erasing a person ----------------------------------------------------------------------------------------------


def objection_of_a_phone(table: Table, person: Participant, *, pen_epoch: int) -> Callable[[], object]:
    sent = Sent(str(uuid4()), "objected", {"seat_number": 1, "note": f"{person.name} schwindelt"}, AT)
    return partial(record, table, [sent], device="a", pen_epoch=pen_epoch, at=AT)


def adopting_of_an_objection(table: Table, person: Participant, *, pen_epoch: int) -> Callable[[], object]:
    write(
        table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT
    )  # what comes now is parked
    objection_of_a_phone(table, person, pen_epoch=pen_epoch)()
    parked = ParkedEntry.objects.get(sheet__table=table)
    return partial(adopt, table.round.tournament, parked.pk, reason="x", by="x", at=AT)


@pytest.mark.parametrize("writing", [objection_of_a_phone, adopting_of_an_objection])
def test_a_text_written_during_an_erasure_is_erased(
    writing: Callable[..., Callable[[], object]],
) -> None:
    made, table = released()
    person = made.participants.get(start_number=1)
    pen_epoch = take_pen(table, device="a", at=AT).row.pen_epoch
    write_it = writing(table, person, pen_epoch=pen_epoch)
    assert while_uncommitted(write_it, partial(erase_person, made, 1, by="leitung", at=AT)) == [None]
    assert SheetEntry.objects.get(tournament=made, kind="objected").text == BLANK


def test_without_the_locks_a_text_would_outlive_the_erasure() -> None:
    """Control: what is not committed yet is not found."""
    made, table = released()
    person = made.participants.get(start_number=1)
    pen_epoch = take_pen(table, device="a", at=AT).row.pen_epoch
    write_it = objection_of_a_phone(table, person, pen_epoch=pen_epoch)

    def erase() -> int:
        return SheetEntry.objects.filter(tournament=made).exclude(text="").update(text=BLANK)

    assert while_uncommitted(write_it, erase) == [0]
    assert SheetEntry.objects.get(tournament=made, kind="objected").text == f"{person.name} schwindelt"
