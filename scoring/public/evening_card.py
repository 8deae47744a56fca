"""The card of a player's evening: what the public standings say of it, once they are final."""

from hashlib import sha256

from django.contrib.staticfiles import finders
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from scoring.pictures.evening_card import EveningCard, drawn
from scoring.queries.public_view import PublicView
from scoring.queries.standings import StandingsRow
from scoring.templatetags.ranking import result_in_words
from scoring.text.entries import points_under
from tournaments.edition import edition

_FONT = "vendor/bitter-5.3.0/bitter-latin-400-800.woff2"


def evening_card(view: PublicView, start_number: int) -> EveningCard | None:
    """Return the card; None before the standings are final for everybody, and for who has not played."""
    played = [row for row in view.rows if row.has_played] if view.winners else []
    row = next((row for row in played if row.start_number == start_number), None)
    if row is None:
        return None
    tournament = view.tournament
    day = date_format(tournament.played_on, "DATE_FORMAT")
    players = len(played)
    return EveningCard(
        title=tournament.name,
        at=" · ".join(filter(None, (day, tournament.place))),
        name=row.name,
        rank=gettext("Rang %(rank)s") % {"rank": row.rank},
        among=ngettext("von %(players)s Spieler", "von %(players)s Spielern", players) % {"players": players},
        score=result_in_words(row),
        rounds=_rounds(view, row),
    )


def _rounds(view: PublicView, row: StandingsRow) -> tuple[tuple[str, str], ...]:
    """Return the points of each round, in a knockout the ranks; a dash where the player has none."""
    rules, is_knockout = view.tournament.rules, view.leaderboard.is_knockout
    words = [
        "–" if points is None else f"{points}." if is_knockout else points_under(points, rules)
        for points in row.by_round
    ]
    name = gettext("%(number)s. Runde")
    return tuple((name % {"number": number}, points) for number, points in enumerate(words, start=1))


def etag_of(card: EveningCard) -> str:
    """Return the ETag of the picture: it follows from the texts and the edition of the program."""
    return f'"{sha256(repr((edition(), card)).encode()).hexdigest()[:32]}"'


def png_of(card: EveningCard) -> bytes:
    return drawn(card, str(finders.find(_FONT)))
