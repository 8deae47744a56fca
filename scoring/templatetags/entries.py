"""Template filters for entries of a sheet."""

from django import template
from django.utils.translation import gettext as _

from scoring.queries.sheet_page import NamedFact
from scoring.text.entries import fact_words

register = template.Library()


@register.filter
def fact_in_words(fact: NamedFact) -> str:
    """Return the content of an entry with the names of the players."""
    return fact_words(fact.kind, fact.data, lambda seat: fact.seats[seat].name)


@register.filter
def fact_on_paper(fact: NamedFact) -> str:
    """Return the content of an entry with seat numbers, as on a sheet that has the names above."""
    return fact_words(fact.kind, fact.data, lambda seat: _("Platz-Nr. %(seat)s") % {"seat": seat})
