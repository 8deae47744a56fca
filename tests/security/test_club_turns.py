"""Turns by club at the threads of the phones and at the places of the guests: one club floods, the other one is answered.

The control makes the scheduler blind: all requests are of the same club, and the other one waits behind the flood.
"""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from schnauz_turnier.web import club_turns
from schnauz_turnier.web.club_turns import ClubPlaces, ClubTurns
from schnauz_turnier.web.django_threads import THREADS
from schnauz_turnier.web.guest_line import GuestLine
from tournaments.current_club import Club, in_club

CLUBS = st.sampled_from("abc")
STEPS = st.lists(st.one_of(st.tuples(CLUBS, st.integers(1, 3)), st.integers(0, 9)), max_size=60)
"""A club and a line that join, or the number of one of those in work that ends."""


def club(slug: str) -> Club:
    return Club(slug, slug, slug, f"https://{slug}.example.org", "", slug * 32)


# --- the scheduler -------------------------------------------------------------------------------------------------


class Work:
    """Places that are given as long as there are any and anybody waits."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.turns: ClubTurns[int, int] = ClubTurns()
        self.waiting: list[tuple[Any, int, int]] = []
        self.in_work: list[tuple[Any, int, int]] = []
        self.begun: list[tuple[Any, int, int]] = []

    def do(self, step: Any) -> None:
        if isinstance(step, tuple):
            item = (*step, len(self.begun) + len(self.waiting))
            self.waiting.append(item)
            self.turns.join(*item)
        elif self.in_work:
            self.turns.end(self.in_work.pop(step % len(self.in_work))[0])
        while self.turns.in_work < self.places and (begun := self.turns.begin()):
            self.waiting.remove(begun)
            self.in_work.append(begun)
            self.begun.append(begun)


@given(STEPS, st.integers(1, 4))
def test_no_place_is_free_while_anybody_waits(steps: list[Any], places: int) -> None:
    work = Work(places)
    for step in steps:
        work.do(step)
        assert len(work.in_work) == work.turns.in_work <= places
        assert bool(work.waiting) == bool(work.turns)
        assert not work.waiting or len(work.in_work) == places


@given(st.integers(1, 40), st.integers(1, 4))
def test_a_club_alone_gets_every_place(flood: int, places: int) -> None:
    work = Work(places)
    for _ in range(flood):
        work.do(("a", 1))
    assert len(work.in_work) == min(flood, places)


@given(STEPS, st.integers(1, 4), st.integers(0, 40))
def test_no_club_starves_behind_a_flood(steps: list[Any], places: int, flood: int) -> None:
    """Whatever was before: the first request of a club begins after one turn of each other club that waits."""
    work = Work(places)
    for step in steps:
        work.do(step)
    for _ in range(flood):
        work.do(("a", 1))
    others = {name for name, _line, _number in work.waiting}
    before = len(work.begun)
    work.do(("new", 1))
    ends = 0
    while not any(name == "new" for name, *_ in work.begun):
        work.do(0)
        ends += 1
    assert ends <= len(others) + 1
    assert len(work.begun) - before <= len(others) + 1


@given(st.lists(CLUBS, min_size=1, max_size=40))
def test_items_of_a_line_begin_in_their_order_and_each_once(clubs: list[str]) -> None:
    work = Work(1)
    for name in clubs:
        work.do((name, 1))
    while work.in_work:
        work.do(0)
    for name in set(clubs):
        numbers = [number for other, _line, number in work.begun if other == name]
        assert numbers == sorted(numbers)
    assert sorted(name for name, *_ in work.begun) == sorted(clubs)


def test_a_place_goes_to_the_club_with_the_fewest_in_work_and_lines_of_a_club_take_turns() -> None:
    work = Work(2)
    for step in (("a", 1), ("a", 1), ("a", 1), ("a", 1), ("a", 2), ("b", 1), ("b", 1), 0, 0, 0, 0, 0):
        work.do(step)
    assert [(name, line) for name, line, _ in work.begun] == [
        ("a", 1),
        ("a", 1),
        ("b", 1),
        ("a", 1),
        ("b", 1),
        ("a", 2),
        ("a", 1),
    ]


# --- phones and guests ---------------------------------------------------------------------------------------------


@contextmanager
def blind(monkeypatch: pytest.MonkeyPatch, *, is_blind: bool) -> Iterator[None]:
    with monkeypatch.context() as patched:
        if is_blind:
            patched.setattr(club_turns, "club_here", lambda: None)
        yield


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.parametrize("is_blind", [False, True], ids=["fair", "blind"])
def test_a_club_that_floods_holds_no_phone_of_another_up(
    monkeypatch: pytest.MonkeyPatch, *, is_blind: bool
) -> None:
    begun: list[str] = []

    async def scenario() -> None:
        places, end = ClubPlaces(THREADS, 0), asyncio.Event()
        first = asyncio.Event()

        async def call(slug: str, number: int) -> None:
            with in_club(club(slug)):
                async with places.place((slug, number)):
                    begun.append(slug)
                    await (first if number == 0 and slug == "alpha" else end).wait()

        calls = [asyncio.create_task(call("alpha", number)) for number in range(30)]
        await settle()
        calls.append(asyncio.create_task(call("beta", 0)))
        await settle()
        first.set()  # one of four threads gets free
        await settle()
        end.set()
        await asyncio.gather(*calls)

    with blind(monkeypatch, is_blind=is_blind):
        asyncio.run(scenario())
    assert begun.index("beta") == (30 if is_blind else THREADS)
    assert begun.count("alpha") == 30


@pytest.mark.parametrize("is_blind", [False, True], ids=["fair", "blind"])
def test_where_the_calls_of_a_club_hold_all_places_others_get_a_spare_one_each(
    monkeypatch: pytest.MonkeyPatch, *, is_blind: bool
) -> None:
    begun: list[str] = []

    async def scenario() -> None:
        places, end = ClubPlaces(THREADS, 2), asyncio.Event()

        async def call(slug: str, number: int) -> None:
            with in_club(club(slug)):
                async with places.place((slug, number)):
                    begun.append(slug)
                    await end.wait()

        calls = [asyncio.create_task(call("alpha", number)) for number in range(30)]
        for slug in ("beta", "beta", "gamma", "delta"):
            await settle()
            calls.append(asyncio.create_task(call(slug, len(calls))))
        await settle()
        others = [] if is_blind else ["beta", "gamma"]
        assert begun == ["alpha"] * THREADS + others
        end.set()
        await asyncio.gather(*calls)

    with blind(monkeypatch, is_blind=is_blind):
        asyncio.run(scenario())
    assert len(begun) == 34


def test_a_call_that_is_cancelled_leaves_its_place_to_others() -> None:
    async def scenario() -> list[int]:
        places, begun, end = ClubPlaces(1, 0), list[int](), asyncio.Event()

        async def call(number: int) -> None:
            async with places.place(number):
                begun.append(number)
                await end.wait()

        calls = [asyncio.create_task(call(number)) for number in range(4)]
        await settle()
        calls[1].cancel()  # waits
        calls[0].cancel()  # has the place
        await settle()
        calls[2].cancel()
        end.set()
        await asyncio.gather(*calls, return_exceptions=True)
        return begun

    assert asyncio.run(scenario()) == [0, 2, 3]


@pytest.mark.parametrize("is_blind", [False, True], ids=["fair", "blind"])
def test_a_club_with_many_guests_holds_no_guest_of_another_up(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, *, is_blind: bool
) -> None:
    settings.GUEST_REQUESTS = 1
    begun: list[str] = []

    async def scenario() -> None:
        line, first, rest = GuestLine(), asyncio.Event(), asyncio.Event()

        async def ask(slug: str, number: int) -> None:
            async def receive() -> Any:
                await asyncio.Event().wait()

            with in_club(club(slug)), ExitStack():
                async with line.place(f"192.0.2.{number}", receive):
                    begun.append(slug)
                    await (first if len(begun) == 1 else rest).wait()

        asked = [asyncio.create_task(ask("alpha", number)) for number in range(20)]
        await settle()
        asked.append(asyncio.create_task(ask("beta", 99)))
        await settle()
        first.set()
        rest.set()
        await asyncio.gather(*asked)

    with blind(monkeypatch, is_blind=is_blind):
        asyncio.run(scenario())
    assert begun.index("beta") == (20 if is_blind else 2)
