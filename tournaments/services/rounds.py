"""Drawing, swapping, releasing and closing a round. Conditions on sheets are checked by the callers in scoring."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from django.db import IntegrityError, connection, transaction
from django.db.models import Case, Exists, OuterRef, ProtectedError, Value, When

from tournaments.core.ceremony import Terms
from tournaments.core.draw import DRAW_VERSION, Swap, is_seed
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import Wish
from tournaments.models import DrawAttempt, Participant, Round, Seat, Table, Tournament
from tournaments.notify import notify
from tournaments.queries.draw_terms import fits, terms_of
from tournaments.services.ceremony import (
    commit_to_draw,
    open_commitments,
    replace_open,
    reveal,
    seed_from,
)
from tournaments.services.tournaments import lock_tournament


def draw_round(
    tournament: Tournament,
    *,
    number: int,
    players: Iterable[int],
    sizes: Sequence[int],
    mode: str,
    by: str,
    at: datetime,
    seed: str | None = None,
    nonce: str | None = None,
    wishes: Sequence[Wish] = (),
) -> Round:
    """Draw round `number` for `players` (start numbers) at tables of `sizes`. The round is drawn, not released.

    seed: 64 hex digits; None: from the open commitment to this draw, or from a new one, made with `nonce` if not None.
    wishes: ignored for players who do not play. Refuses what `check_turn` and the draw refuse,
    unknown_participant (start_number), commitment_cannot_be_opened, and a wish without a reason.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        check_turn(locked, number)
        wanted = terms_of(locked, number, players=players, sizes=sizes, mode=mode, wishes=wishes)
        return draw_by_terms(locked, wanted, seed=seed, nonce=nonce, by=by, at=at)


def draw_by_terms(
    locked: Tournament, terms: Terms, *, seed: str | None, nonce: str | None, by: str, at: datetime
) -> Round:
    """Draw a round by its terms, see `draw_round`. The caller has locked the tournament and checked the turn."""
    new_round = locked.rounds.create(number=terms.round_number, drawn_at=at)
    attempt = _attempt(new_round, terms, seed=seed, nonce=nonce, by=by, at=at)
    _seat(new_round, attempt)
    notify(locked.slug, "seating")
    return new_round


def check_turn(tournament: Tournament, number: int) -> None:
    """Check that round `number` is the next one to be drawn.

    If all rounds are drawn ahead, the previous round need only be drawn (RULES 5.1), otherwise it must be closed.
    Refuses tournament_ended, round_already_drawn (also if another request was faster), all_rounds_drawn (rounds), final_is_drawn (round:
    the final), previous_round_open, previous_round_not_drawn (round: the previous one).
    """
    if tournament.ended_at is not None:
        raise Refusal("tournament_ended")
    rules = tournament.rules
    states = dict(tournament.rounds.values_list("number", "state"))
    if number in states:
        raise Refusal("round_already_drawn", round=number)
    if number > rules.most_rounds:
        raise Refusal("all_rounds_drawn", rounds=rules.most_rounds)
    if number == 1:
        return
    before = number - 1
    if (
        rules.qualifying
        and Table.objects.filter(round__tournament=tournament, round__number=before).count() == 1
    ):
        raise Refusal("final_is_drawn", round=before)
    if rules.drawn_ahead:
        if before not in states:
            raise Refusal("previous_round_not_drawn", round=before)
        return
    if states.get(before) != Round.State.CLOSED:
        raise Refusal("previous_round_open", round=before)


