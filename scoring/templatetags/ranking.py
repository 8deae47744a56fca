"""How ranks come about, in words."""

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from scoring.text.entries import figure
from scoring.text.tie_breaks import explain_ranking
from tournaments.rulesets.schema import Ruleset

register = template.Library()


@register.filter
def ranking_in_words(rules: Ruleset) -> str:
    """The sentence below the standings."""
    return explain_ranking(rules)


register.filter(figure)


@register.simple_tag
def rank(number: int, tied: bool) -> SafeString:  # noqa: FBT001 (a template passes it by place)
    """A rank as a chip, with the sign that it is shared."""
    shared = (
        f'<span class="rank__tie" aria-hidden="true">=</span>'
        f'<span class="visually-hidden"> {gettext("(geteilt)")}</span>'
    )
    return mark_safe(f'<span class="rank" data-rank="{number}">{number}{shared if tied else ""}</span>')


@register.simple_tag
def tally(count: int | None) -> SafeString:
    """So many strokes as they are made on paper, and in words for who does not see them."""
    strokes = count or 0
    words = ngettext("%(strokes)s Strich", "%(strokes)s Striche", strokes) % {"strokes": strokes}
    marks = '<i class="mark"></i>' * strokes
    return mark_safe(f'<span class="tally" role="img" aria-label="{words}">{marks}</span>')
