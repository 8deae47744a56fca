"""States, kinds and outcomes in words (scoring.text.states)."""

from collections.abc import Callable
from typing import Any

from django import template

from scoring.queries.standings import Reached
from scoring.queries.table_monitor import TableState
from scoring.scenes import SCENES
from scoring.text import states
from tournaments.text.sentences import Labels

register = template.Library()


def word_in(words: Labels) -> Callable[[str], str]:
    """Return a filter that looks its value up in `words`."""

    def word(value: str) -> str:
        return str(words[value])

    return word


register.filter("state_of_sheet", word_in(states.SHEETS))
register.filter("round_to_print", word_in(states.ROUNDS_TO_PRINT))
register.filter("fate", word_in(states.FATES))
register.filter("parked_outcome", word_in(states.PARKED_OUTCOMES))
register.filter("decision", word_in(states.DECISIONS))
register.filter("decision_on_paper", word_in(states.DECISIONS_ON_PAPER))


need_in_words = word_in(states.NEEDS)
register.filter("need_in_words", need_in_words)


@register.filter
def scene_name(key: str) -> str:
    return str(SCENES[key].name)


@register.inclusion_tag("scoring/organiser/_badge.html")
def sheet_badge(state: str) -> dict[str, str]:
    return {"state": state, "word": str(states.SHEETS[state])}


@register.inclusion_tag("scoring/organiser/_badge.html")
def round_badge(state: str) -> dict[str, str]:
    return {"state": state, "word": str(states.ROUNDS[state])}


register.filter(states.draw_name)
register.filter(states.who_is_drawn)


@register.filter
def needs_in_words(table: TableState) -> str:
    """Return why a table needs an organiser, the most urgent first."""
    return ", ".join(map(need_in_words, table.needs))


@register.filter
def round_name(line: Any) -> str:
    """Return the name of a round of the evening, of the bracket, or still ahead."""
    return states.round_name(line.number, is_final=line.is_final)


@register.filter
def reached_in_words(reached: Reached) -> str:
    return states.round_reached(reached.round_number, reached.rank, is_final=reached.is_final)


@register.filter
def backup_problem(backup: Any) -> str:
    """Return the problem of a folder for backups and its remedy."""
    return states.backup_problem(backup.problem, backup.folder, backup.reason)