def redraw(
    tournament: Tournament,
    number: int,
    *,
    players: Iterable[int],
    sizes: Sequence[int],
    mode: str,
    reason: str,
    by: str,
    at: datetime,
    seed: str | None = None,
    wishes: Sequence[Wish] = (),
) -> Round:
    """Draw a round again, as a new attempt. The abandoned attempt stays on record and its secret is published; its tables and
    their links are deleted. seed, wishes: see `draw_round`.

    Refuses round_has_entries (round) as soon as a sheet of the round has an entry: the foreign key of the entries
    guarantees it in a race too. Also refuses round_is_closed, round_not_drawn, a missing reason, and what the draw
    refuses.
    """
    reason = clean_text(reason, most=500, required=True)
    with transaction.atomic():
        locked_round = locked_round_of(tournament, number)
        if locked_round.state == Round.State.CLOSED:
            raise Refusal("round_is_closed", round=number)
        _clear_tables(locked_round)
        for abandoned in locked_round.attempts.filter(abandoned_at=None).select_related("commitment"):
            abandoned.abandoned_at = at
            abandoned.save(update_fields=["abandoned_at"])
            reveal(abandoned.commitment, at=at)
        terms = terms_of(tournament, number, players=players, sizes=sizes, mode=mode, wishes=wishes)
        attempt = _attempt(locked_round, terms, seed=seed, nonce=None, by=by, at=at, reason=reason)
        _seat(locked_round, attempt)
        locked_round.drawn_at = at
        unrelease(locked_round)
        notify(tournament.slug, "seating")
    return locked_round


def swap(tournament: Tournament, number: int, *, a: int, b: int, reason: str, by: str, at: datetime) -> Round:
    """Swap the seats of two players (start numbers) in a round that is drawn and not released yet.

    The swap is recorded with the draw. Refuses round_not_drawn, round_already_released, draw_not_recorded,
    same_player, not_at_a_table, and a missing reason.
    """
    reason = clean_text(reason, most=500, required=True)
    with transaction.atomic():
        locked_round = locked_round_of(tournament, number)
        if locked_round.state != Round.State.DRAWN:
            raise Refusal("round_already_released", round=number)
        attempt = locked_round.attempts.filter(abandoned_at=None).first()
        if attempt is None:
            raise Refusal("draw_not_recorded", round=number)
        change = Swap(a, b)
        ids = _seated_ids(locked_round, change)
        attempt.changes.create(
            sequence=attempt.changes.count() + 1, data=change.to_dict(), reason=reason, at=at, by=by
        )
        first, second = ids[a], ids[b]
        locked_round.seats.filter(participant_id__in=ids.values()).update(
            participant_id=Case(When(participant_id=first, then=Value(second)), default=Value(first))
        )
        forget_scribes_elsewhere(locked_round)
        notify(tournament.slug, "seating")
    return locked_round


def release(tournament: Tournament, number: int, *, reason: str = "", at: datetime) -> Round:
    """Release a round: its seating is public and its sheets can be written.

    A round that is drawn ahead must wait until the previous one is closed. So only one round at a time is public and
    open for entries, and a leaver can be replaced in a round until it is released. reason: needed, and recorded, only if
    the organiser names the scribes and tables lack one. Refuses tournament_ended, round_already_released (round),
    previous_round_not_closed (round: the previous one), scribes_missing (tables) and an invalid reason (text_...).
    """
    reason = clean_text(reason, most=500)
    with transaction.atomic():
        ended_at = lock_tournament(tournament).ended_at
        locked_round = _locked_round(tournament, number)
        if ended_at is not None:
            raise Refusal("tournament_ended")
        if locked_round.state != Round.State.DRAWN:
            raise Refusal("round_already_released", round=number)
        earlier = Round.objects.filter(tournament=tournament, number__lt=number)
        if earlier.exclude(state=Round.State.CLOSED).exists():
            raise Refusal("previous_round_not_closed", round=number - 1)
        missing = _tables_without_scribe(tournament, locked_round)
        if missing and not reason:
            raise Refusal("scribes_missing", tables=missing)
        locked_round.state, locked_round.released_at = Round.State.RELEASED, at
        locked_round.released_reason = reason if missing else ""
        locked_round.save(update_fields=["state", "released_at", "released_reason"])
        for attempt in locked_round.attempts.filter(abandoned_at=None).select_related("commitment"):
            reveal(attempt.commitment, at=at)
        notify(tournament.slug, "seating")
    return locked_round


def give_start_sign(tournament: Tournament, number: int, *, at: datetime, is_running: bool = False) -> Round:
    """Give all tables of a released round the sign to start (RULES 5). A second sign changes nothing.

    is_running: the tables play already, since the release. Refuses round_not_released, round_is_closed (round).
    """
    with transaction.atomic():
        locked_round = released_round(tournament, number)
        if locked_round.started_at is None:
            locked_round.started_at = locked_round.released_at if is_running else at
            locked_round.save(update_fields=["started_at"])
            notify(tournament.slug, "seating")
    return locked_round


