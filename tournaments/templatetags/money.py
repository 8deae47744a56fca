"""Template filters for money."""

from django import template

from tournaments.text.money import euros, gain

register = template.Library()

register.filter(euros)
register.filter(gain)
