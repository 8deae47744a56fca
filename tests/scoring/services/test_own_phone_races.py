"""A race test: a player confirms while the scribe writes another deal."""

from functools import partial
from uuid import uuid4

import pytest

from scoring.core.reopening import standing_confirmations
from scoring.services import own_phones, sheets
from scoring.services.sheets import Sent
from scoring.sheet_log import open_sheet
from tests.factories import AT
from tests.races import at_once
from tests.races import kept_threads as kept_threads
from tests.scoring.pages import Staff
from tests.scoring.phone.test_phone_api import KNOCK
from tournaments import links
from tournaments.core.refusal import Refusal

pytestmark = pytest.mark.usefixtures("kept_threads")
TIMES = 8


def test_a_confirmation_never_stands_for_a_deal_that_the_player_has_not_seen() -> None:
    desk = Staff(5)
    table = desk.draw().tables.get()
    sheets.take_pen(table, device="scribe", at=AT)
    own = links.PhonePass(table.pk, table.link_version, "own")
    for number in range(TIMES):
        seen = len(open_sheet(table.pk).log.entries)
        said = Sent(str(uuid4()), "confirmed", {"seat_number": 2}, AT)
        deal = Sent(str(uuid4()), "deal", {**KNOCK, "losers": [1 + number % 5]}, AT)
        confirming = partial(own_phones.speak, own, said, seen=seen, at=AT)
        writing = partial(sheets.record, table, [deal], device="scribe", pen_epoch=1, at=AT)
        told, _written = (
            at_once(confirming, writing) if number % 2 else reversed(at_once(writing, confirming))
        )
        log = open_sheet(table.pk).log
        assert standing_confirmations(log) == frozenset()
        kinds = [entry.kind for entry in log.entries[seen:]]
        if isinstance(told, Refusal):
            assert (told.code, kinds) == ("sheet_has_changed", ["deal"])
        else:
            assert kinds == ["confirmed", "deal"]