def _tables_without_scribe(tournament: Tournament, locked_round: Round) -> list[int]:
    """Return the numbers of the tables whose scribe the organiser has still to name (RULES 5)."""
    if tournament.rules.scribe != "organiser":
        return []
    return list(locked_round.tables.filter(scribe=None).order_by("number").values_list("number", flat=True))


def unrelease(locked_round: Round) -> None:
    """Set a round back to drawn, as before its release. The caller has checked that its sheets are empty."""
    locked_round.state, locked_round.released_at = Round.State.DRAWN, None
    locked_round.released_reason, locked_round.started_at = "", None
    locked_round.save(update_fields=["state", "drawn_at", "released_at", "released_reason", "started_at"])


def mark_closed(tournament: Tournament, number: int, *, reason: str, at: datetime) -> Round:
    """Close a round; its links are no longer valid. The caller has checked the sheets, or passes the organiser's reason.

    Refuses round_not_released, round_is_closed (round).
    """
    with transaction.atomic():
        locked_round = released_round(tournament, number)
        locked_round.state, locked_round.closed_at = Round.State.CLOSED, at
        locked_round.closed_reason = reason
        locked_round.save(update_fields=["state", "closed_at", "closed_reason"])
        notify(tournament.slug, "seating")
    return locked_round


def revoke_link(tournament: Tournament, number: int, table_number: int) -> Table:
    """Revoke the link of one table, and with it the cookies of its phones. Refuses unknown_table (round, table)."""
    with transaction.atomic():
        locked_round = locked_round_of(tournament, number)
        table = _table_of(locked_round, table_number)
        table.link_version += 1
        table.save(update_fields=["link_version"])
        notify(tournament.slug, "sheet")
    return table


def name_scribe(
    tournament: Tournament, number: int, table_number: int, seat_number: int | None, *, by: str, at: datetime
) -> Table:
    """Name the scribe of a table: the player on this seat, or None for the ruleset's default.

    Depending on the ruleset, the organiser chooses freely (RULES 5), or seat 1 writes unless the whole table agrees to
    a volunteer (RULES 3.1). Naming the same scribe again changes nothing. Refuses scribe_is_seat_1 (other rulesets),
    round_not_drawn, round_is_closed, unknown_table (round, table) and not_at_this_table (seat).
    """
    with transaction.atomic():
        locked_round = locked_round_of(tournament, number)
        rules = tournament.rules
        if not rules.names_scribes:
            raise Refusal("scribe_is_seat_1")
        if locked_round.state == Round.State.CLOSED:
            raise Refusal("round_is_closed", round=number)
        table = _table_of(locked_round, table_number)
        named = None if seat_number is None else table.seats.filter(seat_number=seat_number).first()
        if seat_number is not None and named is None:
            raise Refusal("not_at_this_table", seat=seat_number)
        scribe_id = named.participant_id if named else None
        if scribe_id != table.scribe_id:
            table.scribe_id = scribe_id
            table.scribe_by, table.scribe_at = (by, at) if named else ("", None)
            table.scribe_agreed = False
            table.save(update_fields=["scribe", "scribe_by", "scribe_at", "scribe_agreed"])
            notify(tournament.slug, "seating")
    return table


def forget_scribes_elsewhere(locked_round: Round) -> None:
    """Clear the named scribes who no longer sit at their table."""
    named = locked_round.tables.filter(scribe__isnull=False)
    here = Seat.objects.filter(table=OuterRef("pk"), participant=OuterRef("scribe"))
    named.filter(~Exists(here)).update(scribe=None, scribe_by="", scribe_at=None, scribe_agreed=False)


def locked_round_of(tournament: Tournament, number: int) -> Round:
    """Lock the tournament, then the round, and return the round. Refuses round_not_drawn (round)."""
    lock_tournament(tournament)
    return _locked_round(tournament, number)


def released_round(tournament: Tournament, number: int) -> Round:
    """Lock and return a released round. Refuses round_not_drawn, round_not_released, round_is_closed (round)."""
    locked_round = locked_round_of(tournament, number)
    if locked_round.state != Round.State.RELEASED:
        is_drawn = locked_round.state == Round.State.DRAWN
        raise Refusal("round_not_released" if is_drawn else "round_is_closed", round=number)
    return locked_round


