"""The draw that lets as few pairs as possible meet again.

The players are numbered by lot and take their seats in that order. Then former companions are spread over the tables
as evenly as possible (`even_split`). With one or two earlier rounds, and tables that differ by at most one seat, this
is the proven minimum. A short tabu search reduces the remaining cost: a player from a table with a fault changes
places with the player who lowers the cost most, and may not move back at once. F. Glover, "Tabu search", ORSA Journal
on Computing 1 (1989) and 2 (1990); for seatings I. Dotú and P. Van Hentenryck, "Scheduling social golfers locally",
CPAIOR 2005. The search counts its steps and reads no clock.

Start numbers decide only who the neighbours in the queue are, and every player has two of them. So every player sits
in every seat of a round with the same probability, as long as the same players take part in each round and there are
no wishes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from tournaments.core.bounds import are_even
from tournaments.core.even_split import even_out
from tournaments.core.random_stream import RandomStream
from tournaments.core.refusal import Refusal
from tournaments.core.seating_cost import Past, Seating, SeatingTables
from tournaments.core.wishes import KeepApart, Wish, fixed_tables

_LOOKED_AT = 100
"""Number of candidates for a change of places; if there are more players, the candidates are drawn by lot."""
_PATIENCE = 150
_PATIENCE_WITH_REPEATS = 600
"""Number of steps without improvement that ends the search; larger while repeats might still be avoided."""
_TRIES = 20_000
"""Number of seats to try for players who are to be kept apart."""


def few_repeats(
    stream: RandomStream,
    players: Sequence[int],
    sizes: Sequence[int],
    history: Sequence[SeatingTables],
    wishes: Sequence[Wish],
) -> tuple[tuple[int, ...], ...]:
    """Return the tables for `players` (start numbers, ascending). history: the tables of each earlier round.

    The wishes have been checked (`check_wishes`). Raises Refusal `wishes_impossible` if the tables cannot keep apart
    all players who are to be kept apart.
    """
    past = _past(stream, players, sizes, history, wishes)
    seating = _seated(past, stream)
    seats: SeatingTables = seating.tables
    if len(sizes) > 1:
        goal, meet = seating.goal(), True
        if not wishes and are_even(sizes):
            meet = even_out(seating.tables, seating.table_of, past.places[-2:]) or len(history) > 2
        _improve(seating, seating.troubled(meet=meet), stream, goal)
    if wishes:
        seats = [stream.shuffled(table) for table in seating.tables]
    seats = [_scribe_first(table, past.scribed) if past.scribed[table[0]] else table for table in seats]
    return _in_start_numbers(seats, past, players)


def seated_by_lot(
    stream: RandomStream, players: Sequence[int], sizes: Sequence[int], wishes: Sequence[Wish]
) -> tuple[tuple[int, ...], ...]:
    """Return the tables for `players` (start numbers, ascending) by lot, subject to wishes, which have been checked.

    Players with a fixed table are seated first, then players to be kept apart, then all others, by lot.
    Raises Refusal `wishes_impossible`.
    """
    past = _past(stream, players, sizes, (), wishes)
    return _in_start_numbers(
        [stream.shuffled(table) for table in _seated(past, stream).tables], past, players
    )


def _in_start_numbers(
    tables: Iterable[Sequence[int]], past: Past, players: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    start_numbers = [players[place] for place in past.in_queue]
    return tuple([tuple([start_numbers[player] for player in table]) for table in tables])


def _past(
    stream: RandomStream,
    players: Sequence[int],
    sizes: Sequence[int],
    history: Sequence[SeatingTables],
    wishes: Iterable[Wish],
) -> Past:
    """Return the input of the search, with the players numbered by lot."""
    in_queue = stream.shuffled(range(len(players)))
    queue = [0] * len(players)
    for number, place in enumerate(in_queue):
        queue[place] = number
    number_of = dict(zip(players, queue, strict=True))
    return Past(
        sizes=sizes,
        history=history,
        places=[_places(tables, number_of) for tables in history],
        number_of=number_of,
        in_queue=in_queue,
        queue=queue,
        scribed=_scribed(history, number_of),
        sat=_sat(number_of, set(sizes), history) if len(set(sizes)) > 1 else {},
        fixed={number_of[player]: table - 1 for player, table in fixed_tables(wishes).items()},
        apart=_apart(wishes, number_of),
    )


def _places(tables: SeatingTables, number_of: Mapping[int, int]) -> list[int]:
    """Return the table of each player, -1 for an absent player. Raises Refusal `player_twice` (start_number)."""
    places = [-1] * len(number_of)
    for table_number, table in enumerate(tables):
        for player in table:
            if player in number_of:
                if places[number_of[player]] >= 0:
                    raise Refusal("player_twice", start_number=player)
                places[number_of[player]] = table_number
    return places


def _scribed(history: Sequence[SeatingTables], number_of: Mapping[int, int]) -> list[int]:
    """Count how often each player was scribe."""
    times = [0] * len(number_of)
    for tables in history:
        for table in tables:
            if table and table[0] in number_of:
                times[number_of[table[0]]] += 1
    return times


def _apart(wishes: Iterable[Wish], number_of: Mapping[int, int]) -> dict[int, list[int]]:
    """Return the players from whom each player is to be kept apart."""
    apart: dict[int, list[int]] = {}
    for wish in wishes:
        if isinstance(wish, KeepApart):
            for player, other in ((wish.a, wish.b), (wish.b, wish.a)):
                apart.setdefault(number_of[player], []).append(number_of[other])
    return apart


def _sat(
    number_of: Mapping[int, int], sizes: Iterable[int], history: Sequence[SeatingTables]
) -> dict[int, list[int]]:
    """Count how often each player sat at a table of each size."""
    sat = {size: [0] * len(number_of) for size in sizes}
    for tables in history:
        for table in tables:
            times = sat.get(len(table), [])
            for player in table if times else ():
                if player in number_of:
                    times[number_of[player]] += 1
    return sat


# --- taking seats --------------------------------------------------------------------------------------------------


def _seated(past: Past, stream: RandomStream) -> Seating:
    """Seat all players: first those with wishes, then at tables of each size those who had that size least."""
    tables: list[list[int]] = [[] for _ in past.sizes]
    for player, number in past.fixed.items():
        tables[number].append(player)
    if past.apart:
        _seat_apart(tables, past, stream)
    waiting = _waiting(tables, len(past.queue))
    for size in sorted(set(past.sizes), key=lambda size: (past.sizes.count(size), size)):
        of_this_size = [table for table, most in zip(tables, past.sizes, strict=True) if most == size]
        _fill(of_this_size, size, waiting, past)
    table_of = [0] * len(past.queue)
    for number, table in enumerate(tables):
        for player in table:
            table_of[player] = number
    return Seating(past, tables, table_of)


def _waiting(tables: SeatingTables, players: int) -> list[int]:
    seated = {player for table in tables for player in table}
    return [player for player in range(players) if player not in seated] if seated else list(range(players))


def _fill(tables: Sequence[list[int]], size: int, waiting: list[int], past: Past) -> None:
    """Fill the free seats of all tables of one size with players who sat at this size least; `waiting` shrinks."""
    free = size * len(tables) - sum(map(len, tables))
    if free < len(waiting):
        others = map(max, zip(*(times for other, times in past.sat.items() if other != size), strict=True))
        more_than_others = [times - most for times, most in zip(past.sat[size], others, strict=True)]
        waiting.sort(key=more_than_others.__getitem__)
    coming = iter(sorted(waiting[:free]))
    del waiting[:free]
    for table in tables:
        table.extend(islice(coming, size - len(table)))


def _seat_apart(tables: Sequence[list[int]], past: Past, stream: RandomStream) -> None:
    """Seat all players who are to be kept apart from others, depth first, those with the most such wishes first."""
    free = [player for player in past.apart if player not in past.fixed]
    players = sorted(free, key=lambda player: (-len(past.apart[player]), player))
    choices = [_open_to(players[0], tables, past, stream)] if players else []
    seated: list[int] = []
    for _ in range(_TRIES):
        if len(seated) == len(players):
            return
        table = next(choices[-1], None)
        if table is not None:
            tables[table].append(players[len(seated)])
            seated.append(table)
            choices.extend(_open_to(player, tables, past, stream) for player in players[len(seated) :][:1])
        elif seated:
            choices.pop()
            tables[seated.pop()].pop()
        else:
            break
    raise Refusal("wishes_impossible")


def _open_to(player: int, tables: Sequence[list[int]], past: Past, stream: RandomStream) -> Iterator[int]:
    """Yield the tables where a player may sit, starting with one drawn by lot; only one of equivalent tables."""
    first = stream.below(len(tables))
    alike = set()
    for step in range(len(tables)):
        number = (first + step) % len(tables)
        table = tables[number]
        kind = (past.sizes[number], len(table))
        if len(table) == past.sizes[number] or any(other in table for other in past.apart[player]):
            continue
        if not any(other in past.apart for other in table):
            if kind in alike:
                continue
            alike.add(kind)
        yield number


def _scribe_first(table: Sequence[int], scribed: Sequence[int]) -> Sequence[int]:
    """Return the players in the order of their seats; the first is one who has been scribe least."""
    scribe = min(table, key=scribed.__getitem__)
    return [scribe, *(player for player in table if player != scribe)]


# --- changing places -----------------------------------------------------------------------------------------------


def _improve(seating: Seating, troubled: dict[int, None], stream: RandomStream, goal: int) -> None:
    """Let players change places until the cost reaches the goal, or too many steps bring no improvement."""
    cost = best = seating.cost(troubled)
    undo: list[tuple[int, int]] = []
    barred: dict[tuple[int, int], int] = {}
    step = vain = 0
    while best > goal and vain < (
        _PATIENCE if best - goal < seating.weights.thrice else _PATIENCE_WITH_REPEATS
    ):
        step, vain = step + 1, vain + 1
        p = _one_to_move(seating, list(troubled), cost - goal, stream)
        better = None if p is None else _best_place(seating, p, barred, step, best - cost, stream)
        if p is None or better is None:
            continue
        difference, q = better
        for player in (p, q):
            barred[player, seating.table_of[player]] = step + 1 + stream.below(2)
        seating.swap(p, q)
        undo.append((p, q))
        cost += difference
        if cost < best:
            best, vain = cost, 0
            undo.clear()
        for table in (seating.table_of[p], seating.table_of[q]):
            troubled.pop(table, None)
            if seating.is_troubled(table):
                troubled[table] = None
    for p, q in reversed(undo):
        seating.swap(p, q)


def _one_to_move(seating: Seating, troubled: Sequence[int], excess: int, stream: RandomStream) -> int | None:
    """Draw a player of a table with a fault, or of a table size they had before. None if no such player may move."""
    weights, past = seating.weights, seating.past
    if weights.size <= excess < weights.scribe and (not troubled or stream.below(2)):
        players = seating.misplaced()
    else:
        tables = troubled or range(len(seating.tables))
        table = tables[stream.below(len(tables))]
        players = seating.strained(table) or seating.tables[table]
    free = [player for player in players if player not in past.fixed]
    return free[stream.below(len(free))] if free else None


def _best_place(
    seating: Seating,
    p: int,
    barred: Mapping[tuple[int, int], int],
    step: int,
    enough: int,
    stream: RandomStream,
) -> tuple[int, int] | None:
    """Return the best change of places for `p`: the difference in cost, and the other player.

    A barred move counts only if its difference is less than `enough`, which means a cost lower than any before.
    """
    players, here = len(seating.table_of), seating.table_of[p]
    if players <= _LOOKED_AT:
        first = stream.below(players)
        others: Iterable[int] = (*range(first, players), *range(first))
    else:
        others = (stream.below(players) for _ in range(_LOOKED_AT))
    best = None
    relief = seating.pulls(p).get(here, 0) + seating.weights.scribe * seating.office(here)
    for difference, q in seating.differences(p, others):
        if best is not None and difference >= best[0]:
            continue
        there = seating.table_of[q]
        if difference < enough or max(barred.get((p, there), 0), barred.get((q, here), 0)) < step:
            best = difference, q
            if players > _LOOKED_AT and difference <= -relief < 0:
                break
    return best
