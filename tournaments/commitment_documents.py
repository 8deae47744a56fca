"""The commitments of a tournament in its document, and as everybody may read them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tournaments.core.ceremony import MOST_WORDS
from tournaments.core.document_reader import Fields, Reader
from tournaments.core.draw import is_seed
from tournaments.core.lot import draw_lot
from tournaments.document_import import ReadRound, read_seed
from tournaments.documents import moment, public_round_document
from tournaments.models import Commitment, Tournament
from tournaments.queries.commitments import follows, is_over_its_value, is_to_draw, is_to_lot
from tournaments.queries.seating import RoundRow

_KEYS = ("number", "value", "digest", "made_at")
_MORE_KEYS = ("round", "private", "by", "words", "words_at", "replaced_at", "secret", "revealed_at")

Commitments = Mapping[int, Commitment]
"""Commitments by their number."""


def commitment_documents(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the commitments in the order of their chain, for organisers. An open one comes without its secret."""
    return [
        {
            "number": one.number,
            "round": one.round_number,
            "value": one.value,
            "private": one.is_private,
            "digest": one.digest,
            "made_at": moment(one.made_at),
            "by": one.by,
            "words": one.words,
            "words_at": moment(one.words_at),
            "replaced_at": moment(one.replaced_at),
            "secret": one.secret or None,
            "revealed_at": moment(one.revealed_at),
        }
        for one in tournament.commitments.order_by("number")
    ]


def public_commitments(commitments: Iterable[Commitment]) -> list[dict[str, Any]]:
    """Return commitments as everybody may read them: what they are over, and the secret, once the result is public."""
    return [
        {
            "number": one.number,
            "round": one.round_number,
            "attempt": one.value.get("attempt"),
            "digest": one.digest,
            "made_at": moment(one.made_at),
            "words": one.words,
            "words_at": moment(one.words_at),
            "replaced_at": moment(one.replaced_at),
            "secret": one.public_secret,
            "value": one.value if one.public_secret else None,
        }
        for one in commitments
    ]


def announced_round(
    number: int, row: RoundRow | None, commitments: Sequence[Commitment]
) -> dict[str, Any] | None:
    """Return what everybody may read of a round: its commitments, and tables and draw once it is released.

    row: the round, None before its release. Why an attempt was abandoned is public where the organiser was told so: where the attempt
    after it has a commitment. None if there is nothing to read.
    """
    shown = {"commitments": public_commitments(commitments)}
    if row is None:
        return {**_unreleased(number, commitments), **shown} if commitments else None
    document = public_round_document(row)
    attempts = [*row.abandoned, row.attempt] if row.attempt else []
    for (_, after), abandoned in zip(
        pairwise(attempts), (document["draw"] or {}).get("abandoned", ()), strict=True
    ):
        abandoned["abandoned_because"] = after.reason if after.commitment_id else None
    return document | shown


def _unreleased(number: int, commitments: Iterable[Commitment]) -> dict[str, Any]:
    is_drawn = any(one.secret and not one.revealed_at for one in commitments)
    moments = dict.fromkeys(("drawn_at", "released_at", "started_at", "closed_at"))
    return {
        "number": number,
        "state": "drawn" if is_drawn else "sealed",
        **moments,
        "draw": None,
        "tables": [],
    }


def read_commitments(fields: Fields, tournament: Tournament) -> Commitments:
    """Return the commitments of a document, unsaved, after checking that they are one chain. Raises DocumentError."""
    found: dict[int, Commitment] = {}
    for item in fields["commitments"].items() if fields.has("commitments") else ():
        one = _read(item, tournament)
        if one.number != len(found) + 1:
            raise item.key("number").error(
                "document_number_expected", least=len(found) + 1, most=len(found) + 1
            )
        before = found.get(one.number - 1)
        if not follows(one, before):
            raise item.key("value").error("commitment_does_not_match")
        if not is_over_its_value(one):
            raise item.key("digest").error("commitment_does_not_match")
        found[one.number] = one
    return found


def link_draws(rounds: Iterable[ReadRound], commitments: Commitments) -> None:
    """Give each attempt its commitment, after checking that it is one to this very draw. Raises DocumentError.

    In a document without commitments, such as one made of rounds as everybody may read them, the attempts have none.
    """
    for found in rounds if commitments else ():
        for read in found.attempts:
            place = read.reader.key("commitment")
            if place.is_null:
                continue
            commitment = _known(place, commitments)
            if not is_to_draw(commitment, read.attempt, found.round.number):
                raise place.error("commitment_does_not_match")
            read.attempt.commitment = commitment


def read_lot(decision: Reader) -> str:
    """Return the seed of a lot after checking that it gives the recorded order; "" for a decision without a seed."""
    if not isinstance(decision.value, dict):
        raise decision.error("document_object_expected")
    reader = decision.key("seed")
    if reader.is_null:
        return ""
    if decision.key("kind").value != "lot":
        raise reader.error("lot_does_not_match")
    seed = read_seed(reader)
    order = [number.whole(least=1) for number in decision.key("order").items()]
    if draw_lot(seed, order) != tuple(order):
        raise decision.key("order").error("lot_does_not_match")
    return seed


def lot_commitment(
    place: Reader, players: list[int], seed: str, commitments: Commitments
) -> Commitment | None:
    """Return the commitment of a lot, None without one, after checking that its seed follows from it. Raises DocumentError."""
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


def _read(reader: Reader, tournament: Tournament) -> Commitment:
    fields = reader.fields(_KEYS, _MORE_KEYS)
    value, secret = fields["value"], fields["secret"].value or ""
    if not isinstance(value.value, dict):
        raise value.error("document_object_expected")
    if secret and not (isinstance(secret, str) and is_seed(secret)):
        raise fields["secret"].error("seed_bad")
    return Commitment(
        tournament=tournament,
        number=fields["number"].whole(least=1),
        round_number=fields["round"].whole(least=1) if fields.has("round") else None,
        value=value.value,
        is_private=fields.has("private") and fields["private"].yes_or_no(),
        secret=secret,
        digest=_digest(fields["digest"]),
        made_at=fields["made_at"].moment(),
        by="" if fields["by"].is_null else fields["by"].text(most=150, required=False),
        words=fields["words"].text(most=MOST_WORDS, required=False) if fields.has("words") else None,
        words_at=fields.moment("words_at"),
        replaced_at=fields.moment("replaced_at"),
        revealed_at=fields.moment("revealed_at"),
    )


def _digest(reader: Reader) -> str:
    if not isinstance(reader.value, str) or not is_seed(reader.value) or reader.value != reader.value.lower():
        raise reader.error("seed_bad")
    return reader.value
