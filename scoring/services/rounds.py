"""The steps of the evening that need to know both who plays where and what the sheets say."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from scoring.models import ParkedEntry
from scoring.queries.entrants import players_of_round
from scoring.sheet_log import OpenSheet, open_sheet
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import Choice, Sizes, sizes_of_round
from tournaments.core.wishes import Wish, wish_from_dict
from tournaments.models import Round, Tournament
from tournaments.services import rounds
from tournaments.services.tournaments import lock_tournament


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """How the organiser wants a round drawn.

    mode: "few_repeats" or "random", None: as the tournament says, which is few_repeats unless he chose. prefer:
    smaller, larger or equal tables where several are possible (None: as the ruleset says). exceptions: whether
    he agreed to table sizes that are not regular. seed: 64 hex digits to repeat a draw, None for new chance. wishes:
    who is kept apart, who has a fixed table, beside those that the tournament keeps.
    """

    mode: str | None = None
    prefer: Choice | None = None
    exceptions: bool = False
    seed: str | None = None
    wishes: Sequence[Wish] = ()


def draw_next(tournament: Tournament, *, number: int, wish: DrawOptions, by: str, at: datetime) -> Round:
    """Draws round `number` for its field. Two at once give one draw.

    Refuses needs_confirmation (exceptional sizes without the organiser's yes), too_few_players,
    head_count_does_not_fit, and what `tournaments.services.rounds.draw_round` refuses.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        rounds.check_turn(tournament, number)
        players = players_of_round(tournament, number)
        sizes = _sizes(tournament, len(players), wish)
        return rounds.draw_round(
            tournament,
            number=number,
            players=players,
            sizes=sizes.sizes,
            mode=wish.mode or tournament.draw_mode,
            seed=wish.seed,
            wishes=_wishes(tournament, wish),
            by=by,
            at=at,
        )


def draw_ahead(
    tournament: Tournament, *, number: int, wish: DrawOptions, by: str, at: datetime
) -> list[Round]:
    """Draws round `number`, and where all rounds are drawn ahead every later one with it: all or none (RULES 5.1).

    wish.seed is that of the first of them. Refuses what `draw_next` refuses.
    """
    rules = tournament.rules
    last = rules.most_rounds if rules.drawn_ahead else number
    with transaction.atomic():
        wishes = {number: wish} | dict.fromkeys(range(number + 1, last + 1), replace(wish, seed=None))
        return [draw_next(tournament, number=each, wish=own, by=by, at=at) for each, own in wishes.items()]


def draw_again(
    tournament: Tournament, number: int, *, wish: DrawOptions, reason: str, by: str, at: datetime
) -> Round:
    """A new attempt for the field as it is now; never once something stands on a sheet of the round.

    Later rounds that are drawn already, for the same people, are drawn again with it.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        players = players_of_round(tournament, number)
        sizes = _sizes(tournament, len(players), wish).sizes
        later = Round.objects.filter(tournament=tournament, number__gt=number).order_by("number")
        wishes = {number: wish} | {found.number: replace(wish, seed=None) for found in later}
        redrawn = [
            rounds.redraw(
                tournament,
                each,
                players=players,
                sizes=sizes,
                mode=own.mode or tournament.draw_mode,
                seed=own.seed,
                wishes=_wishes(tournament, own),
                reason=reason,
                by=by,
                at=at,
            )
            for each, own in wishes.items()
        ]
    return redrawn[0]


def close(tournament: Tournament, number: int, *, reason: str = "", at: datetime) -> Round:
    """Closes a round whose sheets are all accepted and nothing is parked; otherwise only with a reason.

    Refuses sheets_not_accepted (tables), entries_parked (tables), and what `mark_closed` refuses.
    """
    reason = clean_text(reason, most=500)
    with transaction.atomic():
        lock_tournament(tournament)
        sheets = [open_sheet(table_id, lock=True) for table_id in _table_ids(tournament, number)]
        if not reason:
            _check_settled(number, sheets)
        return rounds.mark_closed(tournament, number, reason=reason, at=at)


def _wishes(tournament: Tournament, wish: DrawOptions) -> list[Wish]:
    """Those that stand for the whole evening, and those for this draw."""
    return [*map(wish_from_dict, tournament.wishes), *wish.wishes]


def _sizes(tournament: Tournament, players: int, wish: DrawOptions) -> Sizes:
    rules = tournament.rules
    sizes = sizes_of_round(players, rules.tables, rules.qualifying, wish.prefer)
    if sizes.exceptional and not wish.exceptions:
        raise Refusal("needs_confirmation", players=players, sizes=list(sizes.sizes))
    return sizes


def _table_ids(tournament: Tournament, number: int) -> list[int]:
    """The tables of a round that can be closed."""
    found = Round.objects.filter(tournament=tournament, number=number).first()
    if found is None:
        raise Refusal("round_not_drawn", round=number)
    if found.state == Round.State.DRAWN:
        raise Refusal("round_not_released", round=number)
    return list(found.tables.order_by("number").values_list("id", flat=True))


def _check_settled(number: int, sheets: list[OpenSheet]) -> None:
    """Every sheet accepted, and nothing parked that nobody has decided on."""
    waiting = [sheet.table.number for sheet in sheets if sheet.log.phase != "accepted"]
    if waiting:
        raise Refusal("sheets_not_accepted", round=number, tables=waiting)
    parked = ParkedEntry.objects.filter(sheet__in=[sheet.row for sheet in sheets], outcome="")
    tables = sorted(set(parked.values_list("sheet__table__number", flat=True)))
    if tables:
        raise Refusal("entries_parked", round=number, tables=tables)
