"""Drawing and closing rounds: the steps that need both the seating and the state of the sheets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from scoring.models import ParkedEntry
from scoring.queries.entrants import players_of_round
from scoring.services.evenings import project_evening
from scoring.services.marks import mark_round
from scoring.sheet_log import OpenSheet, open_sheet
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import Choice, Sizes, sizes_of_round
from tournaments.core.wishes import Wish, wish_from_dict
from tournaments.models import Round, Tournament
from tournaments.queries.draw_terms import terms_of
from tournaments.services import rounds
from tournaments.services.ending import mark_drawn_again
from tournaments.services.tournaments import lock_tournament


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """The organiser's options for drawing a round.

    mode: "few_repeats" or "random"; None: the tournament's mode, which is few_repeats by default. prefer: smaller,
    larger or equal tables if several divisions are possible; None: the ruleset's choice. exceptions: whether the
    organiser agreed to irregular table sizes. seed: 64 hex digits to repeat a draw; None: from a commitment. nonce: of
    the commitment, for a repeatable draw; None: random. wishes: players kept apart and fixed tables,
    in addition to the tournament's own wishes.
    """

    mode: str | None = None
    prefer: Choice | None = None
    exceptions: bool = False
    seed: str | None = None
    nonce: str | None = None
    wishes: Sequence[Wish] = ()


def draw_next(tournament: Tournament, *, number: int, options: DrawOptions, by: str, at: datetime) -> Round:
    """Draw round `number` for the players of that round. Two simultaneous calls give one draw.

    Refuses needs_confirmation (players, sizes) for exceptional sizes that the organiser did not confirm,
    too_few_players, head_count_does_not_fit, and what `tournaments.services.rounds.draw_round` refuses.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        rounds.check_turn(tournament, number)
        players = players_of_round(tournament, number)
        terms = terms_of(
            tournament,
            number,
            players=players,
            sizes=sizes_of(tournament, len(players), options).sizes,
            mode=options.mode or tournament.draw_mode,
            wishes=wishes_of(tournament, options),
        )
        return rounds.draw_by_terms(tournament, terms, seed=options.seed, nonce=options.nonce, by=by, at=at)


def draw_ahead(
    tournament: Tournament, *, number: int, options: DrawOptions, by: str, at: datetime
) -> list[Round]:
    """Draw round `number`. If the ruleset draws all rounds ahead, draw every later one too: all or none (RULES 5.1).

    options.seed applies to the first of these rounds. Refuses what `draw_next` refuses.
    """
    with transaction.atomic():
        chosen = dict.fromkeys(rounds_drawn_with(tournament, number), replace(options, seed=None))
        chosen[number] = options
        return [draw_next(tournament, number=n, options=chosen[n], by=by, at=at) for n in chosen]


def rounds_drawn_with(tournament: Tournament, number: int) -> range:
    """Return the rounds that are drawn together: this one, and all later ones where rounds are drawn ahead."""
    rules = tournament.rules
    return range(number, (rules.most_rounds if rules.drawn_ahead else number) + 1)


def draw_again(
    tournament: Tournament, number: int, *, options: DrawOptions, reason: str, by: str, at: datetime
) -> Round:
    """Draw a round again, as a new attempt for the current players. Later rounds that are already drawn are redrawn too.

    Refuses what `draw_next` refuses for sizes, and what `tournaments.services.rounds.redraw` refuses:
    round_has_entries as soon as a sheet of the round has an entry.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        players = players_of_round(tournament, number)
        sizes = sizes_of(tournament, len(players), options).sizes
        later = Round.objects.filter(tournament=tournament, number__gt=number).order_by("number")
        chosen = {number: options} | {row.number: replace(options, seed=None) for row in later}
        redrawn = [
            rounds.redraw(
                tournament,
                each,
                players=players,
                sizes=sizes,
                mode=for_round.mode or tournament.draw_mode,
                seed=for_round.seed,
                wishes=wishes_of(tournament, for_round),
                reason=reason,
                by=by,
                at=at,
            )
            for each, for_round in chosen.items()
        ]
    return redrawn[0]


def close(tournament: Tournament, number: int, *, reason: str = "", at: datetime) -> Round:
    """Close a round. A reason is required unless all sheets are accepted and no entry is parked.

    Locks the tournament, then each sheet of the round. Refuses round_closed_already (round), sheets_not_accepted (round,
    tables), entries_parked (round, tables), and what `mark_closed` refuses.
    """
    reason = clean_text(reason, most=500)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if locked.rounds.filter(number=number, state=Round.State.CLOSED).exists():
            raise Refusal("round_closed_already", round=number)
        sheets = [open_sheet(table_id, lock=True) for table_id in _table_ids(tournament, number)]
        if not reason:
            _check_settled(number, sheets)
        closed = rounds.mark_closed(tournament, number, reason=reason, at=at)
        mark_round(closed, at=at)
        project_evening(locked)
    return closed


def take_back_release(tournament: Tournament, number: int) -> Round:
    """Take back the release of a round with empty sheets. Its draw stays, its links are revoked.

    Locks the tournament, then each sheet of the round. Refuses round_has_entries (round), and what
    `tournaments.services.ending.mark_drawn_again` refuses.
    """
    with transaction.atomic():
        lock_tournament(tournament)
        sheets = [open_sheet(table_id, lock=True) for table_id in _table_ids(tournament, number)]
        if any(sheet.has_begun for sheet in sheets):
            raise Refusal("round_has_entries", round=number)
        return mark_drawn_again(tournament, number)


def wishes_of(tournament: Tournament, options: DrawOptions) -> list[Wish]:
    """Return the tournament's wishes followed by those for this draw."""
    return [*map(wish_from_dict, tournament.wishes), *options.wishes]


def sizes_of(tournament: Tournament, players: int, options: DrawOptions) -> Sizes:
    """Return the table sizes. Refuses needs_confirmation (players, sizes) for exceptional ones without consent."""
    rules = tournament.rules
    sizes = sizes_of_round(players, rules.tables, rules.qualifying, options.prefer)
    if sizes.exceptional and not options.exceptions:
        raise Refusal("needs_confirmation", players=players, sizes=list(sizes.sizes))
    return sizes


def _table_ids(tournament: Tournament, number: int) -> list[int]:
    """Return the table ids of a released or closed round. Refuses round_not_drawn, round_not_released (round)."""
    round_row = Round.objects.filter(tournament=tournament, number=number).first()
    if round_row is None:
        raise Refusal("round_not_drawn", round=number)
    if round_row.state == Round.State.DRAWN:
        raise Refusal("round_not_released", round=number)
    return list(round_row.tables.order_by("number").values_list("id", flat=True))


def _check_settled(number: int, sheets: list[OpenSheet]) -> None:
    """Check that every sheet is accepted and every parked entry is decided on."""
    waiting = [sheet.table.number for sheet in sheets if sheet.log.phase != "accepted"]
    if waiting:
        raise Refusal("sheets_not_accepted", round=number, tables=waiting)
    parked = ParkedEntry.objects.filter(sheet__in=[sheet.row for sheet in sheets], outcome="")
    tables = sorted(set(parked.values_list("sheet__table__number", flat=True)))
    if tables:
        raise Refusal("entries_parked", round=number, tables=tables)
