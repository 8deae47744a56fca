"""Sentences for the microphone at each moment of the evening. They contain only public information."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.organiser.words.scores import result_in_words
from scoring.queries.dashboard import Dashboard, NextStep
from scoring.queries.screens import PrizesAhead
from scoring.queries.standings import Leaderboard, StandingsRow
from scoring.text.prizes import row_gives, step_name
from tournaments.models import Tournament
from tournaments.rulesets.schema import Ruleset
from tournaments.text.money import euros
from tournaments.text.numbers import listed

MOST_TABLES = 12
FIRST_RANKS = 3


@dataclass(frozen=True, slots=True)
class Announcement:
    """Title and sentences to say. note: for the announcer only."""

    title: str
    lines: tuple[str, ...]
    note: str = ""


def announcement_of(tournament: Tournament, dashboard: Dashboard, standings: Leaderboard) -> Announcement:
    """Return the current announcement. standings: the public ones, with names for the wall."""
    return _NOW[dashboard.next](tournament, dashboard, standings)


def next_prize(tournament: Tournament, ceremony: PrizesAhead) -> Announcement:
    """Return the announcement of the next prize, before the wall shows it."""
    title, players = _("Siegerehrung"), [entry.player for entry in ceremony.ahead]
    if not players:
        return Announcement(title, (_("Herzlichen Glückwunsch, und danke fürs Mitspielen!"),))
    if ceremony.next.isdigit():
        first = _of_rank(players[0].rank, players)
    else:
        words = {
            "prize": step_name(ceremony.next, tournament.fee_kinds),
            "names": listed([row.name for row in players]),
        }
        first = _("%(prize)s: %(names)s.") % words
    prize = ceremony.ahead[0].prize
    gives = [_("Dafür gibt es %(gives)s.") % {"gives": row_gives(prize)}] if prize else []
    note = _("Erst sagen, dann „Auf der Leinwand zeigen“.")
    return Announcement(title, (first, *gives), note)


def _before_the_draw(tournament: Tournament, dashboard: Dashboard, standings: Leaderboard) -> Announcement:
    if dashboard.begun:
        return _between_rounds(dashboard, standings)
    present, fee = dashboard.people.present, tournament.rules.entry_fee_cents
    lines = [
        _("Herzlich willkommen: %(name)s.") % {"name": tournament.name},
        ngettext(
            "Bis jetzt ist %(present)s Spieler angemeldet.",
            "Bis jetzt sind %(present)s Spieler angemeldet.",
            present,
        )
        % {"present": present},
        _("Wer noch mitspielen will, meldet sich jetzt an der Kasse."),
    ]
    if fee:
        lines.append(_("Die Startgebühr beträgt %(fee)s.") % {"fee": euros(fee)})
    lines.append(_("Gleich werden die Tische der 1. Spielrunde ausgelost. Bitte alle in den Saal kommen."))
    return Announcement(_("Vor der Auslosung"), tuple(lines))


def _between_rounds(dashboard: Dashboard, standings: Leaderboard) -> Announcement:
    title = _("Vor der %(number)s. Spielrunde") % {"number": dashboard.number}
    lines = [
        _("Die %(number)s. Spielrunde ist zu Ende.") % {"number": dashboard.number - 1},
        *_leaders(standings),
        _("Gleich werden die Tische der %(number)s. Spielrunde ausgelost. Bitte alle in den Saal kommen.")
        % {"number": dashboard.number},
    ]
    return Announcement(title, tuple(lines), _note(standings))


def _drawn(_tournament: Tournament, dashboard: Dashboard, _shown: Leaderboard) -> Announcement:
    line = _(
        "Die Tische der %(number)s. Spielrunde sind ausgelost. Gleich steht auf der Leinwand, wer wo sitzt."
    )
    note = _("Die Auslosung ist noch nicht freigegeben: Bitte noch keinen Tisch nennen.")
    number = {"number": dashboard.number}
    return Announcement(_("Die Auslosung der %(number)s. Spielrunde") % number, (line % number,), note)


def _in_play(tournament: Tournament, dashboard: Dashboard, _shown: Leaderboard) -> Announcement:
    monitor = dashboard.monitor
    if monitor is None or not any(table.has_begun for table in monitor.tables):
        return _to_the_tables(tournament.rules, dashboard)
    playing = [table.number for table in monitor.tables if not table.shows_result]
    number = {"number": dashboard.number}
    title = _("Die %(number)s. Spielrunde läuft") % number
    if not playing:
        line = _("Alle Tische der %(number)s. Spielrunde sind fertig. Gleich geht es weiter.") % number
        return Announcement(title, (line,))
    lines = [
        _("Fertige Tische der %(number)s. Spielrunde: %(done)s von %(tables)s.")
        % {"tables": len(monitor.tables), "done": len(monitor.tables) - len(playing), **number}
    ]
    if len(playing) <= MOST_TABLES:
        lines.append(
            ngettext(
                "Es spielt noch Tisch %(tables)s.", "Es spielen noch die Tische %(tables)s.", len(playing)
            )
            % {"tables": listed([str(number) for number in playing])}
        )
    return Announcement(title, tuple(lines))


def _to_the_tables(rules: Ruleset, dashboard: Dashboard) -> Announcement:
    number = {"number": dashboard.number}
    lines = [
        _("Die %(number)s. Spielrunde ist ausgelost. Bitte die Plätze einnehmen.") % number,
        _("Wer wo sitzt, steht auf der Leinwand, auf dem Aushang und auf dem eigenen Handy."),
    ]
    if rules.scribe == "seat_1":
        lines.append(_("Wer auf Platz 1 sitzt, schreibt die Tischliste."))
    lines.append(_("Gut Blatt!"))
    return Announcement(_("An die Tische"), tuple(lines))


def _at_the_end(_tournament: Tournament, _dashboard: Dashboard, standings: Leaderboard) -> Announcement:
    title = _("Nach der letzten Spielrunde")
    if not standings.final or standings.is_frozen:
        line = _("Alle Spielrunden sind zu Ende. Gleich ist Siegerehrung: Bitte alle in den Saal kommen.")
        return Announcement(title, (line,), _note(standings))
    best = [row for row in standings.rows if row.rank <= FIRST_RANKS and row.has_played]
    ranks = sorted({row.rank for row in best}, reverse=True)
    lines = [_of_rank(rank, [row for row in best if row.rank == rank]) for rank in ranks]
    return Announcement(title, (*lines, _("Herzlichen Glückwunsch, und danke fürs Mitspielen!")))


def _of_rank(rank: int, rows: Sequence[StandingsRow]) -> str:
    words = {"rank": rank, "names": listed([row.name for row in rows]), "result": result_in_words(rows[0])}
    if rank == 1:
        return (
            ngettext(
                "Gewonnen hat %(names)s: %(result)s!",
                "Gewonnen haben %(names)s: %(result)s!",
                len(rows),
            )
            % words
        )
    return _("Auf Rang %(rank)s: %(names)s, %(result)s.") % words


def _leaders(standings: Leaderboard) -> list[str]:
    """Return the sentence about the leaders, [] while the standings are frozen or empty."""
    first = [row for row in standings.rows if row.rank == 1 and row.has_played]
    if not first or standings.is_frozen:
        return []
    words = {"names": listed([row.name for row in first]), "result": result_in_words(first[0])}
    return [
        ngettext(
            "In Führung liegt %(names)s: %(result)s.", "In Führung liegen %(names)s: %(result)s.", len(first)
        )
        % words
    ]


def _note(standings: Leaderboard) -> str:
    return _("Der Stand ist angehalten: Bitte noch keinen Rang nennen.") if standings.is_frozen else ""


_NOW: Mapping[NextStep, Callable[[Tournament, Dashboard, Leaderboard], Announcement]] = {
    "wait": _before_the_draw,
    "draw": _before_the_draw,
    "look": _drawn,
    "board": _in_play,
    "accept": _in_play,
    "close": _in_play,
    "decide": _at_the_end,
    "show": _at_the_end,
    "over": _at_the_end,
}
