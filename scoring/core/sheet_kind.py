"""What a kind of sheet must answer, so that the fold (`sheet.py`) can be written once for all kinds.

A kind knows the facts of its game and nothing of voids, confirmations or the life cycle. It is made for one
ruleset and holds no state of its own: the state is a frozen value that `apply` turns into the next one.
A fact may refer to an earlier one by its entry id, which is why `check` and `apply` see the whole `Fact`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from scoring.core.entries import Data
from tournaments.core.refusal import Refusal

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Fact:
    """An entry of facts that counts: not voided, and with the data of its last correction.

    deal_number: 1 for the first deal that counts, None for facts that are no deal. corrected: whether the
    data is not what was first written.
    """

    entry_id: str
    kind: str
    data: Data
    deal_number: int | None
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class SeatScore:
    """What a seat has reached: rank and points are None until they are decided, points also where there are none.

    strokes: on the tally. counts: what tie-breaks count apart, such as the strokes by their mark.
    """

    seat_number: int
    rank: int | None
    points: int | None
    strokes: int
    counts: Mapping[str, int]


class SheetKind(Protocol[S]):
    """A kind of sheet under one ruleset."""

    @property
    def facts(self) -> frozenset[str]:
        """The kinds of entries that are facts of this game; a `deal` is counted by the fold."""

    @property
    def approvals(self) -> frozenset[str]:
        """Facts that are the organiser's mark on an earlier one: he alone writes them, and they change no deal.

        So they leave the confirmations as they stand, and the pen where it is.
        """

    def normalised(self, seats: Sequence[int], kind: str, data: object) -> dict[str, Any]:
        """The data of a fact: exact keys, types, values that can be. Raises Refusal."""

    def start(self, seats: Sequence[int]) -> S:
        """The state of an empty sheet."""

    def check(self, state: S, fact: Fact) -> None:
        """May this fact (with normalised data) follow now? Raises Refusal if not."""

    def apply(self, state: S, fact: Fact) -> S:
        """The state after a fact that was checked."""

    def missing(self, state: S) -> Refusal | None:
        """Why the sheet is not complete yet; None if it is."""

    def unacceptable(self, state: S) -> Refusal | None:
        """Why not even the organiser can accept the sheet as it is; None if it takes him no more than a reason."""

    def waiting(self, state: S, /) -> frozenset[str]:
        """The ids of the facts that count only once the organiser has put his mark on them."""

    def results(self, state: S) -> tuple[SeatScore, ...]:
        """One score a seat, in the order of the seats."""

    def lives_left(self, state: S, seat: int, /) -> int | None:
        """The lives of a seat; None where a sheet knows none, or none was played for yet."""

    def is_in(self, state: S, seat: int, /) -> bool:
        """Whether the seat still plays."""
