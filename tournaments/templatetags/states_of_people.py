"""The states of participants, and the kinds of changes, payments and lines of desks, in templates."""

from django import template

from tournaments.text.states import word_change, word_payment, word_state

register = template.Library()

register.filter("state_of_person", word_state)
register.filter("kind_of_payment", word_payment)
register.filter("kind_of_change", word_change)
