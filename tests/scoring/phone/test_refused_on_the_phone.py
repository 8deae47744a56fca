"""Entries that the sheets 3 and 5 forbid, sent by a phone: refused with a sentence each, nothing written."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from scoring.models import SheetEntry
from tests.scoring.core.writing import SUBMITTED, Line, hands, ruf, solo
from tests.scoring.pages import Staff
from tests.scoring.phone.test_phone_api import entered, entry, outcomes, post, send

pytestmark = pytest.mark.django_db

PLAYERS = {"fce": 5, "schafkopf": 4}


def phone_of(ruleset: str) -> Client:
    """Return a phone with the pen of the only table."""
    desk = Staff(PLAYERS[ruleset], ruleset=ruleset)
    desk.draw()
    phone = entered(desk.table())
    assert post(phone, "/s/pen", {}).status_code == 200
    return phone


def sent(phone: Client, lines: Sequence[Line]) -> Any:
    return send(phone, *(entry(line.kind, dict(line.data)) for line in lines))


def hand(value: int) -> Line:
    """Return an entry with a hand of seat 2."""
    return hands(20, value, 20, 20, 20)


def no_hand(value: int) -> str:
    return f"{value} Punkte kann keine Hand haben (Platz-Nr. 2). Bitte noch einmal zusammenzählen."


TOO_EARLY = (
    "Die Tischliste ist noch nicht fertig. Es stehen {played} von {deals} Spielen da. Bitte weiterspielen; früher "
    "annehmen kann nur die Spielleitung, mit einer Begründung."
)
NO_MORE = (
    "Alle {deals} Spiele stehen schon da. Bitte die Tischliste abgeben, oder ein falsches Spiel zurücknehmen."
)
NOT_FIRST = (
    "Im ersten Spiel einer Spielrunde gibt es das nicht: keinen Tout, und kein Solo und keinen Wenz als Durch. Bitte "
    "die Spielleitung holen."
)
ALONE = "Bei einem Spiel gegen drei gibt es keinen Mitspieler. Bitte ihn weglassen, oder Rufspiel wählen."
CASES: dict[str, tuple[str, list[Line], Line, str]] = {
    **{f"RULES 3.3: {value}": ("fce", [], hand(value), no_hand(value)) for value in (32, 34, 7, 36)},
    "RULES 3.3: two Feuer": (
        "fce",
        [],
        hands(33, 33, 20, 20, 20),
        "Es gibt nur vier Asse, also in einem Spiel höchstens ein Feuer. Bitte die Punkte prüfen.",
    ),
    "RULES 3.1: a 25th deal": ("fce", [hand(20)] * 24, hand(20), NO_MORE.format(deals=24)),
    "RULES 3.5: 23 deals": ("fce", [hand(20)] * 23, SUBMITTED, TOO_EARLY.format(played=23, deals=24)),
    "RULES 5.2: calls himself": (
        "schafkopf",
        [],
        ruf(1, 1),
        "Wer spielt, kann sich nicht selbst rufen. Bitte einen anderen als Platz-Nr. 1 antippen.",
    ),
    "RULES 5.2: calls nobody": (
        "schafkopf",
        [],
        Line("deal", {**ruf(1, 2).data, "partner": None}),
        "Beim Rufspiel fehlt der Mitspieler. Bitte den Gerufenen antippen.",
    ),
    **{
        f"RULES 5.2: {game} of two": (
            "schafkopf",
            [],
            Line("deal", {**solo(1, game=game).data, "partner": 2}),
            ALONE,
        )
        for game in ("solo", "wenz", "farbwenz")
    },
    "RULES 5.2: a Rufspiel as a Tout": (
        "schafkopf",
        [ruf(1, 2)],
        ruf(1, 2, level="tout"),
        "Das gibt es bei diesem Spiel nicht. Bitte etwas anderes wählen; ein Rufspiel ist nie ein Tout.",
    ),
    "RULES 5.3: begins with a Tout": ("schafkopf", [], solo(1, level="tout"), NOT_FIRST),
    "RULES 5.3: begins with a Durch": ("schafkopf", [], solo(1, game="wenz", level="durch"), NOT_FIRST),
    "RULES 5.1: a 33rd deal": ("schafkopf", [ruf(1, 2)] * 32, ruf(1, 2), NO_MORE.format(deals=32)),
    "RULES 5.1: 31 deals": ("schafkopf", [ruf(1, 2)] * 31, SUBMITTED, TOO_EARLY.format(played=31, deals=32)),
}
"""Ruleset, entries on the sheet, entry sent, sentence returned."""


@pytest.mark.parametrize(("ruleset", "before", "line", "sentence"), CASES.values(), ids=CASES)
def test_what_the_rules_forbid_is_refused_in_a_sentence_and_changes_nothing(
    ruleset: str, before: list[Line], line: Line, sentence: str
) -> None:
    """RULES 3.1, 3.3, 3.5, 5.1, 5.2, 5.3."""
    phone = phone_of(ruleset)
    assert outcomes(sent(phone, before)) == ["recorded"] * len(before)
    as_it_was = phone.get("/s/sheet").json()
    answer = sent(phone, [line])
    [result] = answer.json()["results"]
    assert (result["outcome"], result["reason"]) == ("refused", sentence)
    assert answer.json()["sheet"] == phone.get("/s/sheet").json() == as_it_was
    assert SheetEntry.objects.count() == len(before)


@pytest.mark.parametrize(("ruleset", "line"), [("fce", hand(31)), ("schafkopf", solo(1))])
def test_what_they_allow_is_written_after_a_refusal(ruleset: str, line: Line) -> None:
    """RULES 3.3, 5.2."""
    phone = phone_of(ruleset)
    wrong = hand(32) if ruleset == "fce" else ruf(1, 1)
    assert outcomes(sent(phone, [wrong, line])) == ["refused", "recorded"]
    assert [one["kind"] for one in phone.get("/s/sheet").json()["entries"]] == ["deal"]
