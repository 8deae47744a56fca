"""Page model of the public pages and the wall screen: the standings and the latest released round."""

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Literal

from scoring.core.marks import mark_of
from scoring.core.sheet import ReplayRefused, SheetLog
from scoring.core.sheet import replay as replay_log
from scoring.models import SheetEntry
from scoring.queries.public_seats import PublicSeat, Seating, seating_of
from scoring.queries.released import Released, Seal, latest_released
from scoring.queries.standings import Leaderboard, StandingsRow, visible_standings
from scoring.queries.title_holders import title_holders
from scoring.sheet_log import entry_of
from tournaments.core.bracket_preview import stages
from tournaments.core.names import namesakes, sort_key
from tournaments.core.refusal import Refusal
from tournaments.current_club import of_this_club
from tournaments.models import Round, Tournament
from tournaments.rulesets.schema import Ruleset

PublicTableState = Literal["untouched", "playing", "submitted", "accepted"]
_STATES: dict[str | None, PublicTableState] = {"submitted": "submitted", "accepted": "accepted"}

MOST_WANTED = 6


@dataclass(frozen=True, slots=True)
class PublicTable:
    """A table and the state of its sheet.

    strokes: so far. drowned: the players who are out. deals: those written, and those due. All are None if the sheet has none or
    the standings are frozen. lives: those left by seat number, None for a player who is out; empty where no deals are written
    down, once the sheet was accepted, and while the standings are frozen. full_lives: with which each player began.
    """

    number: int
    state: PublicTableState
    strokes: int | None
    seats: tuple[PublicSeat, ...]
    drowned: int | None = None
    lives: tuple[tuple[int, int | None], ...] = ()
    deals: tuple[int, int] | None = None
    full_lives: int = 0

    @property
    def is_done(self) -> bool:
        return self.state == "accepted"

    @property
    def has_scribe(self) -> bool:
        return any(seat.is_scribe for seat in self.seats)

    @property
    def progress(self) -> int | None:
        """The share of the game that is over, in per cent: of the deals due, or of the lives that it takes. None: not known."""
        if self.state in ("submitted", "accepted"):
            return 100
        if self.deals:
            return 100 * min(self.deals) // self.deals[1]
        if self.lives:
            return _lives_gone(self.full_lives, [-1 if left is None else left for _seat, left in self.lives])
        if self.drowned:
            return 100 * min(self.drowned or 0, len(self.seats) - 1) // max(len(self.seats) - 1, 1)
        return 0 if self.state == "untouched" else None


def _lives_gone(full: int, left: Sequence[int]) -> int:
    """Return the share of the lives that are lost, in per cent of those and of what it takes until one player is left.

    left: for each player, -1 for one who is out. Whoever loses a deal moves it on, even the one who will be left.
    """
    lost = sum(full - lives for lives in left)
    to_come = sum(lives + 1 for lives in sorted(left)[:-1])
    return 100 * lost // (lost + to_come or 1)  # one player alone has nothing to lose


@dataclass(frozen=True, slots=True)
class NewestStroke:
    """The newest stroke of a round that a phone has written. ended_by: "schnauz", "feuer" or "handschnauz"."""

    seat: PublicSeat
    ended_by: str


