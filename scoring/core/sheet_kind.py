"""The base of a kind of sheet, so that the fold (`sheet.py`) is written once for all kinds.

A kind knows the facts of its game and nothing of voids, confirmations or the life cycle. It is made for one
ruleset and holds no state: the state is a frozen value that `apply` turns into the next one.
A fact may refer to an earlier one by its entry id, so `check` and `apply` get the whole `Fact`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from scoring.core.entries import Data
from tournaments.core.refusal import Refusal

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that counts: an entry that is not voided, with the data of its last correction.

    deal_number: 1 for the first deal that counts, None for facts that are not deals. corrected: whether the
    data comes from a correction.
    """

    entry_id: str
    kind: str
    data: Data
    deal_number: int | None
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The result of a seat. rank and points are None until decided; points stay None if the ruleset gives none.

    strokes: on the tally. counts: values for tie-breaks, such as the strokes by their mark.
    """

    seat_number: int
    rank: int | None
    points: int | None
    strokes: int
    counts: Mapping[str, int]


class SheetKind(ABC, Generic[S]):
    """A kind of sheet under one ruleset.

    facts: the kinds of entries that are facts of this game; the fold numbers each `deal`. approvals: those that mark an
    earlier one as approved. Only the organiser writes them, and they change no deal, so the confirmations stay valid, and
    the pen stays with its phone.
    """

    facts: ClassVar[frozenset[str]]
    approvals: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def normalised(self, seats: Sequence[int], kind: str, data: object) -> dict[str, Any]:
        """Return the data of a fact: exact keys, types, possible values. Raises Refusal."""

    @abstractmethod
    def start(self, seats: Sequence[int]) -> S:
        """Return the state of an empty sheet."""

    @abstractmethod
    def check(self, state: S, fact: Fact) -> None:
        """Check that this fact (with normalised data) may follow now. Raises Refusal if not."""

    @abstractmethod
    def apply(self, state: S, fact: Fact) -> S:
        """Return the state after a fact that was checked."""

    @abstractmethod
    def missing(self, state: S) -> Refusal | None:
        """Return the reason why the sheet is not complete yet; None if it is."""

    def unacceptable(self, state: S) -> Refusal | None:
        """Return the reason why not even the organiser can accept the sheet; None if they need only state a reason."""
        return self.missing(state)

    def waiting(self, _state: S, /) -> frozenset[str]:
        """Return the ids of the facts that count only once the organiser has approved them."""
        return frozenset()

    @abstractmethod
    def results(self, state: S) -> tuple[SeatScore, ...]:
        """Return one score a seat, in the order of the seats."""

    def lives_left(self, _state: S, _seat: int, /) -> int | None:
        """Return the lives of a seat; None where the kind knows none, or no deal is played yet."""
        return None

    def is_in(self, _state: S, _seat: int, /) -> bool:
        """Return whether the seat still plays."""
        return True

    def hand_values(self) -> tuple[int, ...]:
        """Return the points that a hand can have, the greatest first; empty where hands are not written down."""
        return ()
