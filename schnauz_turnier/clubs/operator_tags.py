"""Template tag for the texts of the operator, in the foot of the pages of all clubs."""

from django import template

from schnauz_turnier.clubs.texts import texts_of_operator

register = template.Library()

register.simple_tag(texts_of_operator)
