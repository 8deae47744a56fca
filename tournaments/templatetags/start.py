"""Template filter for the start of the evening."""

from django import template

from tournaments.text.start import word_start

register = template.Library()

register.filter("word_start", word_start)