@dataclass(frozen=True)
class PublicRound:
    """The latest released round. joined, missing: numbers of those who joined or left after the draw.

    started_at: when the organiser gave the sign to all tables to start, None without one. mark: the latest one of a closed
    round that is not held back by a freeze; "" without one. seal: what its draw followed from, None without one. newest: None
    without a stroke, and while the standings are frozen. begins_at, ends_at: by the clock of the round, None where none runs.
    """

    number: int
    is_closed: bool
    tables: tuple[PublicTable, ...]
    released_at: datetime | None = None
    started_at: datetime | None = None
    joined: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    mark: str = ""
    seal: Seal | None = None
    newest: NewestStroke | None = None
    begins_at: datetime | None = None
    ends_at: datetime | None = None

    @cached_property
    def seats(self) -> list[PublicSeat]:
        return [seat for table in self.tables for seat in table.seats]

    @cached_property
    def by_name(self) -> list[PublicSeat]:
        """The seats by surname; those shown as a number come last."""
        return sorted(
            self.seats,
            key=lambda seat: (
                seat.is_number,
                "" if seat.is_number else sort_key(seat.listed_name),
                seat.start_number,
            ),
        )

    @property
    def wanted(self) -> list[PublicSeat]:
        """The seats whose players are missing, as many as a screen names."""
        return [seat for seat in self.seats if seat.is_missing][:MOST_WANTED]

    @property
    def runs_since(self) -> datetime | None:
        return self.started_at or self.released_at

    @property
    def starts_now(self) -> bool:
        """Whether the sign to start is given and no table has begun yet."""
        return self.started_at is not None and not self.is_closed and not self.is_begun

    @property
    def waits_for_scribes(self) -> bool:
        """Whether the organiser must still name the scribe of a table."""
        return not self.is_closed and not all(table.has_scribe for table in self.tables)

    @property
    def counts_strokes(self) -> bool:
        return self.tables[0].strokes is not None

    @property
    def strokes(self) -> int:
        return sum(table.strokes or 0 for table in self.tables)

    @property
    def is_begun(self) -> bool:
        return any(table.state != "untouched" for table in self.tables)

    @property
    def is_sitting_down(self) -> bool:
        """Whether most players may still be looking for their table: most have not begun, and none is done."""
        begun = sum(table.state != "untouched" for table in self.tables)
        return 2 * begun < len(self.tables) and not self.done

    @property
    def on_their_way(self) -> list[PublicSeat]:
        """The seats at tables that have not begun, by name: their players may still be looking for the table."""
        waiting = {table.number for table in self.tables if table.state == "untouched"}
        return [seat for seat in self.by_name if seat.table_number in waiting]

    @property
    def done(self) -> int:
        return sum(1 for table in self.tables if table.is_done)

    @property
    def is_done(self) -> bool:
        return self.done == len(self.tables)

    @property
    def is_over(self) -> bool:
        return self.is_closed or self.is_done

    def table_of(self, seat: PublicSeat) -> PublicTable:
        return next(table for table in self.tables if table.number == seat.table_number)


