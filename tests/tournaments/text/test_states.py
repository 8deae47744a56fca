"""The states of participants and the kinds of payments have one wording, on the screen and in the files."""

import pytest
from django.template import Context, Template
from django.utils import translation

from tournaments.models import Participant, Payment
from tournaments.text.states import KINDS_OF_PAYMENTS, STATES_OF_PEOPLE, word_payment, word_state


def rendered(template: str, **values: str) -> str:
    return Template("{% load states_of_people %}" + template).render(Context(values))


def test_every_state_has_its_word() -> None:
    states = [*Participant.Presence.values, "withdrawn", "excluded"]
    assert sorted(STATES_OF_PEOPLE) == sorted(states)
    with translation.override("de"):
        assert [word_state(state) for state in states] == [
            "angekündigt",
            "anwesend",
            "fehlt",
            "abgemeldet",
            "ausgeschlossen",
        ]


def test_every_kind_of_payment_has_its_word() -> None:
    assert sorted(KINDS_OF_PAYMENTS) == sorted(Payment.Kind.values)
    with translation.override("de"):
        assert [word_payment("fee"), word_payment("refund")] == ["Startgebühr", "Rückzahlung"]


def test_the_words_follow_the_language_of_the_reader() -> None:
    template = "{{ state|state_of_person }}, {{ kind|kind_of_payment }}"
    with translation.override("de"):
        assert rendered(template, state="absent", kind="refund") == "fehlt, Rückzahlung"
    with translation.override("en"):
        assert rendered(template, state="absent", kind="refund") == "missing, Refund"


@pytest.mark.parametrize("name", ["state_of_person", "kind_of_payment"])
@pytest.mark.parametrize("state", ["asleep", ""])
def test_an_unknown_state_is_an_error_and_no_other_word(name: str, state: str) -> None:
    with pytest.raises(KeyError):
        rendered("{{ state|" + name + " }}", state=state)
