"""The report for the newspaper, to copy: winners and further ranks, with towns."""

from collections.abc import Mapping, Sequence

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.queries.standings import Leaderboard, StandingsRow
from scoring.templatetags.ranking import result_in_words
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
    tournament: Tournament, leaderboard: Leaderboard, towns: Mapping[int, str], *, ranks: int
) -> str:
    """Return the report as plain text. towns: by start number; leaderboard: with printable names."""
    played = [row for row in leaderboard.rows if row.has_played]
    if not played:
        return ""
    best = [row for row in played if row.rank <= min(ranks, ON_THE_PODIUM)]
    others = [row for row in played if ON_THE_PODIUM < row.rank <= ranks]
    paragraphs = [_opening(tournament, leaderboard, len(played)), _podium(best, towns)]
    if others:
        names = ", ".join(f"{row.rank}. {_person(row, towns)}" for row in others)
        paragraphs.append(_("Auf den weiteren Rängen: %(names)s.") % {"names": names})
    return "\n\n".join(paragraphs)


def _opening(tournament: Tournament, leaderboard: Leaderboard, players: int) -> str:
    place = _("%(day)s, %(place)s") if tournament.place else "%(day)s"
    where = place % {"day": date_format(tournament.played_on, "DATE_FORMAT"), "place": tournament.place}
    rounds = leaderboard.ended_after or leaderboard.rounds
    words = {
        "players": ngettext("%(count)s Spieler", "%(count)s Spieler", players) % {"count": players},
        "rounds": ngettext("%(count)s Spielrunde", "%(count)s Spielrunden", rounds) % {"count": rounds},
    }
    return f"{tournament.name} ({where}). " + _("Teilgenommen: %(players)s, gespielt: %(rounds)s.") % words


def _podium(best: Sequence[StandingsRow], towns: Mapping[int, str]) -> str:
    """Return a sentence for each of the first ranks."""
    sentences = []
    for rank in sorted({row.rank for row in best}):
        rows = [row for row in best if row.rank == rank]
        words = {
            "rank": rank,
            "names": listed([_person(row, towns) for row in rows]),
            "result": result_in_words(rows[0]),
        }
        winner = ngettext(
            "Gewonnen hat %(names)s: %(result)s.", "Gewonnen haben %(names)s: %(result)s.", len(rows)
        )
        sentences.append((winner if rank == 1 else _("Rang %(rank)s: %(names)s, %(result)s.")) % words)
    return " ".join(sentences)


def _person(row: StandingsRow, towns: Mapping[int, str]) -> str:
    """Return name and town; for players shown as a number only the number."""
    town = "" if row.is_number else towns.get(row.start_number, "")
    return f"{row.name} ({town})" if town else row.name