@dataclass(frozen=True, eq=False)
class PublicView:
    """Page model of the public pages of a tournament."""

    leaderboard: Leaderboard
    round: PublicRound | None
    seal: Seal | None = None
    """The commitment whose draw or release everybody waits for."""
    announcements: tuple[str, ...] = ()
    """What the organiser announces on the wall."""
    sign_ups: bool | None = None
    """Whether players can register themselves; None if the organiser has never let them."""
    seating: Seating | None = None
    """The seats of `round` as they were read, for the next view."""

    @property
    def has_sign_ups(self) -> bool:
        """Whether players may have registered themselves."""
        return self.sign_ups is not None

    @property
    def takes_sign_ups(self) -> bool:
        """Whether players are invited to register themselves: until the first tables are released."""
        return bool(self.sign_ups) and self.round is None

    @property
    def tournament(self) -> Tournament:
        return self.leaderboard.tournament

    @property
    def rows(self) -> tuple[StandingsRow, ...]:
        return self.leaderboard.rows

    @cached_property
    def names_scribes(self) -> bool:
        """Whether to show the scribes: they are not always on seat 1."""
        return self.tournament.rules.names_scribes

    @cached_property
    def namesakes(self) -> frozenset[str]:
        """Names that several players have; on the wall screen their start numbers tell them apart."""
        people = {row.start_number: row.name for row in self.rows}
        if self.round is not None:
            people |= {seat.start_number: seat.name for seat in self.round.seats}
        return namesakes(people.values())

    @property
    def winners(self) -> list[StandingsRow]:
        return [row for row in self.rows if row.rank == 1] if self.leaderboard.final else []

    @property
    def plays_final(self) -> bool:
        """Whether the round is the final of a knockout."""
        return self.round is not None and self.tournament.rules.is_final(len(self.round.tables))

    @property
    def next_is_final(self) -> bool:
        """Whether those who go on fit at one table; False while that is not public."""
        with suppress(Refusal):
            ahead = stages(len(self.going_on), self.tournament.rules)
            return bool(ahead) and ahead[0].is_final
        return False

    @property
    def plays_last_round(self) -> bool:
        """Whether the round is the last one, in a knockout the final."""
        rounds = self.tournament.rules.rounds
        return self.plays_final if rounds is None else self.round is not None and self.round.number == rounds

    @property
    def keeps_the_end(self) -> bool:
        """Whether the standings would tell the end of the evening, which the organiser keeps: by a prize plan, or a freeze.

        They do once the last round is played and all its results count. A freeze of an earlier moment tells nothing.
        """
        if self.leaderboard.final or self.round is None or not (self.plays_last_round and self.round.is_over):
            return False
        results = sum(len(table.seats) for table in self.round.tables if table.is_done)
        is_kept = bool(self.tournament.prize_plan) or self.leaderboard.is_frozen
        return (
            is_kept
            and len(self.leaderboard.counted) == self.round.number
            and self.leaderboard.counted[-1] == results
        )

    @cached_property
    def by_strokes(self) -> list[list[StandingsRow]]:
        """The players with strokes that count, those with equally many together, the most first; [] while that is held back."""
        if self.leaderboard.is_frozen or self.leaderboard.is_knockout or self.keeps_the_end:
            return []
        rows = sorted((row for row in self.rows if row.strokes), key=lambda row: row.strokes, reverse=True)
        return [list(group) for _strokes, group in groupby(rows, key=lambda row: row.strokes)]

    @property
    def stroke_leaders(self) -> tuple[list[StandingsRow], int]:
        """The players with the most strokes, and how many more they have than the next; ([], 0) while that is held back."""
        first, following = [*self.by_strokes, [], []][:2]
        return first, first[0].strokes - (following[0].strokes if following else 0) if first else 0

    @property
    def winners_share(self) -> bool:
        return len(self.winners) > 1

    @property
    def podium(self) -> list[StandingsRow]:
        """The first three ranks, once the standings are final."""
        return [row for row in self.rows if row.rank <= 3] if self.leaderboard.final else []

    @property
    def counted_round(self) -> int:
        """The latest round with points in the visible standings."""
        played = [
            number
            for row in self.leaderboard.rows
            for number, points in enumerate(row.by_round, start=1)
            if points is not None
        ]
        return max(played, default=0)

    @property
    def is_between_rounds(self) -> bool:
        """Whether the standings show a whole round, and not the first sheets of one."""
        if self.leaderboard.is_frozen or self.round is None:
            return False
        return self.round.is_closed or self.counted_round < self.round.number

    @property
    def calls_for_words(self) -> bool:
        """Whether the hall waits for the draw or lot that is sealed, and nothing is in play."""
        is_at_play = self.round is not None and not self.round.is_closed
        return self.seal is not None and not self.seal.is_drawn and not is_at_play

    @property
    def is_staged(self) -> bool:
        """Whether the draw is shown seat by seat: it was made before the hall, and no table has begun."""
        is_before_the_hall = self.tournament.ceremony == Tournament.Ceremony.HALL
        return (
            is_before_the_hall
            and self.round is not None
            and bool(self.round.seal)
            and not self.round.is_begun
        )

    @property
    def going_on(self) -> list[PublicSeat]:
        """Between two rounds of a knockout, the players of the next one, by name; [] while frozen."""
        qualifying = self.tournament.rules.qualifying
        if qualifying is None or self.leaderboard.is_frozen or self.round is None or self.next_round is None:
            return []
        place = self.round.number - 1
        ranks = {row.start_number: row.by_round[place] for row in self.rows if not row.withdrawn}
        return [
            seat
            for seat in self.round.by_name
            if (rank := ranks.get(seat.start_number)) is not None and rank <= qualifying.go_on
        ]

    @property
    def round_numbers(self) -> range:
        """The rounds with a column of their own: those that were released."""
        return range(1, (self.round.number if self.round else 0) + 1)

    @property
    def late(self) -> list[PublicSeat]:
        """Those who joined after the draw, with their present seat."""
        if self.round is None or not self.round.joined:
            return []
        return [seat for seat in self.round.by_name if seat.start_number in self.round.joined]

    @property
    def missing(self) -> list[str]:
        """The names of those who were drawn and do not play; the number for a player who is not listed."""
        names = {row.start_number: row.name for row in self.rows}
        numbers = self.round.missing if self.round else ()
        return [names.get(number, str(number)) for number in numbers]

    @property
    def next_round(self) -> int | None:
        """The round whose seating is released next, if any."""
        if self.round is None:
            return 1
        is_over = self.plays_last_round or self.leaderboard.ended_after
        return self.round.number + 1 if self.round.is_closed and not is_over else None


def public_view(
    slug: str,
    *,
    full_names: bool = False,
    with_moves: bool = False,
    leaderboard: Leaderboard | None = None,
    seating: Seating | None = None,
) -> PublicView:
    """Return the page model. Two queries for any number of players. Raises Tournament.DoesNotExist.

    with_moves: as the wall shows it, with who has moved and, by one more query until the round is closed, who defends the title. leaderboard:
    the standings for these readers, if they were read already. seating: of an earlier view; it is read anew if another round was
    released since.
    """
    if leaderboard is None:
        leaderboard = visible_standings(slug, full_names=full_names, with_moves=with_moves)
    tournament = leaderboard.tournament
    latest = latest_released(tournament, with_seats=seating is None)
    if seating and latest.released and seating.release != latest.released.release:
        seating = None
        latest = latest_released(tournament, with_seats=True)
    released, seals, announcements, sign_ups, missing = latest
    if released and seating is None:
        names = Tournament.Names.FULL if full_names else tournament.names
        titled = title_holders(tournament) if with_moves and released.state != Round.State.CLOSED else ()
        seating = seating_of(released, names, titled, seat_1_writes=tournament.rules.scribe == "seat_1")
    return PublicView(
        leaderboard,
        _round(tournament.rules, released, seating, seals, missing) if released and seating else None,
        next((seal for seal in seals if not seal.is_revealed), None),
        announcements,
        sign_ups,
        seating,
    )


