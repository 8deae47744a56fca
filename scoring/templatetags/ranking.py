"""Template tags for ranks, tallies and their explanations."""

from collections.abc import Sequence
from fractions import Fraction

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from scoring.pictures.shapes import written
from scoring.queries.series import SeriesLine
from scoring.queries.standings import StandingsRow
from scoring.text.entries import figure, points_under, with_sign
from scoring.text.refusals import message
from scoring.text.states import round_reached
from scoring.text.tallies import tally_in_words, tally_of, won_and_played
from scoring.text.tie_breaks import explain_ranking, series_ties, tie_note
from tournaments.text.numbers import listed
from tournaments.text.ruleset_summary import in_readers_language

register = template.Library()


register.filter("ranking_in_words", explain_ranking)
register.filter("ties_in_words", series_ties)
register.filter(figure)
register.filter(points_under)
register.filter(written)
register.filter(in_readers_language)
register.filter("refusal_in_words", message)
register.simple_tag(tally_in_words)


@register.filter
def result_in_words(row: StandingsRow) -> str:
    """Return points and tallies, „17 Punkte, 6 Striche“, or the round that the player reached in a knockout."""
    if row.reached:
        place = row.reached
        return round_reached(place.round_number, place.rank, is_final=place.is_final)
    points = ngettext("%(written)s Punkt", "%(written)s Punkte", row.points) % {"written": points_of(row)}
    return ", ".join([points, *(tally_in_words(name, value) for name, value in row.tallies)])


@register.filter
def series_value(value: Fraction | None) -> str:
    """Return the value of an evening or a series: „9“, „5,5“, rounded to „13,12“; „–“ for an evening missed."""
    if value is None:
        return "–"
    return (
        figure(int(value))
        if value.denominator == 1
        else number_format(round(float(value), 2)).replace("-", "−")
    )


@register.filter
def series_names(lines: Sequence[SeriesLine], is_organiser: bool = False) -> str:  # noqa: FBT001, FBT002 (a template passes it by place)
    """Return the names of players of a series, at least one, as in a sentence. is_organiser: as organisers have them."""
    return listed(
        [(is_organiser and line.known_as[0]) or line.name or gettext("ohne Namen") for line in lines]
    )


@register.filter
def points_of(row: StandingsRow) -> str:
    """Return the points of a row, with the plus that the table's sheet has."""
    return with_sign(row.points) if row.is_signed else figure(row.points)


@register.filter
def names_of(rows: Sequence[StandingsRow]) -> str:
    """Return the names of players, at least one, as in a sentence."""
    return listed([row.name for row in rows])


@register.filter
def note_of(row: StandingsRow) -> str:
    """Return why the row stands where it stands among rows with equal points."""
    return tie_note(row.note, row.broken_by)


@register.filter
def tally_name(key: str) -> str:
    """Return the name of a column beside the points."""
    return str(tally_of(key).name)


@register.simple_tag
def tally_head(key: str) -> SafeString:
    """Return the heading of a column beside the points: short on a phone, with a title where the value is a pair."""
    tally = tally_of(key)
    if tally.short:
        wide = format_html('<span class="wide-only">{}</span>', tally.name)
        return wide + format_html('<abbr class="narrow-only" title="{}">{}</abbr>', tally.name, tally.short)
    if tally.is_pair:
        return format_html('<span title="{}">{}</span>', won_and_played(), tally.name)
    return format_html("{}", tally.name)


@register.simple_tag
def rank(number: int, tied: bool) -> SafeString:  # noqa: FBT001 (a template passes it by place)
    """Return a rank as a chip, with a sign if it is shared."""
    shared = (
        f'<span class="rank__tie" aria-hidden="true">=</span>'
        f'<span class="visually-hidden"> {gettext("(geteilt)")}</span>'
    )
    return mark_safe(f'<span class="rank" data-rank="{number}">{number}{shared if tied else ""}</span>')


@register.simple_tag
def tally(count: int | None) -> SafeString:
    """Return strokes as they are made on paper, and in words for screen readers."""
    strokes = count or 0
    words = ngettext("%(strokes)s Strich", "%(strokes)s Striche", strokes) % {"strokes": strokes}
    marks = '<i class="mark"></i>' * strokes
    return mark_safe(f'<span class="tally" role="img" aria-label="{words}">{marks}</span>')


@register.simple_tag
def rank_move(moved: int, before: int) -> SafeString:
    """Return the ranks gained or lost, „▲2“, and the rank before for screen readers."""
    sign, ranks = ("▲", moved) if moved > 0 else ("▼", -moved)
    words = gettext("vorher Rang %(rank)s") % {"rank": before}
    return format_html(
        '<small class="series__move"><span aria-hidden="true">{}{}</span>'
        '<span class="visually-hidden"> ({})</span></small>',
        sign,
        ranks,
        words,
    )
