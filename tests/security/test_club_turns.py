"""Turns by club at the threads of the phones and of the staff, and shares of other places: one club floods, the other one is answered.

The control makes the program blind: all requests are of the same club, and the other one waits behind the flood.
"""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from schnauz_turnier.live.stream import Hub, LiveStream
from schnauz_turnier.web import club_turns
from schnauz_turnier.web.club_turns import ClubPlaces, ClubTurns
from schnauz_turnier.web.django_threads import THREADS
from schnauz_turnier.web.guest_line import GuestLine, GuestRequests
from tests.security.test_guests import a_device, ask
from tournaments import hashing
from tournaments.core.refusal import Refusal
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
            patched.setattr(hashing, "current_club", lambda: None)
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


# --- the staff -----------------------------------------------------------------------------------------------------


class Staff:
    """Requests of devices of the staff, which are in Django until `end` is set. has_to_hash: they give way first."""

    def __init__(self, *, has_to_hash: bool = False) -> None:
        self.begun: list[str] = []
        self.end = asyncio.Event()
        self._has_to_hash = has_to_hash
        self._requests = GuestRequests(self._django, GuestLine())
        self._asked: list[asyncio.Task[Any]] = []

    async def _django(self, scope: Any, _receive: Any, send: Any) -> None:
        self.begun.append(scope["path"])
        if self._has_to_hash:
            await asyncio.to_thread(hashing.give_way.get())
        await self.end.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def come(self, slug: str, number: int = 1) -> None:
        for _ in range(number):
            with in_club(club(slug)):
                headers = {"cookie": a_device()}
                self._asked.append(asyncio.create_task(ask(self._requests, slug, headers=headers)))
        await settle()

    async def answers(self) -> None:
        self.end.set()
        await asyncio.gather(*self._asked)


@pytest.mark.parametrize("is_blind", [False, True], ids=["fair", "as for one club"])
def test_the_staff_of_a_club_hold_all_but_the_spare_threads(
    monkeypatch: pytest.MonkeyPatch, *, is_blind: bool
) -> None:
    async def scenario() -> None:
        staff = Staff()
        await staff.come("alpha", 30)
        await staff.come("beta", 2)
        assert staff.begun == (["alpha"] * 30 + ["beta"] * 2 if is_blind else ["alpha"] * THREADS + ["beta"])
        await staff.answers()
        assert (staff.begun.count("alpha"), staff.begun.count("beta")) == (30, 2)

    with blind(monkeypatch, is_blind=is_blind):
        asyncio.run(scenario())


@pytest.mark.parametrize("has_to_hash", [True, False], ids=["hashing", "control"])
def test_who_waits_for_a_password_to_be_hashed_leaves_the_place_to_others(*, has_to_hash: bool) -> None:
    async def scenario() -> None:
        staff = Staff(has_to_hash=has_to_hash)
        await staff.come("alpha", THREADS + 1)
        while has_to_hash and len(staff.begun) == THREADS:
            await asyncio.sleep(0.01)
        assert len(staff.begun) == THREADS + has_to_hash
        await staff.answers()

    asyncio.run(scenario())


# --- streams -------------------------------------------------------------------------------------------------------


class Viewers:
    """Viewers of tournaments. The database answers nobody of the club alpha before it is `free`. waiting: how many threads wait for it."""

    def __init__(self, checks: ClubPlaces | None) -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        self.free, self.waiting = threading.Event(), 0
        self._hub = Hub(channel="x", listen_to=dict, write_to=dict, is_public=self._is_public)
        self._hub._checks = checks or self._hub._checks
        self._hub._spawn(asyncio.sleep(3600))  # it listens to no database
        self._watching: list[asyncio.Task[None]] = []

    def _is_public(self, name: str) -> bool:
        if name.startswith("alpha/"):
            self.waiting += 1
            self.free.wait()
        return True

    def watch(self, slug: str, name: str) -> asyncio.Event:
        """Return the event that the stream is open."""
        is_open = asyncio.Event()

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(_message: Any) -> None:
            is_open.set()

        scope = {"type": "http", "method": "GET", "path": f"/t/{name}/live", "headers": []}
        with in_club(club(slug)):
            watching = LiveStream(_nobody, self._hub)(scope, receive, send)
            self._watching.append(asyncio.create_task(watching))
        return is_open

    async def leave(self) -> None:
        for one in self._watching:
            one.cancel()
        await asyncio.gather(*self._watching)
        await self._hub.stop()


async def _nobody(*_arguments: Any) -> None:
    raise AssertionError("only the stream is asked")


@pytest.mark.parametrize("is_fair", [True, False], ids=["fair", "control"])
def test_a_club_whose_streams_wait_for_the_database_holds_no_stream_of_another_up(*, is_fair: bool) -> None:
    async def scenario() -> None:
        viewers = Viewers(None if is_fair else ClubPlaces(2, 0))
        alpha = [viewers.watch("alpha", f"abend-{number}") for number in range(3)]
        while viewers.waiting < (1 if is_fair else 2):
            await asyncio.sleep(0.01)
        beta = viewers.watch("beta", "abend")
        await (beta.wait() if is_fair else settle())
        assert [one.is_set() for one in (*alpha, beta)] == [False, False, False, is_fair]
        viewers.free.set()
        for is_open in (*alpha, beta):
            await is_open.wait()
        await viewers.leave()

    asyncio.run(scenario())


# --- hashing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_blind", [False, True], ids=["fair", "blind"])
def test_a_club_whose_log_ins_fill_all_places_keeps_another_out_of_none_of_its_share(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, *, is_blind: bool
) -> None:
    settings.HASHES_WAITING, settings.HASHES_WAITING_KNOWN = 4, 2

    def let_in(slug: str, numbers: range, places: int = 4) -> list[bool]:
        return [_waits(waiting, f"{slug}, {number}", slug, places) for number in numbers]

    with blind(monkeypatch, is_blind=is_blind), ExitStack() as waiting:
        assert let_in("alpha", range(5)) == [True] * 4 + [False]
        assert let_in("beta", range(3)) == ([False] * 3 if is_blind else [True, True, False])
        assert let_in("gamma", range(2)) == ([False] * 2 if is_blind else [True, False])


def _waits(stack: ExitStack, origin: str, slug: str, places: int) -> bool:
    with in_club(club(slug)):
        try:
            stack.enter_context(hashing._place(hashing._inside, origin, places))
        except Refusal:
            return False
        return True
