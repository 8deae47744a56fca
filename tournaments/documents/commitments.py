"""The commitments of a tournament in its document and in public."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from tournaments.core.document_reader import Fields, Reader
from tournaments.core.draw import is_seed
from tournaments.core.lot import draw_lot
from tournaments.core.moments import iso_moment
from tournaments.documents.fields import Field, FieldTable, parts_of, read_numbers, read_object
from tournaments.documents.rounds import ReadRound, public_round_document, read_seed
from tournaments.models import Commitment, Tournament
from tournaments.queries.commitments import follows, is_over_its_value, is_to_draw, is_to_lot
from tournaments.queries.seating import RoundRow

Commitments = Mapping[int, Commitment]
"""Commitments by their number."""


def _read_secret(reader: Reader) -> str:
    if reader.value and not (isinstance(reader.value, str) and is_seed(reader.value)):
        raise reader.error("seed_bad")
    return reader.value or ""


def _read_digest(reader: Reader) -> str:
    if not isinstance(reader.value, str) or not is_seed(reader.value) or reader.value != reader.value.lower():
        raise reader.error("seed_bad")
    return reader.value


COMMITMENTS = FieldTable(
    Commitment,
    Field("number", least=1),
    Field("round", "round_number", least=1),
    Field("value", read=read_object),
    Field("private", "is_private"),
    Field("digest", read=_read_digest),
    "made_at",
    Field("by", default=""),
    "words",
    "words_at",
    "replaced_at",
    Field("secret", or_null=True, read=_read_secret),
    "revealed_at",
)


def commitment_documents(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the commitments in the order of their chain, for organisers. Open ones have no secret."""
    return [COMMITMENTS.write(commitment) for commitment in tournament.commitments.order_by("number")]


def public_commitments(commitments: Iterable[Commitment]) -> list[dict[str, Any]]:
    """Return commitments in public form; value and secret only once the result is public."""
    return [
        {
            "number": commitment.number,
            "round": commitment.round_number,
            "attempt": commitment.value.get("attempt"),
            "digest": commitment.digest,
            "made_at": iso_moment(commitment.made_at),
            "words": commitment.words,
            "words_at": iso_moment(commitment.words_at),
            "replaced_at": iso_moment(commitment.replaced_at),
            "secret": commitment.public_secret,
            "value": commitment.value if commitment.public_secret else None,
        }
        for commitment in commitments
    ]


def announced_round(
    number: int, row: RoundRow | None, commitments: Sequence[Commitment]
) -> dict[str, Any] | None:
    """Return the public document of a round: its commitments, and tables and draw once it is released; None if it is empty.

    row: the round, None before its release. The reason of an abandoned attempt is public if the attempt after it has a commitment:
    the organiser was told so.
    """
    published = {"commitments": public_commitments(commitments)}
    if row is None:
        return {**_unreleased(number, commitments), **published} if commitments else None
    document = public_round_document(row)
    attempts = [*row.abandoned, row.attempt] if row.attempt else []
    for (_, after), abandoned in zip(
        pairwise(attempts), (document["draw"] or {}).get("abandoned", ()), strict=True
    ):
        abandoned["abandoned_because"] = after.reason if after.commitment_id else None
    return document | published


def _unreleased(number: int, commitments: Iterable[Commitment]) -> dict[str, Any]:
    is_drawn = any(commitment.secret and not commitment.revealed_at for commitment in commitments)
    moments = dict.fromkeys(("drawn_at", "released_at", "started_at", "closed_at"))
    return {
        "number": number,
        "state": "drawn" if is_drawn else "sealed",
        **moments,
        "draw": None,
        "tables": [],
    }


def read_commitments(document: Fields, tournament: Tournament, *, at: datetime) -> Commitments:
    """Return the commitments of a document, unsaved, after checking that they are one chain. Raises DocumentError."""
    chain: dict[int, Commitment] = {}
    for item in parts_of(document.reader, "commitments"):
        commitment = COMMITMENTS.read(item, at=at, tournament=tournament)
        item.key("number").whole(least=len(chain) + 1, most=len(chain) + 1)
        if not follows(commitment, chain.get(commitment.number - 1)):
            raise item.key("value").error("commitment_does_not_match")
        if not is_over_its_value(commitment):
            raise item.key("digest").error("commitment_does_not_match")
        chain[commitment.number] = commitment
    return chain


def link_draws(rounds: Iterable[ReadRound], commitments: Commitments) -> None:
    """Link each attempt to its commitment, after checking that it commits to this draw. Raises DocumentError.

    In a document without commitments, such as a public one, the attempts have none.
    """
    for read_round in rounds if commitments else ():
        for read in read_round.attempts:
            place = read.reader.key("commitment")
            if place.is_null:
                continue
            commitment = _known(place, commitments)
            if not is_to_draw(commitment, read.attempt, read_round.round.number):
                raise place.error("commitment_does_not_match")
            read.attempt.commitment = commitment


def read_lot(decision: Reader) -> str:
    """Return the seed of a lot after checking that it yields the recorded order; "" for a decision without a seed."""
    read_object(decision)
    reader = decision.key("seed")
    if reader.is_null:
        return ""
    if decision.key("kind").value != "lot":
        raise reader.error("lot_does_not_match")
    seed = read_seed(reader)
    order = read_numbers(decision.key("order"))
    if draw_lot(seed, order) != tuple(order):
        raise decision.key("order").error("lot_does_not_match")
    return seed


def lot_commitment(
    place: Reader, players: list[int], seed: str, commitments: Commitments
) -> Commitment | None:
    """Return the commitment of a lot, None without one, after checking that it yields the seed. Raises DocumentError."""
    if place.is_null or not commitments:
        return None
    commitment = _known(place, commitments)
    if not is_to_lot(commitment, players, seed):
        raise place.error("commitment_does_not_match")
    return commitment


def _known(place: Reader, commitments: Commitments) -> Commitment:
    commitment = commitments.get(place.whole(least=1))
    if commitment is None:
        raise place.error("commitment_does_not_match")
    return commitment
