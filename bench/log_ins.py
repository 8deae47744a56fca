"""Benchmark of phones and wall while a guest floods the log-in, over HTTP against the real server.

    .venv/bin/python bench/log_ins.py [--seconds 8] [--connections 60]

*phone*   the sheet of a table, as its phone reads it
*wall*    the wall screen

Each is read over one connection, ten times a second: first alone, then while 60 connections log in with random names as
fast as they are answered. Printed are the median and the 95th percentile, the ratio to the times alone, and every
answer that is not 200. The same flood of /healthz is the control: what as many requests cost that hash nothing.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from common.program import running
from common.tournament import evening

PERIOD = 0.1


def read(url: str, path: str, cookies: httpx.Cookies, seconds: float) -> tuple[list[float], Counter[int]]:
    """Return the milliseconds of each request, and the number of answers by status."""
    took: list[float] = []
    statuses: Counter[int] = Counter()
    with httpx.Client(base_url=url, timeout=60, cookies=cookies) as client:
        client.get(path)
        end = time.monotonic() + seconds
        while (begun := time.monotonic()) < end:
            statuses[client.get(path).status_code] += 1
            took.append((time.monotonic() - begun) * 1000)
            time.sleep(max(0.0, begun + PERIOD - time.monotonic()))
    return took, statuses


@contextmanager
def flood(url: str, path: str, connections: int) -> Iterator[Counter[str]]:
    """Send requests from another process, over so many connections, each as soon as the one before is answered."""
    statuses: Counter[str] = Counter()
    words = [sys.executable, __file__, "--flood", url + path, "--connections", str(connections)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()  # the flood has begun
    yield statuses
    told, _errors = process.communicate("")
    statuses.update(json.loads(told))


async def guests(url: str, connections: int) -> None:
    """Flood a URL until the standard input ends, then print the number of answers by status."""
    statuses: Counter[int] = Counter()

    async def guest(client: httpx.AsyncClient, token: str) -> None:
        while True:
            typed = {"username": uuid.uuid4().hex, "password": "x", "csrfmiddlewaretoken": token}
            try:
                answer = await (client.post(url, data=typed) if token else client.get(url))
                statuses[answer.status_code] += 1
            except httpx.HTTPError:
                statuses[0] += 1

    client = httpx.AsyncClient(timeout=120, limits=httpx.Limits(max_connections=connections))
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', (await client.get(url)).text)
    tasks = [asyncio.create_task(guest(client, found[1] if found else "")) for _ in range(connections)]
    while statuses.total() < connections // 2:
        await asyncio.sleep(PERIOD)
    statuses.clear()
    print(flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(statuses))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--connections", type=int, default=60)
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.flood:
        asyncio.run(guests(given.flood, given.connections))
        return
    with running() as program:
        program.take_in(evening(60))
        url, secret = program.web.url, program.secrets("abend-60")[0]
        phone = httpx.post(f"{url}/s/enter", json={"secret": secret}).cookies
        print(f"{os.cpu_count()} cores; x: against the same page in the same run without a flood")
        pages = {"phone": "/s/sheet", "wall": "/t/abend-60/screen/"}
        alone = {name: read(url, path, phone, given.seconds)[0] for name, path in pages.items()}
        for what, flooded in {"log-ins": "/account/login/", "healthz": "/healthz"}.items():
            for name, path in pages.items():
                with flood(url, flooded, given.connections) as sent:
                    took, statuses = read(url, path, phone, given.seconds)
                told(what, name, took, alone[name], statuses, sent)


def told(
    what: str, name: str, took: list[float], base: list[float], answers: Counter[int], sent: Counter[str]
) -> None:
    took = took * 2 if len(took) == 1 else took
    middle, late = statistics.median(took), statistics.quantiles(took, n=20)[18]
    ratio, late_ratio = middle / statistics.median(base), late / statistics.quantiles(base, n=20)[18]
    bad = {status: number for status, number in answers.items() if status != 200}
    print(
        f"{what:8} {name:6} {middle:7.1f} ms x{ratio:4.1f}   95th {late:7.1f} ms x{late_ratio:4.1f}"
        f"   not 200: {bad or 'none'}   flood: {dict(sent)}",
        flush=True,
    )


if __name__ == "__main__":
    main()
