"""A network of its own for a laptop whose address changes: a network namespace of Linux, with an interface of the laptop.

What runs in it is real: the kernel's addresses and routes, the program, and requests from threads that have entered it.
"""

import ctypes
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from tests.conftest import ROOT

T = TypeVar("T")
_CLONE_NEWNET = 0x40000000


class Hall:
    """The network. The laptop's interface has no address yet."""

    def __init__(self, pid: int) -> None:
        """pid: a process in the namespace."""
        self._pid = pid
        self._thread = ThreadPoolExecutor(1, initializer=_enter, initargs=(f"/proc/{pid}/ns/net",))

    def command(self, *words: str) -> list[str]:
        return ["nsenter", f"--target={self._pid}", "--net", *words]

    def start(self, *words: str, environment: Mapping[str, str], output: Any) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            self.command(*words), cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
        )

    def say(self, *words: str, environment: Mapping[str, str] | None = None) -> str:
        """Run a command in the network and return its output. Raises CalledProcessError."""
        return subprocess.run(
            self.command(*words),
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def give(self, address: str) -> None:
        """Give the laptop an address, and lead what leaves the network through its router."""
        self.say("ip", "address", "add", f"{address}/24", "dev", "laptop")
        router = f"{address.rpartition('.')[0]}.1"
        self.say("ip", "route", "replace", "default", "via", router, "src", address)

    def take(self, address: str) -> None:
        """Take an address away, and with it the routes that lead by it."""
        self.say("ip", "address", "del", f"{address}/24", "dev", "laptop")

    def in_it(self, act: Callable[[], T]) -> T:
        """Call a function whose connections are made in the network."""
        return self._thread.submit(act).result()

    def get(self, url: str, **headers: str) -> httpx.Response:
        """Ask over a new connection."""
        return self.in_it(lambda: httpx.get(url, headers=headers, timeout=30, trust_env=False, verify=False))


def _enter(namespace: str) -> None:
    with Path(namespace).open() as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")


@contextmanager
def hall() -> Iterator[Hall]:
    """Make the network; skip the test where that is not allowed."""
    try:
        holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo made; exec sleep infinity"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    except OSError:
        pytest.skip("there are no network namespaces here")
    with holder:
        try:
            if holder.stdout is None or holder.stdout.readline() != "made\n":
                pytest.skip("network namespaces are not allowed here")
            network = Hall(holder.pid)
            for line in (
                "link set lo up",
                "link add laptop type veth peer name router",
                "link set laptop up",
                "link set router up",
            ):
                network.say("ip", *line.split())
            yield network
        finally:
            holder.kill()


def without_settings() -> Sequence[tuple[str, str]]:
    ours = ("DATABASE_URL", "PUBLIC_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "HOST", "PORT")
    return [(name, value) for name, value in os.environ.items() if name not in ours]
