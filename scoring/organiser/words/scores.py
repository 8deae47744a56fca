"""A player's result in words."""

from django.utils.translation import ngettext

from scoring.queries.standings import StandingsRow
from scoring.text.entries import figure
from scoring.text.states import round_reached
from scoring.text.tallies import tally_in_words


def result_in_words(row: StandingsRow) -> str:
    """Return points and tallies, „17 Punkte, 6 Striche“, or the round that the player reached in a knockout."""
    if row.reached:
        place = row.reached
        return round_reached(place.round_number, place.rank, is_final=place.is_final)
    points = ngettext("%(written)s Punkt", "%(written)s Punkte", row.points) % {"written": figure(row.points)}
    return ", ".join([points, *(tally_in_words(name, value) for name, value in row.tallies)])
