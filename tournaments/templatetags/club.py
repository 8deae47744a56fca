"""Template tag for the club whose pages these are."""

from django import template

from tournaments.queries.club import club

register = template.Library()

register.simple_tag(club)
