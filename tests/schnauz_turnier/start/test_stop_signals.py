"""Tests of the end of a process after a signal, in a process of its own."""

import signal
import subprocess
import sys

import pytest

from schnauz_turnier.start.stop_signals import interrupts_wait
from tests.faults.house import PATIENCE, ROOT

PROCESS = """
import asyncio, os, signal, sys, threading
from schnauz_turnier.start.stop_signals import on_stop_signal

async def main():
    on_stop_signal(lambda: print("told", flush=True), longest_end=0.2 if sys.argv[1] == "hangs" else 60)
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.sleep(0)

signal.signal(signal.SIGTERM, signal.SIG_IGN)
if sys.argv[1] == "hangs":
    threading.Thread(target=threading.Event().wait).start()
asyncio.run(main())
"""


@pytest.mark.parametrize(("how", "code"), [("hangs", 1), ("ends", 0)])
def test_a_process_whose_thread_never_ends_ends_itself(how: str, code: int) -> None:
    """The control ends by itself."""
    command = [sys.executable, "-c", PROCESS, how]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (ended.returncode, ended.stdout) == (code, "told\n"), ended.stderr


def test_ctrl_c_while_the_program_loads_ends_it_afterwards() -> None:
    before = signal.getsignal(signal.SIGINT)
    loaded = []
    with pytest.raises(KeyboardInterrupt), interrupts_wait():  # noqa: PT012 (what comes after the signal is the point)
        signal.raise_signal(signal.SIGINT)
        loaded.append("all of it")
    assert loaded
    assert signal.getsignal(signal.SIGINT) is before


def test_a_program_that_has_loaded_goes_on() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interrupts_wait():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
