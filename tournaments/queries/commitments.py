"""Verification of commitments: their chain, and the draws and lots that follow from them."""

from collections.abc import Collection

from tournaments.core.ceremony import TERMS_OF_AN_ATTEMPT, Terms, before_value, commitment_digest, seed_of
from tournaments.models import Commitment, DrawAttempt
from tournaments.queries.draw_terms import fits


def follows(row: Commitment, before: Commitment | None) -> bool:
    """Whether the value of a commitment states its own number and round, and its predecessor as stored. before: None for the first."""
    told = row.value.get("before")
    if row.value.get("number") != row.number or row.value.get("round") != row.round_number:
        return False
    if before is None or not isinstance(told, dict):
        return row.number == 1 and before is None and told is None
    reference = before_value(
        digest=before.digest,
        secret=before.secret if told.get("secret") is not None else None,
        words=before.words if told.get("words") is not None else None,
    )
    return row.number == before.number + 1 and told == reference


def is_over_its_value(row: Commitment) -> bool:
    """Whether the digest is that of the value and the secret. An open commitment cannot be checked and passes."""
    return not row.secret or row.digest == commitment_digest(row.value, row.secret)


def gives_seed(row: Commitment, seed: str) -> bool:
    """Whether this is the seed of a draw or lot that follows from an opened commitment."""
    return bool(row.secret) and seed == seed_of(row.secret, row.words or "")


def is_to_draw(row: Commitment, attempt: DrawAttempt, round_number: int) -> bool:
    """Whether a commitment is one to the draw that was made, and its seed follows."""
    terms = Terms(round_number, **{column: getattr(attempt, column) for column in TERMS_OF_AN_ATTEMPT})
    return row.value.get("version") == attempt.version and fits(row, terms) and gives_seed(row, attempt.seed)


def is_to_lot(row: Commitment, players: Collection[int], seed: str) -> bool:
    """Whether a commitment is one to the lot between these players, and its seed follows."""
    return row.value.get("lot") == sorted(players) and gives_seed(row, seed)
