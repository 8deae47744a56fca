"""Cards of the page of a browser's sign-ups: their state, and the steps that are offered."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.core.sign_up_codes import readable_code
from tournaments.models import Consent, SignUpTerms
from tournaments.queries.sign_ups import OwnSignUp
from tournaments.rulesets.schema import Ruleset

_LABELS: Mapping[str, Promise] = {
    "arrive": _("Ich bin da"),
    "not-here": _("Doch noch nicht da"),
    "withdraw": _("Anmeldung zurückziehen"),
    "pause": _("Nächste Runde aussetzen"),
    "end-pause": _("Doch mitspielen"),
    "go-home": _("Ich gehe heim"),
    "come-back": _("Ich bin wieder da"),
}


OWN_CONSENTS: Mapping[str, Promise] = {
    Consent.What.KEEP.value: _("Der Verein darf sich meinen Namen für die nächsten Abende merken."),
    Consent.What.HONOURS.value: _("Mein Name darf in der Ehrentafel des Vereins stehen bleiben."),
}
"""What players allow on their own phone."""


@dataclass(frozen=True, slots=True)
class OwnStep:
    """A button. is_first: the most likely one. asks: whether the page asks before."""

    key: str
    label: str
    is_first: bool
    asks: bool


@dataclass(frozen=True, slots=True)
class SignUpCard:
    """A sign-up as its owner sees it. state: one of those in `_state.html`."""

    sign_up: OwnSignUp
    state: str
    steps: tuple[OwnStep, ...]

    @property
    def code(self) -> str:
        return readable_code(self.sign_up.code)

    @property
    def plays(self) -> bool:
        return self.state in ("plays", "pauses", "unpaid")

    @property
    def consents(self) -> list[tuple[str, Promise, bool]]:
        """Consents of a player whom the desk has seen: the step that gives or withdraws it, the sentence, whether it is given."""
        if not (self.sign_up.start_number and self.sign_up.is_confirmed):
            return []
        allowed = self.sign_up.allowed
        return [
            (f"no-{what}" if what in allowed else what, sentence, what in allowed)
            for what, sentence in OWN_CONSENTS.items()
        ]


def card_of(sign_up: OwnSignUp, rules: Ruleset, terms: SignUpTerms | None, *, is_played: bool) -> SignUpCard:
    """Return the card of a sign-up. terms: the current ones; "arrive" is offered only while sign-ups are open.

    is_played: the last round is over: nobody pauses or withdraws any more, which could cost a prize.
    """
    state = _state(sign_up)
    can_pause = not (rules.qualifying or rules.drawn_ahead)
    keys = {
        "waits": ["withdraw"],
        "announced": [*(["arrive"] if terms is not None and terms.is_open else []), "withdraw"],
        "arrived": ["not-here", "withdraw"],
        "plays": [*(["pause"] if can_pause else []), "go-home"],
        "unpaid": [*(["pause"] if can_pause else []), "go-home"],
        "pauses": ["end-pause", "go-home"],
        "gone": ["come-back"],
    }.get(state, [])
    if is_played:
        keys = [key for key in keys if key == "come-back"]
    first = {"arrive", "end-pause", "come-back"}
    steps = (OwnStep(key, str(_LABELS[key]), key in first, key == "go-home") for key in keys)
    return SignUpCard(sign_up, state, tuple(steps))


def _state(sign_up: OwnSignUp) -> str:
    if sign_up.start_number:
        if sign_up.state_of_player == "present":
            if sign_up.pauses:
                return "pauses"
            return "plays" if sign_up.is_confirmed else "unpaid"
        return {"withdrawn": "gone", "absent": "absent"}.get(sign_up.state_of_player, sign_up.state_of_player)
    if sign_up.is_withdrawn:
        return "withdrawn"
    if sign_up.waits:
        return "waits"
    return "arrived" if sign_up.has_arrived else "announced"
