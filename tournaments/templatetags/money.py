"""Template filters for money."""

from django import template

from tournaments.text.money import euros

register = template.Library()

register.filter(euros)
