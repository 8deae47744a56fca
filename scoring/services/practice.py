"""A practice tournament in play. All its data is recognisable sample data, made by the services of a real evening."""

from datetime import datetime, timedelta
from random import Random

from django.contrib.auth.models import User

from scoring.services.practice_people import sample_people
from scoring.services.practice_play import BY, play, tables_of
from scoring.services.rounds import DrawOptions, close, draw_next
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import door, rounds
from tournaments.services.tournaments import create_tournament

PLAYERS = 47


def create_practice_tournament(*, slug: str, owner: User | None, at: datetime, seed: int = 0) -> Tournament:
    """Create a practice tournament: 47 sample players, a first round closed, a second one in play.

    The same seed gives the same tournament, under the same key of the server. Refuses slug_taken (slug).
    """
    chance = Random(seed)
    tournament = create_tournament(
        slug=slug,
        name="Übungsturnier",
        played_on=at.date(),
        place="Vereinsheim",
        names=Tournament.Names.SHORT,
        ruleset=preset("schnauz-placing"),
        owner=owner,
        is_practice=True,
        at=at - timedelta(hours=2),
    )
    _register(tournament, chance, at - timedelta(minutes=100))
    _draw(tournament, 1, chance, at - timedelta(minutes=80))
    for table in tables_of(tournament, 1):
        play(table, chance, at - timedelta(minutes=75))
    close(tournament, 1, at=at - timedelta(minutes=30))
    _draw(tournament, 2, chance, at - timedelta(minutes=25))
    *in_play, _untouched = tables_of(tournament, 2)
    for index, table in enumerate(in_play):
        play(table, chance, at - timedelta(minutes=20), until_decided=index < 2)
    return tournament


def _register(tournament: Tournament, chance: Random, at: datetime) -> None:
    for number, person in enumerate(sample_people(chance, PLAYERS)):
        door.register(
            tournament,
            person,
            paid=number % 16 != 15,
            by=BY,
            at=at + timedelta(seconds=9 * number),
        )


def _draw(tournament: Tournament, number: int, chance: Random, at: datetime) -> None:
    options = DrawOptions(nonce=chance.randbytes(32).hex())
    draw_next(tournament, number=number, options=options, by=BY, at=at)
    rounds.release(tournament, number, at=at + timedelta(minutes=2))
