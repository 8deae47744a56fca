"""All that goes into the draw of a round but its seed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tournaments.core.ceremony import Terms
from tournaments.core.draw import RANDOM
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import Wish
from tournaments.models import Commitment, DrawAttempt, Participant, Seat, Tournament


def terms_of(
    tournament: Tournament,
    number: int,
    *,
    players: Iterable[int],
    sizes: Sequence[int],
    mode: str,
    wishes: Iterable[Wish] = (),
    drawn_before: int | None = None,
) -> Terms:
    """Return the terms of the next draw of round `number`, for `players` (start numbers) at tables of `sizes`.

    Wishes of players who do not play are left out. drawn_before: the first of several rounds that are drawn one after the other; the
    history ends before it, as the rounds from there on are not drawn so far. Refuses unknown_participant (start_number),
    and a wish without a reason.
    """
    players = sorted(players)
    last = DrawAttempt.objects.filter(round__tournament=tournament, round__number=number).order_by("-attempt")
    return Terms(
        round_number=number,
        attempt=next(iter(last.values_list("attempt", flat=True)[:1]), 0) + 1,
        mode=mode,
        players=players,
        sizes=list(sizes),
        history=[] if mode == RANDOM else _history(tournament, before=min(number, drawn_before or number)),
        wishes=_wishes(tournament, wishes, set(players)),
    )


def fits(commitment: Commitment, terms: Terms) -> bool:
    """Whether a commitment is one to this draw.

    Rounds drawn ahead are committed to together, so the commitment of a later round has a shorter history. The rest of the
    history follows from the draws in between.
    """
    history = terms.history[: len(commitment.value.get("history") or ())]
    same = {**terms.value, "history": history}
    return commitment.round_number == terms.round_number and same.items() <= commitment.value.items()


def _history(tournament: Tournament, *, before: int) -> list[list[list[int]]]:
    """Return the current tables of each round before this number, as start numbers in seat order."""
    if before == 1:
        return []
    seats = Seat.objects.filter(tournament=tournament, round__number__lt=before).order_by(
        "round__number", "table__number", "seat_number"
    )
    rounds: list[dict[int, list[int]]] = [{} for _ in range(1, before)]
    for number, table, player in seats.values_list(
        "round__number", "table__number", "participant__start_number"
    ):
        rounds[number - 1].setdefault(table, []).append(player)
    return [list(tables.values()) for tables in rounds]


def _wishes(tournament: Tournament, wishes: Iterable[Wish], playing: set[int]) -> list[dict[str, object]]:
    """Return the wishes to record: those whose players all play, each with its reason."""
    wishes = list(wishes)
    if not wishes:
        return []
    registered = set(Participant.objects.filter(tournament=tournament).values_list("start_number", flat=True))
    recorded = []
    for wish in wishes:
        for player in wish.players:
            if player not in registered:
                raise Refusal("unknown_participant", start_number=player)
        reason = clean_text(wish.reason, most=500, required=True)
        if playing.issuperset(wish.players):
            recorded.append(replace(wish, reason=reason).to_dict())
    return recorded
