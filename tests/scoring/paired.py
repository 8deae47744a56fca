"""Browsers that are paired as screens."""

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from scoring.screen_cookie import COOKIE, set_device
from scoring.services.screen_pairings import pair_own_browser
from tournaments.models import Tournament


def pairing_cookie(tournament: Tournament, number: int = 1) -> str:
    """Pair a browser, and return the value of its cookie."""
    paired = pair_own_browser(tournament, number, by="x", at=timezone.now())
    response = HttpResponse()
    set_device(response, tournament.slug, paired.device)
    return response.cookies[COOKIE].value


def paired_client(tournament: Tournament, number: int = 1) -> Client:
    client = Client()
    client.cookies[COOKIE] = pairing_cookie(tournament, number)
    return client
