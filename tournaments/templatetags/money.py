"""Template filters for money."""

from django import template

from tournaments.text.amounts import euros_in_words
from tournaments.text.money import euros, gain

register = template.Library()

register.filter(euros)
register.filter(gain)
register.filter(euros_in_words)
