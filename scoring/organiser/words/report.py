"""The report for the newspaper, to copy: winners and further ranks, with towns."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.queries.standings import Leaderboard, StandingsRow
from scoring.templatetags.ranking import points_of
from tournaments.models import Tournament
from tournaments.text.numbers import listed

RANKS = 10
MOST_RANKS = 9999
ON_THE_PODIUM = 3


class ReportForm(forms.Form):
    """Form for the number of ranks in the report."""

    ranks = forms.IntegerField(
        label=gettext_lazy("Bis zu welchem Rang?"), min_value=1, max_value=MOST_RANKS, required=False
    )

    @property
    def wanted(self) -> int:
        """The last rank of the report; the default without valid input."""
        return (self.is_valid() and self.cleaned_data["ranks"]) or RANKS


def report_of(
    tournament: Tournament,
    leaderboard: Leaderboard,
    towns: Mapping[int, str],
    *,
    ranks: int,
    specials: Sequence[tuple[str, Sequence[int]]] = (),
) -> str:
    """Return the report as plain text. towns: by start number; leaderboard: with printable names.

    specials: the prizes that are not for a rank, each with its name and the start numbers of those who get it.
    """
    played = [row for row in leaderboard.rows if row.has_played]
    if not played:
        return ""
    best = [row for row in played if row.rank <= min(ranks, ON_THE_PODIUM)]
    others = [row for row in played if ON_THE_PODIUM < row.rank <= ranks]
    paragraphs = [_opening(tournament, leaderboard, len(played)), _podium(best, towns)]
    if others:
        names = ", ".join(f"{row.rank}. {_person(row, towns)}" for row in others)
        names = names.removesuffix(".")  # a name like „Sepp H.“ ends the sentence as well
        paragraphs.append(_("Auf den weiteren Plätzen folgten %(names)s.") % {"names": names})
    people = {row.start_number: _person(row, towns) for row in played}
    special = [
        f"{people[number]} ({name})" for name, numbers in specials for number in numbers if number in people
    ]
    if special:
        words = ngettext(
            "Ein Sonderpreis ging an %(names)s.", "Sonderpreise gingen an %(names)s.", len(special)
        )
        paragraphs.append(words % {"names": listed(special)})
    paragraphs.append(_("Der Veranstalter dankt allen, die mitgespielt und mitgeholfen haben."))
    return "\n\n".join(paragraphs)


def _opening(tournament: Tournament, leaderboard: Leaderboard, players: int) -> str:
    place = _("%(day)s, %(place)s") if tournament.place else "%(day)s"
    where = place % {"day": date_format(tournament.played_on, "DATE_FORMAT"), "place": tournament.place}
    rounds = leaderboard.ended_after or leaderboard.rounds
    words = ngettext("%(count)s Spielrunde", "%(count)s Spielrunden", rounds) % {"count": rounds}
    took_part = ngettext(
        "%(count)s Spieler nahm teil; gespielt wurde in %(rounds)s.",
        "%(count)s Spieler nahmen teil; gespielt wurde in %(rounds)s.",
        players,
    )
    return f"{tournament.name} ({where}). " + took_part % {"count": players, "rounds": words}


def _podium(best: Sequence[StandingsRow], towns: Mapping[int, str]) -> str:
    """Return a sentence for each of the first ranks."""
    return " ".join(
        _ranked(rank, list(rows), towns) for rank, rows in groupby(best, key=lambda row: row.rank)
    )


def _ranked(rank: int, rows: Sequence[StandingsRow], towns: Mapping[int, str]) -> str:
    first = ngettext("Gewonnen hat %(names)s", "Gewonnen haben %(names)s", len(rows))
    further = ngettext("Auf Platz %(rank)s kam %(names)s", "Auf Platz %(rank)s kamen %(names)s", len(rows))
    named = {"rank": rank, "names": listed([_person(row, towns) for row in rows])}
    sentence = (first if rank == 1 else further) % named
    if rows[0].reached:
        return f"{sentence.removesuffix('.')}."
    points = ngettext("mit %(points)s Punkt", "mit %(points)s Punkten", rows[0].points)
    return f"{sentence} {points % {'points': points_of(rows[0])}}."


def _person(row: StandingsRow, towns: Mapping[int, str]) -> str:
    """Return name and town; for players shown as a number only the number."""
    town = "" if row.is_number else towns.get(row.start_number, "")
    return f"{row.name} ({town})" if town else row.name
