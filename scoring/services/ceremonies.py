"""Draws and lots in two steps: the commitment, then the words of the hall with the draw."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from scoring.models import Decision
from scoring.queries.ceremony import OpenCeremony, open_ceremony
from scoring.queries.entrants import players_of_round
from scoring.services.rounds import DrawOptions, rounds_drawn_with, sizes_of, wishes_of
from scoring.services.standings import check_tied, commit_to, record_lot
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import wish_from_dict
from tournaments.models import Commitment, Round, Tournament
from tournaments.queries.draw_terms import terms_of
from tournaments.services import ceremony, rounds
from tournaments.services.tournaments import lock_tournament


def seal_draw(
    tournament: Tournament, number: int, *, options: DrawOptions, by: str, at: datetime
) -> list[Commitment]:
    """Commit to the draw of round `number` for its current players; where rounds are drawn ahead, to all later ones too.

    A drawn round stays as it is until it is drawn again. Refuses what `scoring.services.rounds.draw_next` refuses before the draw,
    round_is_closed and round_has_entries (round).
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        _check_may_draw(tournament, number)
        players = players_of_round(tournament, number)
        sizes = sizes_of(tournament, len(players), options).sizes
        for left in ceremony.open_commitments(tournament).filter(round_number__isnull=False):
            ceremony.replace_open(tournament, at=at, round_number=left.round_number)
        return [
            ceremony.commit_to_draw(
                tournament,
                terms_of(
                    tournament,
                    each,
                    players=players,
                    sizes=sizes,
                    mode=options.mode or tournament.draw_mode,
                    wishes=wishes_of(tournament, options),
                    drawn_before=number,
                ),
                by=by,
                at=at,
            )
            for each in rounds_drawn_with(tournament, number)
        ]


def draw_sealed(
    tournament: Tournament, number: int, *, words: str, reason: str = "", by: str, at: datetime
) -> list[Round]:
    """Draw round `number`, and the later rounds committed to with it, from the commitment and the words of the hall.

    The words stay recorded and public even if the draw is refused. reason: needed if the round was drawn before. Refuses
    nothing_is_sealed, commitment_outdated if players, wishes or earlier rounds have changed, words_are_said (words),
    commitment_cannot_be_opened, and what drawing refuses.
    """
    with transaction.atomic():
        if _open(lock_tournament(tournament), number).is_outdated:
            raise Refusal("commitment_outdated")
        ceremony.say_words(tournament, words, at=at)
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        sealed = _open(tournament, number)
        players = players_of_round(tournament, number)
        wishes = [wish_from_dict(wish) for wish in tournament.wishes]
        drawn = []
        for commitment in sealed.commitments:
            value = commitment.value
            terms = {"players": players, "sizes": value["sizes"], "mode": value["mode"], "wishes": wishes}
            if value["attempt"] == 1:
                each = rounds.draw_round(tournament, number=value["round"], **terms, by=by, at=at)
            else:
                each = rounds.redraw(tournament, value["round"], **terms, reason=reason, by=by, at=at)
            if not each.attempts.filter(commitment=commitment).exists():
                raise Refusal("commitment_outdated")
            drawn.append(each)
    return drawn


def seal_lot(tournament: Tournament, players: Collection[int], *, by: str, at: datetime) -> Commitment:
    """Commit to the lot between tied players (RULES 5.7). Refuses lot_is_drawn_by_hand (other rulesets), not_tied (start_numbers)."""
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        check_tied(tournament, players)
        return commit_to(tournament, players, by=by, at=at)


def draw_sealed_lot(tournament: Tournament, *, words: str, by: str, at: datetime) -> Decision:
    """Draw a lot from its commitment and the words of the hall.

    Refuses nothing_is_sealed, words_are_said (words), commitment_cannot_be_opened, and what `seal_lot` refuses.
    """
    ceremony.say_words(tournament, words, at=at)
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        waiting = ceremony.open_commitments(tournament).filter(round_number=None).first()
        if waiting is None:
            raise Refusal("nothing_is_sealed")
        return record_lot(tournament, waiting, by=by, at=at)


def _check_may_draw(tournament: Tournament, number: int) -> None:
    existing = tournament.rounds.filter(number=number).first()
    if existing is None:
        rounds.check_turn(tournament, number)
    elif existing.state == Round.State.CLOSED:
        raise Refusal("round_is_closed", round=number)


def _open(tournament: Tournament, number: int) -> OpenCeremony:
    sealed = open_ceremony(tournament, number)
    if sealed is None:
        raise Refusal("nothing_is_sealed")
    return sealed
