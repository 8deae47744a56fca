"""The ceremony of a draw or a lot: a commitment, the words of the hall, and the revelation.

The commitment is SHA-256 over all that goes into the draw, and over 32 secret random bytes. It is public before the result exists.
Then somebody in the hall calls out some words. The seed is SHA-256 over the secret and the words. So the program cannot choose the
result, as it does not know the words when it commits itself; and the hall cannot, as it does not know the secret. When the
result is public the secret is as well, and everybody can check both. docs/protocol.md has the exact texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tournaments.core.base32 import letters_of
from tournaments.core.canonical import canonical
from tournaments.core.draw import DRAW_VERSION

MOST_WORDS = 60
"""The longest words of the hall, in characters."""
_REMARKS = ("reason", "private")
_GROUPS, _LETTERS = 8, 4
TERMS_OF_AN_ATTEMPT = ("attempt", "mode", "players", "sizes", "history", "wishes")


@dataclass(frozen=True, slots=True)
class Terms:
    """All that goes into the draw of a round but its seed.

    attempt: its number in the round. history: the tables of each earlier round. wishes: with their remarks.
    """

    round_number: int
    attempt: int
    mode: str
    players: list[int]
    sizes: list[int]
    history: list[list[list[int]]]
    wishes: list[dict[str, object]]

    @property
    def columns(self) -> dict[str, Any]:
        """The terms as a draw attempt stores them."""
        return {column: getattr(self, column) for column in TERMS_OF_AN_ATTEMPT}

    @property
    def has_private_wish(self) -> bool:
        return any(wish.get("private") for wish in self.wishes)

    @property
    def value(self) -> dict[str, Any]:
        """The content of a commitment to this draw, but for its place in the chain and the secret."""
        return {
            "round": self.round_number,
            "attempt": self.attempt,
            "version": DRAW_VERSION,
            "mode": self.mode,
            "players": self.players,
            "sizes": self.sizes,
            "history": self.history,
            "wishes": [bare_wish(wish) for wish in self.wishes],
        }


def draw_value(
    terms: Terms, *, tournament: str, number: int, before: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return what the commitment of a draw is over, but for the secret.

    tournament: its slug. number: of the commitment, from 1 on through the whole tournament. before: see `before_value`;
    None for the first.
    """
    return {"tournament": tournament, "number": number, **terms.value, "before": before}


def lot_value(
    *, tournament: str, number: int, players: Sequence[int], before: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return what the commitment of a lot between equal players is over, but for the secret."""
    return {"tournament": tournament, "number": number, "lot": list(players), "before": before}


def before_value(*, digest: str, secret: str | None, words: str | None) -> dict[str, Any]:
    """Return how a commitment mentions the one before it. secret, words: None if they are not public at that time."""
    return {"digest": digest, "secret": secret, "words": words}


def bare_wish(wish: Mapping[str, object]) -> dict[str, object]:
    """Return a wish without its remarks."""
    return {key: value for key, value in wish.items() if key not in _REMARKS}


def commitment_digest(value: Mapping[str, Any], secret: str) -> str:
    """Return the commitment, 64 hexadecimal digits. secret: 64 hexadecimal digits."""
    return sha256(canonical({**value, "secret": secret})).hexdigest()


def seed_of(secret: str, words: str) -> str:
    """Return the seed of the draw: 64 hexadecimal digits. words: "" if the hall said none."""
    return sha256(bytes.fromhex(secret) + words.encode()).hexdigest()


def spoken(digest: str) -> tuple[str, ...]:
    """Return the first 160 bits of a commitment as eight groups of four, which two people can compare by ear.

    As many bits as make it hopeless to find two secrets with the same groups.
    """
    letters = letters_of(digest, _GROUPS * _LETTERS)
    return tuple(letters[start : start + _LETTERS] for start in range(0, len(letters), _LETTERS))
