"""Whether commitments hold: each one after the one before, and what was drawn from it."""

from collections.abc import Collection

from tournaments.core.ceremony import TERMS_OF_AN_ATTEMPT, Terms, before_value, commitment_digest, seed_of
from tournaments.models import Commitment, DrawAttempt
from tournaments.queries.draw_terms import fits


def follows(one: Commitment, before: Commitment | None) -> bool:
    """Whether a commitment says of itself where it stands, and mentions the one before it as it was. before: None for the first."""
    told = one.value.get("before")
    if one.value.get("number") != one.number or one.value.get("round") != one.round_number:
        return False
    if before is None or not isinstance(told, dict):
        return one.number == 1 and before is None and told is None
    known = before_value(
        digest=before.digest,
        secret=before.secret if told.get("secret") is not None else None,
        words=before.words if told.get("words") is not None else None,
    )
    return one.number == before.number + 1 and told == known


def is_over_its_value(one: Commitment) -> bool:
    """Whether the digest is that of the value and the secret. An open commitment is taken at its word."""
    return not one.secret or one.digest == commitment_digest(one.value, one.secret)


def gives_seed(one: Commitment, seed: str) -> bool:
    """Whether this is the seed of a draw or lot that follows from an opened commitment."""
    return bool(one.secret) and seed == seed_of(one.secret, one.words or "")


def is_to_draw(one: Commitment, attempt: DrawAttempt, round_number: int) -> bool:
    """Whether a commitment is one to the draw that was made, and its seed follows."""
    terms = Terms(round_number, **{column: getattr(attempt, column) for column in TERMS_OF_AN_ATTEMPT})
    return one.value.get("version") == attempt.version and fits(one, terms) and gives_seed(one, attempt.seed)


def is_to_lot(one: Commitment, players: Collection[int], seed: str) -> bool:
    """Whether a commitment is one to the lot between these players, and its seed follows."""
    return one.value.get("lot") == sorted(players) and gives_seed(one, seed)
