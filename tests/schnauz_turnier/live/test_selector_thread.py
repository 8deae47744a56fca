"""Tests of connections that live in the event loop of a thread, as on Windows."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from typing import Any

import psycopg
import pytest
from django.db import connection

from schnauz_turnier.live.selector_thread import DistantConnection

pytestmark = pytest.mark.django_db
Work = Callable[[DistantConnection], Coroutine[Any, Any, None]]


def connected(work: Work) -> None:
    """Run this with a connection from an event loop in which it does not live."""
    here = connection.get_connection_params()
    parameters = {name: value for name, value in here.items() if name not in ("cursor_factory", "context")}

    async def run() -> None:
        distant = await DistantConnection.connect(**parameters, autocommit=True)
        try:
            await work(distant)
        finally:
            await distant.close()

    asyncio.run(run())


async def first_of(distant: DistantConnection) -> psycopg.Notify:
    return await anext(distant.notifies())


def test_notifications_arrive_in_their_order() -> None:
    async def work(distant: DistantConnection) -> None:
        await distant.execute("LISTEN distant")
        for number in ("1", "2", "3"):
            await distant.execute("SELECT pg_notify('distant', %s)", [number])
        async with aclosing(distant.notifies()) as heard:
            assert [(await anext(heard)).payload for _ in range(3)] == ["1", "2", "3"]

    connected(work)


def test_waiting_can_be_given_up_and_the_connection_closed() -> None:
    async def work(distant: DistantConnection) -> None:
        await distant.execute("LISTEN silence")
        waiting = asyncio.create_task(first_of(distant))
        done, _others = await asyncio.wait({waiting}, timeout=0.1)
        assert not done
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await distant.close()
        with pytest.raises(psycopg.OperationalError):
            await distant.execute("SELECT 1")

    connected(work)


def test_a_database_that_is_not_there_is_an_error_of_the_caller() -> None:
    async def connect() -> None:
        await DistantConnection.connect(host="127.0.0.1", port=9, dbname="none")

    with pytest.raises(psycopg.OperationalError):
        asyncio.run(connect())
