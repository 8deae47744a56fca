"""Views of the announcements for the microphone, and of the report for the newspaper."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from scoring.organiser.words.report import RANKS, ReportForm, report_of
from scoring.queries.dashboard import dashboard_of
from scoring.queries.prizes import prize_list
from scoring.queries.screens import PrizesAhead, ceremony_now
from scoring.queries.series import series_of
from scoring.queries.standings import current_standings, visible_standings
from scoring.queries.title_holders import title_holders
from scoring.text.prizes import row_gives, row_name, step_name
from tournaments.access import organiser_view
from tournaments.models import Tournament
from tournaments.queries.seating import towns_of
from tournaments.requests import StaffRequest
from tournaments.text.numbers import listed

MOST_TABLES = 12
"""Largest number of tables still playing that are read out."""
FIRST_RANKS = 3


@organiser_view("GET")
def announce(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the current announcement in large letters, polled every few seconds. It contains only public information."""
    ceremony = ceremony_now(tournament)
    context = _next_prize(tournament, ceremony) if ceremony else _moment(tournament)
    context |= {"tournament": tournament, "ceremony": ceremony}
    return render(request, "scoring/organiser/words/announce.html", context)


def _next_prize(tournament: Tournament, ceremony: PrizesAhead) -> dict[str, Any]:
    """Return the next prize, before the wall shows it."""
    if not ceremony.ahead:
        return {}
    prize = ceremony.ahead[0].prize
    return {
        "players": [entry.player for entry in ceremony.ahead],
        "step": "" if ceremony.next.isdigit() else step_name(ceremony.next, tournament.fee_kinds),
        "gives": row_gives(prize) if prize else "",
    }


def _moment(tournament: Tournament) -> dict[str, Any]:
    """Return the moment of the evening: the tables still playing, and the first ranks, best one last.

    Who defends the title is named until the first table plays.
    """
    leaderboard = visible_standings(tournament.slug, full_names=True)
    dashboard = dashboard_of(tournament)
    tables = dashboard.monitor.tables if dashboard.monitor else ()
    playing = [str(table.number) for table in tables if not table.shows_result]
    ranks: Mapping[int, list[Any]] = {rank: [] for rank in range(FIRST_RANKS, 0, -1)}
    for row in leaderboard.rows:
        if row.rank in ranks and row.has_played:
            ranks[row.rank].append(row)
    has_begun = any(table.has_begun for table in tables)
    titled = () if has_begun or dashboard.played else title_holders(tournament)
    return {
        "leaderboard": leaderboard,
        "dashboard": dashboard,
        "has_begun": has_begun,
        "title_holders": [row for row in leaderboard.rows if row.start_number in titled],
        "playing": playing,
        "done": len(tables) - len(playing),
        "tables": listed(playing) if 0 < len(playing) <= MOST_TABLES else "",
        "leaders": ranks[1],
        "all_series": series_of(tournament, today=timezone.localdate()),
        "first_ranks": [(rank, rows) for rank, rows in ranks.items() if rows],
    }


@organiser_view("GET")
def report(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the report for the newspaper, with the requested number of ranks, to be copied."""
    form = ReportForm(request.GET if "ranks" in request.GET else None, initial={"ranks": RANKS})
    leaderboard = current_standings(tournament, wall_names=True)
    prizes = prize_list(tournament, leaderboard) if leaderboard.final else None
    specials = [
        (row_name(row, tournament.fee_kinds), row.start_numbers)
        for row in (prizes.rows if prizes else ())
        if row.kind != "rank"
    ]
    text = report_of(tournament, leaderboard, towns_of(tournament), ranks=form.wanted, specials=specials)
    context = {"tournament": tournament, "form": form, "text": text, "leaderboard": leaderboard}
    return render(request, "scoring/organiser/words/report.html", context)
