"""States, kinds and outcomes in words: what a badge, a heading or a button says. An unknown one raises KeyError."""

from tournaments.rulesets.schema import Ruleset
from tournaments.text.sentences import labels_beside, sentence_maker

SHEETS = labels_beside(__file__, "states_of_sheets")
TABLES = labels_beside(__file__, "states_of_tables")
ROUNDS = labels_beside(__file__, "states_of_rounds")
ROUNDS_TO_PRINT = labels_beside(__file__, "rounds_to_print")
FATES = labels_beside(__file__, "fates")
"""The outcome for a player at a table of a knockout."""
PARKED_OUTCOMES = labels_beside(__file__, "parked_outcomes")
DECISIONS = labels_beside(__file__, "decisions")
DECISIONS_ON_PAPER = labels_beside(__file__, "decisions_on_paper")
NEEDS = labels_beside(__file__, "needs")
BACKUP_PROBLEMS = labels_beside(__file__, "backup_problems")

_say = sentence_maker(__file__, "rounds")


def table_state(state: str) -> str:
    """Return the words for a `PublicTableState`."""
    return str(TABLES[state])


def round_name(number: int, *, is_final: bool) -> str:
    """Return „2. Spielrunde“, or „Finale“."""
    return _say("final") if is_final else _say("round", number=number)


def round_reached(number: int, rank: int, *, is_final: bool) -> str:
    """Return the stage that a player reached in a knockout: „2. Runde, Rang 3“, or „Finale, Rang 1“."""
    name = _say("final") if is_final else _say("reached", number=number)
    return f"{name}, {_say('rank', rank=rank)}"


def draw_name(rules: Ruleset, number: int) -> str:
    """Return the thing to draw: the round, or all rounds where they are drawn ahead."""
    if rules.drawn_ahead and number == 1 and rules.rounds is not None and rules.rounds > 1:
        return _say("draw_both" if rules.rounds == 2 else "draw_all")
    return _say("draw", number=number)


def who_is_drawn(rules: Ruleset) -> str:
    """Return the sentence on the players of the first draw and on latecomers."""
    late = "knockout" if rules.qualifying else "drawn_ahead" if rules.drawn_ahead else "next_round"
    return f"{_say('drawn')} {_say(f'late_{late}')}"


def backup_problem(problem: str, folder: object, reason: str) -> str:
    """Return the problem of the backups and its remedy. reason: the message of the system."""
    return str(BACKUP_PROBLEMS[problem]) % {"folder": folder, "reason": reason}
