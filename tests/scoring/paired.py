"""Browsers that are paired as screens."""

import re

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from scoring.queries.screens import SCREENS
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


def live_pages(tournament: Tournament, language: str = "de") -> dict[str, str]:
    """Return every page that keeps itself current, those of a paired browser as "wall", without the time of day."""
    anybody, paired = Client(), paired_client(tournament)
    pages = {address: (anybody, address) for address in ("", "standings/", "tables/", "tree/")}
    for number in SCREENS:
        pages |= {
            f"screen {number}": (anybody, f"screen/{number}/"),
            f"wall {number}": (paired, f"screen/{number}/"),
        }
    found = {}
    for name, (client, address) in pages.items():
        answer = client.get(f"/t/{tournament.slug}/{address}", headers={"accept-language": language})
        if answer.status_code == 200:
            found[name] = re.sub(r">Stand [\d:]+<", "><", answer.content.decode())
    return found
