"""The states of a participant, and the kinds of changes, payments and security events, in words."""

from tournaments.text.sentences import lazy_section, sentences_beside

_SECTIONS = sentences_beside(__file__)
STATES_OF_PEOPLE = lazy_section(_SECTIONS["states_of_people"])
KINDS_OF_PAYMENTS = lazy_section(_SECTIONS["kinds_of_payments"])
KINDS_OF_CASH = lazy_section(_SECTIONS["kinds_of_cash"])
CHANGES_OF_PEOPLE = lazy_section(_SECTIONS["changes_of_people"])
KINDS_OF_EVENTS = lazy_section(_SECTIONS["kinds_of_events"])
EXCLUSION_REASONS = lazy_section(_SECTIONS["exclusion_reasons"])
"""The reasons of rule sheet 5, offered where an organiser excludes a player or a table."""


def word_state(state: str) -> str:
    """Return the word for a participant's state. Raises KeyError for an unknown one."""
    return str(STATES_OF_PEOPLE[state])


def word_payment(kind: str) -> str:
    """Return the word for the kind of a payment or of a line of a desk. Raises KeyError for an unknown one."""
    return str({**KINDS_OF_PAYMENTS, **KINDS_OF_CASH}[kind])


def word_change(kind: str) -> str:
    """Return the words for the kind of a change of a participant. Raises KeyError for an unknown one."""
    return str(CHANGES_OF_PEOPLE[kind])
