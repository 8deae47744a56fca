"""Ports for the servers that tests start."""

import os
import socket
from contextlib import ExitStack
from random import SystemRandom

BELOW_THE_OUTGOING = range(20_000, 32_000)
"""Linux takes the ports of outgoing connections from 32768 on: one from there may be taken before the server starts, or while it restarts."""
BESIDE_IT = 443
"""With HTTPS=1 the program listens at a second port, so far above the first."""

_GIVEN: set[int] = set()


def ports_of_this_process() -> range:
    """Return the ports that this process of the tests gives to its servers, those beside them included.

    The processes of a run share none. Else one of them could take the port of a server that another is about to start, or to
    start again, and would then talk to the other's server.
    """
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % processes
    share = len(BELOW_THE_OUTGOING) // processes
    return BELOW_THE_OUTGOING[number * share : (number + 1) * share]


def free_port() -> int:
    """Return a port that nobody listens on, nor on the one of https beside it. Each is returned only once."""
    while True:
        port = SystemRandom().choice(ports_of_this_process()[:-BESIDE_IT])
        with ExitStack() as probes:
            try:
                for one in (port, port + BESIDE_IT):
                    probes.enter_context(socket.socket()).bind(("127.0.0.1", one))
            except OSError:
                continue
        if port not in _GIVEN:
            _GIVEN.add(port)
            return port
