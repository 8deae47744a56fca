"""Writing, confirming, objecting and taking back in sentences."""

from collections.abc import Sequence

from scoring.text.rulebook.parts import Sentences
from tournaments.core.fees import FeeKind
from tournaments.rulesets.schema import Ruleset
from tournaments.text.sentences import sentence_maker

_say = sentence_maker(__file__, "sheet")


def the_sheet(rules: Ruleset, fees: Sequence[FeeKind]) -> Sentences:
    yield _say(f"scribe_{rules.scribe}")
    if rules.volunteer_scribe:
        yield _say("volunteer_scribe")
    yield _say("phone_or_paper")
    if rules.towns_on_sheet:
        yield _say("block_letters")
    if rules.pen_needs_supervisor:
        yield _say("pen_needs_supervisor")
    yield _say(f"confirmation_{rules.confirmation}")
    yield _say(f"objections_end_{rules.objections_end}")
    yield _say(f"takes_back_{rules.scribe_takes_back}")
    yield _say(f"last_instance_{rules.last_instance}")
    yield _say("with_reason")
    yield _say("excluded_without_fee" if any(kind.cents for kind in fees) else "excluded")
