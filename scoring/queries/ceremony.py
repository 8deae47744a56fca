"""The open ceremony of a draw: what is committed to, and whether it still fits."""

from dataclasses import dataclass
from datetime import datetime

from scoring.queries.entrants import players_of_round
from tournaments.core.ceremony import Terms
from tournaments.core.wishes import wish_from_dict
from tournaments.models import Commitment, Tournament
from tournaments.queries.draw_terms import fits, terms_of


@dataclass(frozen=True, slots=True)
class OpenCeremony:
    """The commitments that wait for their draw: of one round, or of several that are drawn one after the other.

    words: those of the hall, None until they are entered. is_outdated: players, wishes or earlier rounds have changed since.
    """

    commitments: tuple[Commitment, ...]
    is_outdated: bool

    @property
    def first(self) -> Commitment:
        return self.commitments[0]

    @property
    def words(self) -> str | None:
        return self.first.words

    @property
    def made_at(self) -> datetime:
        return self.first.made_at

    @property
    def is_redraw(self) -> bool:
        return int(self.first.value["attempt"]) > 1


def open_ceremony(tournament: Tournament, number: int) -> OpenCeremony | None:
    """Return the open ceremony that begins with round `number`; None without one."""
    waiting = tournament.commitments.filter(secret="", replaced_at=None, round_number__isnull=False)
    commitments = tuple(waiting.order_by("round_number"))
    if not commitments or commitments[0].round_number != number:
        return None
    return OpenCeremony(
        commitments, is_outdated=not fits(commitments[0], _terms_now(tournament, number, commitments[0]))
    )


def sealed_lot(tournament: Tournament) -> Commitment | None:
    """Return the commitment to a lot that waits for its words; None without one."""
    return tournament.commitments.filter(secret="", replaced_at=None, round_number=None).first()


def _terms_now(tournament: Tournament, number: int, commitment: Commitment) -> Terms:
    """Return the terms of the draw of a round as they are now, in the mode and at the tables that were committed to."""
    return terms_of(
        tournament,
        number,
        players=players_of_round(tournament, number),
        sizes=commitment.value["sizes"],
        mode=commitment.value["mode"],
        wishes=map(wish_from_dict, tournament.wishes),
    )
