"""Digests of the senders of public forms. They distinguish senders without identifying them."""

from django.utils.crypto import salted_hmac

from tournaments.current_club import signing_key
from tournaments.models import Tournament


def sender_digest(tournament: Tournament, value: str) -> str:
    """Return a digest of an address or a browser's name, of this tournament only; "" for an empty value."""
    if not value:
        return ""
    return salted_hmac(f"tournaments.sender.{tournament.pk}", value, signing_key()).hexdigest()[:32]
