"""Senders of recently refused sign-ups: they are refused again without the database.

Otherwise a refused flood would cost as much as an accepted one. Kept in this process only.
"""

import threading
import time
from collections import OrderedDict
from functools import lru_cache

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language

from tournaments.core.refusal import Refusal
from tournaments.current_club import everywhere
from tournaments.text.refusals import message

SECONDS = 5.0
MOST = 1000


class RefusedSenders:
    """The recently refused senders, by tournament and address."""

    def __init__(self) -> None:
        self._until: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, slug: str, address: str) -> None:
        with self._lock:
            self._until[everywhere(slug), address] = time.monotonic() + SECONDS
            while len(self._until) > MOST:
                self._until.popitem(last=False)

    def has(self, slug: str, address: str) -> bool:
        return self._until.get((everywhere(slug), address), 0.0) > time.monotonic()


refused_senders = RefusedSenders()


def told_again() -> HttpResponse:
    """Return 429 to a recently refused sender."""
    answer = HttpResponse(_page(get_language()), status=429)
    answer["Retry-After"] = str(int(SECONDS))
    return answer


@lru_cache(maxsize=8)
def _page(_language: str) -> str:
    sentence = message(Refusal("sign_ups_too_many"))
    return render_to_string("tournaments/sign_up/busy.html", {"sentence": sentence})
