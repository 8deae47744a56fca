"""Ports for the servers that tests start."""

import socket
from contextlib import ExitStack
from random import SystemRandom

BELOW_THE_OUTGOING = range(20_000, 32_000)
"""Linux takes the ports of outgoing connections from 32768 on: one from there may be taken before the server starts, or while it restarts."""
BESIDE_IT = 443
"""With HTTPS=1 the program listens at a second port, so far above the first."""


def free_port() -> int:
    """Return a port that nobody listens on, nor on the one of https beside it."""
    while True:
        port = SystemRandom().choice(BELOW_THE_OUTGOING)
        with ExitStack() as probes:
            try:
                for one in (port, port + BESIDE_IT):
                    probes.enter_context(socket.socket()).bind(("127.0.0.1", one))
            except OSError:
                continue
        return port