def _round(
    rules: Ruleset,
    released: Released,
    seating: Seating,
    seals: Sequence[Seal],
    missing: tuple[tuple[int, int], ...],
) -> PublicRound:
    """Return the latest released round. missing: table and seat of the players who are looked for."""
    lives = _lives(rules, released, seating)
    due = rules.sheet.fixed_deals
    return PublicRound(
        seal=next((seal for seal in reversed(seals) if seal.is_revealed), None),
        joined=seating.joined,
        missing=seating.missing,
        number=released.number,
        is_closed=released.state == Round.State.CLOSED,
        released_at=released.released_at,
        started_at=released.started_at,
        mark=mark_of(released.digest) if released.digest else "",
        tables=tuple(
            PublicTable(
                number=table,
                state=_STATES.get(last_step, "playing" if is_begun else "untouched"),
                strokes=strokes,
                seats=_with_missing(seating.by_table.get(table, ()), missing),
                drowned=drowned,
                lives=lives.get(table, ()),
                deals=(deals, due) if deals is not None and due else None,
                full_lives=rules.sheet.lives or 0,
            )
            for table, is_begun, last_step, strokes, drowned, _last, deals in released.tables
        ),
        newest=_newest(released, seating),
        begins_at=released.begins_at,
        ends_at=released.ends_at,
    )


def _with_missing(
    seats: tuple[PublicSeat, ...], missing: tuple[tuple[int, int], ...]
) -> tuple[PublicSeat, ...]:
    if not missing:
        return seats
    return tuple(
        replace(seat, is_missing=True) if (seat.table_number, seat.seat_number) in missing else seat
        for seat in seats
    )


Lives = tuple[tuple[int, int | None], ...]

_kept_lives: dict[Hashable, Lives] = {}
"""Lives at a table by its sheet, last entry and rules. The log up to an entry never changes."""
MOST_KEPT_LIVES = 10_000


def _lives(rules: Ruleset, released: Released, seating: Seating) -> dict[int, Lives]:
    """Return the lives at each table in play, by its number. One query for all that have new entries."""
    if len(_kept_lives) > MOST_KEPT_LIVES:
        _kept_lives.clear()
    wanted: dict[int, Hashable] = {}
    unknown: dict[int, tuple[int, int]] = {}
    for table, _is_begun, last_step, _strokes, _drowned, last, _deals in released.tables:
        if last is not None and last_step not in ("accepted", "reopened"):
            sheet_id, sequence, entry_id = last
            wanted[table] = of_this_club(sheet_id), entry_id, rules
            if wanted[table] not in _kept_lives:
                unknown[sheet_id] = table, sequence
    rows = SheetEntry.objects.filter(sheet__in=unknown).order_by("sheet", "sequence") if unknown else ()
    for sheet_id, written in groupby(rows, lambda row: row.sheet_id):
        table, sequence = unknown[sheet_id]
        numbers = [seat.seat_number for seat in seating.by_table[table]]
        entries = [entry_of(row) for row in written if row.sequence <= sequence]
        with suppress(ReplayRefused):
            _kept_lives[wanted[table]] = _lives_left(replay_log(rules, numbers, entries))
    return {table: _kept_lives[key] for table, key in wanted.items() if key in _kept_lives}


def _lives_left(log: SheetLog) -> Lives:
    left = {seat: log.kind.lives_left(log.state, seat) for seat in log.seats}
    if None in left.values():
        return ()
    return tuple((seat, lives if log.kind.is_in(log.state, seat) else None) for seat, lives in left.items())


def _newest(released: Released, seating: Seating) -> NewestStroke | None:
    if released.newest is None:
        return None
    table, seat_number, ended_by = released.newest
    seated = seating.by_table.get(table, ())
    seat = next((seat for seat in seated if seat.seat_number == seat_number), None)
    return NewestStroke(seat, ended_by) if seat else None
