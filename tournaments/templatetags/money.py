"""Template filters for money."""

from django import template

from tournaments.text.money import euros, euros_in_words, gain, word_desk, word_fee, word_piece

register = template.Library()

register.filter(euros)
register.filter(gain)
register.filter(euros_in_words)
register.filter("name_of_desk", word_desk)
register.filter("name_of_fee", word_fee)
register.filter("name_of_piece", word_piece)
