"""Template filters for money."""

from django import template

from tournaments.text.money import (
    euros,
    euros_in_words,
    gain,
    money_in,
    named_fee,
    paid_in,
    sentence_of_fees,
    word_desk,
    word_fee,
    word_fees,
    word_piece,
)

register = template.Library()

register.filter(euros)
register.filter(gain)
register.filter(euros_in_words)
register.filter(sentence_of_fees)
register.filter(named_fee)
register.filter(paid_in)
register.filter(money_in)
register.filter("name_of_desk", word_desk)
register.filter("name_of_fee", word_fee)
register.filter("names_of_fees", word_fees)
register.filter("name_of_piece", word_piece)
