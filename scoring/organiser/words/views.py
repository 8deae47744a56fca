"""Views of the announcements for the microphone, and of the report for the newspaper."""

from django.http import HttpResponse
from django.shortcuts import render

from scoring.organiser.words.announcement import announcement_of, next_prize
from scoring.organiser.words.report import RANKS, ReportForm, report_of
from scoring.queries.dashboard import dashboard_of
from scoring.queries.screens import ceremony_now
from scoring.queries.standings import current_standings, visible_standings
from tournaments.access import organiser_view
from tournaments.models import Tournament
from tournaments.queries.seating import towns_of
from tournaments.requests import StaffRequest


@organiser_view("GET")
def announce(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the current announcement in large letters, polled every few seconds."""
    leaderboard = visible_standings(tournament.slug, full_names=True)
    if ceremony := ceremony_now(tournament):
        announcement = next_prize(tournament, ceremony)
    else:
        announcement = announcement_of(tournament, dashboard_of(tournament), leaderboard)
    context = {"tournament": tournament, "announcement": announcement}
    return render(request, "scoring/organiser/words/announce.html", context)


@organiser_view("GET")
def report(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the report for the newspaper, with the requested number of ranks, to be copied."""
    form = ReportForm(request.GET if "ranks" in request.GET else None, initial={"ranks": RANKS})
    leaderboard = current_standings(tournament, wall_names=True)
    text = report_of(tournament, leaderboard, towns_of(tournament), ranks=form.wanted)
    context = {"tournament": tournament, "form": form, "text": text, "leaderboard": leaderboard}
    return render(request, "scoring/organiser/words/report.html", context)
