"""The ceremony of draws and lots: commitment, words of the hall, revelation (`tournaments.core.ceremony`)."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet, Value
from django.db.models.functions import Greatest
from django.utils.crypto import salted_hmac

from tournaments.core.ceremony import (
    MOST_WORDS,
    Terms,
    before_value,
    commitment_digest,
    draw_value,
    lot_value,
    seed_of,
)
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.current_club import signing_key
from tournaments.models import Commitment, Tournament
from tournaments.notify import notify
from tournaments.services.tournaments import lock_tournament


def commit_to_draw(
    tournament: Tournament, terms: Terms, *, by: str, at: datetime, nonce: str | None = None
) -> Commitment:
    """Commit to a draw, and replace an open commitment to the same round. The caller has locked the tournament.

    nonce: 64 hexadecimal digits, from which the secret follows; None: random ones.
    """
    replace_open(tournament, at=at, round_number=terms.round_number)
    number, before = _place(tournament)
    value = draw_value(terms, tournament=tournament.slug, number=number, before=before)
    return _commit(
        tournament,
        number,
        value,
        round_number=terms.round_number,
        is_private=terms.has_private_wish,
        nonce=nonce,
        by=by,
        at=at,
    )


def commit_to_lot(tournament: Tournament, players: Sequence[int], *, by: str, at: datetime) -> Commitment:
    """Commit to a lot between `players`, and replace an open commitment to a lot. The caller has locked the tournament."""
    replace_open(tournament, at=at, round_number=None)
    number, before = _place(tournament)
    value = lot_value(tournament=tournament.slug, number=number, players=sorted(players), before=before)
    return _commit(tournament, number, value, round_number=None, is_private=False, nonce=None, by=by, at=at)


def say_words(tournament: Tournament, words: str, *, at: datetime) -> None:
    """Record the words of the hall ("" for none) with every open commitment.

    Their time is never before that of the commitment, even if the clock was set back. Saying the same words again changes
    nothing. Refuses nothing_is_sealed, words_are_said (words) for other words, and text too long or with bad characters.
    """
    words = clean_text(words, most=MOST_WORDS)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        waiting = open_commitments(locked)
        if not waiting:
            raise Refusal("nothing_is_sealed")
        said = next((row.words for row in waiting if row.words not in (None, words)), None)
        if said is not None:
            raise Refusal("words_are_said", words=said)
        waiting.filter(words=None).update(words=words, words_at=Greatest("made_at", Value(at)))
        notify(locked.slug, "seating")


def seed_from(commitment: Commitment, *, at: datetime) -> str:
    """Open a commitment for its draw and return the seed. Without recorded words, they are "".

    The caller has locked the tournament. Refuses commitment_cannot_be_opened if the server's key is not that of the
    commitment, as after a restore without it.
    """
    if commitment.words is None:
        commitment.words, commitment.words_at = "", max(at, commitment.made_at)
    commitment.secret = _secret(commitment)
    if not commitment.secret:
        raise Refusal("commitment_cannot_be_opened")
    commitment.save(update_fields=["words", "words_at", "secret"])
    return seed_of(commitment.secret, commitment.words)


def reveal(commitment: Commitment | None, *, at: datetime) -> None:
    """Publish the secret of a commitment, unless published already. None: nothing to publish."""
    if commitment is not None and commitment.revealed_at is None and commitment.secret:
        commitment.revealed_at = at
        commitment.save(update_fields=["revealed_at"])


def replace_open(tournament: Tournament, *, at: datetime, round_number: int | None) -> None:
    """Replace the open commitment to a round, or to a lot (None), and publish its secret if the server's key yields it."""
    for replaced in open_commitments(tournament).filter(round_number=round_number):
        replaced.replaced_at = at
        replaced.secret = _secret(replaced)
        replaced.revealed_at = at if replaced.secret else None
        replaced.save(update_fields=["replaced_at", "secret", "revealed_at"])


def open_commitments(tournament: Tournament) -> QuerySet[Commitment]:
    """Return the commitments that are not drawn or replaced yet, in their order."""
    return Commitment.objects.filter(tournament=tournament, secret="", replaced_at=None)


def _place(tournament: Tournament) -> tuple[int, Mapping[str, Any] | None]:
    """Return the number of the next commitment, and its reference to the previous one (None for the first)."""
    last = Commitment.objects.filter(tournament=tournament).order_by("-number").first()
    if last is None:
        return 1, None
    return last.number + 1, before_value(digest=last.digest, secret=last.public_secret, words=last.words)


def _commit(
    tournament: Tournament,
    number: int,
    value: Mapping[str, Any],
    *,
    round_number: int | None,
    is_private: bool,
    nonce: str | None,
    by: str,
    at: datetime,
) -> Commitment:
    nonce = nonce or secrets.token_hex(32)
    commitment = Commitment.objects.create(
        tournament=tournament,
        number=number,
        round_number=round_number,
        value=value,
        is_private=is_private,
        nonce=nonce,
        digest=commitment_digest(value, _secret_of(nonce)),
        made_at=at,
        by=by,
    )
    notify(tournament.slug, "seating")
    return commitment


def _secret(commitment: Commitment) -> str:
    """Return the secret of an open commitment, "" if the server's key does not yield it."""
    secret = _secret_of(commitment.nonce) if commitment.nonce else ""
    return secret if secret and commitment_digest(commitment.value, secret) == commitment.digest else ""


def _secret_of(nonce: str) -> str:
    return salted_hmac("tournaments.ceremony", nonce, signing_key(), algorithm="sha256").hexdigest()
