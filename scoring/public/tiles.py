"""Tiles of the tables in play on the wall: a disc with the number, a ring that fills with the game, the strokes below."""

from django.utils.html import escape
from django.utils.translation import gettext, ngettext

from scoring.queries.public_view import PublicTable
from scoring.templatetags.ranking import tally
from scoring.text.tables import table_state

MOST_STROKES = 20
"""As many strokes as fit below a disc; more are a figure."""


def tile(table: PublicTable, key: str) -> str:
    """Return the tile as a piece. key: of the piece."""
    return (
        f'<li data-piece="{escape(key)}" class="tile" data-state="{escape(table.state)}">'
        f'<span class="visually-hidden">{_words(table)}</span>{_disc(table)}{_strokes(table)}</li>'
    )


def _disc(table: PublicTable) -> str:
    """Return the disc. Its ring is drawn from the top, as far as the game is over; dotted where that is not known."""
    known, part = table.progress is not None, f' stroke-dasharray="{table.progress} 100"'
    ring = f'<circle class="tile__ring" cx="50" cy="50" r="44" pathLength="100"{part if known else " data-open"}/>'
    return (
        '<span class="tile__disc" aria-hidden="true"><svg viewBox="0 0 100 100"><circle class="tile__ground" cx="50" cy="50" r="44"/>'
        f'{"" if table.progress == 0 else ring}</svg><b class="tile__number">{table.number}</b></span>'
    )


def _words(table: PublicTable) -> str:
    """Return what the tile says, for readers who do not see it."""
    words = gettext("Tisch %(number)s") % {"number": table.number}
    words = f"{words}: {table_state(table.state)}"
    if table.drowned and not table.is_done:
        out = ngettext(
            "%(players)s Spieler ist ausgeschieden", "%(players)s Spieler sind ausgeschieden", table.drowned
        )
        words = f"{words}, {out % {'players': table.drowned}}"
    if table.deals and table.state == "playing":
        written, due = table.deals
        words = (
            f"{words}, {gettext('%(written)s von %(deals)s Spielen') % {'written': written, 'deals': due}}"
        )
    return escape(words)


def _strokes(table: PublicTable) -> str:
    """Return the line below the disc: a sign for an accepted sheet, and the strokes."""
    strokes = table.strokes or 0
    done = '<span aria-hidden="true">✓</span>' if table.is_done else ""
    if strokes > MOST_STROKES:
        return f'<span class="tile__strokes">{done}{tally(5)} {strokes}</span>'
    return f'<span class="tile__strokes">{done}{tally(strokes) if strokes else ""}</span>'
