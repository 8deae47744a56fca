"""How ranks come about, in words."""

from django import template

from scoring.wording import explain_ranking
from tournaments.rulesets.schema import Ruleset

register = template.Library()


@register.filter
def ranking_in_words(rules: Ruleset) -> str:
    """The sentence below the standings."""
    return explain_ranking(rules)


@register.filter
def figure(points: int) -> str:
    """A number with a real minus sign."""
    return str(points).replace("-", "−")