def _table_of(locked_round: Round, number: int) -> Table:
    table = locked_round.tables.filter(number=number).first()
    if table is None:
        raise Refusal("unknown_table", round=locked_round.number, table=number)
    return table


def _locked_round(tournament: Tournament, number: int) -> Round:
    """Lock a round of the locked tournament. Refuses round_not_drawn (round)."""
    row = Round.objects.select_for_update(no_key=True).filter(tournament=tournament, number=number).first()
    if row is None:
        raise Refusal("round_not_drawn", round=number)
    return row


def _attempt(
    new_round: Round,
    terms: Terms,
    *,
    seed: str | None,
    nonce: str | None,
    by: str,
    at: datetime,
    reason: str = "",
) -> DrawAttempt:
    """Record an attempt. Without a seed, it is that of the open commitment to this draw, or of a new one."""
    tournament = new_round.tournament
    commitment = None
    if seed is None:
        waiting = open_commitments(tournament).filter(round_number=new_round.number).first()
        if waiting is not None and fits(waiting, terms):
            commitment = waiting
        else:
            commitment = commit_to_draw(tournament, terms, by=by, at=at, nonce=nonce)
        seed = seed_from(commitment, at=at)
        at = max(at, commitment.words_at or at)  # in this order, even if the clock was set back
    else:
        seed = _checked(seed)
        replace_open(tournament, at=at, round_number=new_round.number)
    return new_round.attempts.create(
        **terms.columns,
        commitment=commitment,
        version=DRAW_VERSION,
        seed=seed,
        reason=reason,
        made_at=at,
        by=by,
    )


def _checked(seed: str) -> str:
    if not is_seed(seed):
        raise Refusal("seed_bad")
    return seed.lower()


def _seat(new_round: Round, attempt: DrawAttempt) -> None:
    """Create the tables that the attempt draws."""
    drawn = enumerate(attempt.drawn(), start=1)
    lay_tables(new_round, {number: dict(enumerate(seats, start=1)) for number, seats in drawn})


def lay_tables(
    new_round: Round,
    seating: Mapping[int, Mapping[int, int]],
    laid: Mapping[int, Table] = MappingProxyType({}),
) -> list[Table]:
    """Create seats, and the tables that do not exist yet.

    seating: table number -> seat number -> start number. laid: the existing tables by number. Refuses
    unknown_participant (start_number).
    """
    ids = dict(
        Participant.objects.filter(tournament_id=new_round.tournament_id).values_list("start_number", "id")
    )
    stranger = next(
        (player for seats in seating.values() for player in seats.values() if player not in ids), None
    )
    if stranger is not None:
        raise Refusal("unknown_participant", start_number=stranger)
    new = [Table(round=new_round, number=number) for number in seating if number not in laid]
    tables = [*Table.objects.bulk_create(new), *(laid[number] for number in seating if number in laid)]
    Seat.objects.bulk_create(
        Seat(
            tournament_id=new_round.tournament_id,
            round=new_round,
            table=table,
            participant_id=ids[start_number],
            seat_number=seat_number,
        )
        for table in tables
        for seat_number, start_number in seating[table.number].items()
    )
    return tables


def _clear_tables(locked_round: Round) -> None:
    """Delete the tables of a round, after waiting for writers at them. Refuses round_has_entries (round)."""
    list(locked_round.tables.select_for_update())
    try:
        locked_round.tables.all().delete()
        connection.check_constraints()
    except (ProtectedError, IntegrityError):
        raise Refusal("round_has_entries", round=locked_round.number) from None


def _seated_ids(locked_round: Round, change: Swap) -> dict[int, int]:
    """Check that both players of a swap sit in this round, and return their participant ids by start number."""
    seated = locked_round.seats.values_list("table__number", "participant__start_number", "participant_id")
    tables: dict[int, list[int]] = {}
    for table, start_number, _ in seated.order_by("table__number", "seat_number"):
        tables.setdefault(table, []).append(start_number)
    change.apply(tuple(tuple(table) for table in tables.values()))
    return {number: identifier for _, number, identifier in seated if number in (change.a, change.b)}
