"""The web server: a process with one event loop, or several. bench/server.py explains the choice of uvicorn.

python -m schnauz_turnier.serve HOST PORT [--processes N]     only serves, without migrations and collectstatic

On SIGHUP the processes are restarted one after the other: an old one stops accepting when its successor accepts.
"""

import argparse
import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import uvicorn
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _
from uvicorn.supervisors import Multiprocess

from schnauz_turnier.postgresql.newer_database import refuse_newer_database
from schnauz_turnier.start.address_watch import on_move
from schnauz_turnier.start.certificate import OwnCertificate
from schnauz_turnier.start.collector import spare_what_is_loaded, start_and_end_sooner
from schnauz_turnier.start.command_errors import ends_with_a_sentence
from schnauz_turnier.start.network import https_port
from schnauz_turnier.start.stop_signals import interrupts_wait
from schnauz_turnier.systems import system
from tournaments.own_address import Move

BACKLOG = 4096  # enough for many subscribers that reconnect at once
FINISHING = 8  # seconds for running requests when a process ends; docker sends SIGKILL after ten
STARTING = 60  # seconds in which a new process must accept connections, and any process answer its parent, also on a busy machine
GONE = 30_000  # milliseconds without acknowledgement until a connection is dropped (TCP_USER_TIMEOUT)


def serve(host: str, port: int, *, staff: OwnCertificate | None = None) -> None:
    """Serve until SIGINT or SIGTERM. No client addresses are logged.

    staff: the certificate with which https is answered as well, on the port that `https_port` names.
    """
    configs = [_config(host, port)]
    if staff is not None:
        keys: dict[str, Any] = {"ssl_keyfile": staff.key, "ssl_certfile": staff.certificate}
        # One application answers both. It starts and ends with the first of them.
        configs.append(_config(host, https_port(port), lifespan="off", **keys))
    system.raise_limit_of_files()
    with interrupts_wait():
        for config in configs:
            config.load()
    for config in configs[1:]:
        on_move.append(partial(_take_new_certificate, config))
    with (
        contextlib.suppress(KeyboardInterrupt),
        asyncio.Runner(loop_factory=configs[0].get_loop_factory()) as runner,
    ):
        runner.run(_serve(configs))


def serve_in_processes(host: str, port: int, number: int) -> None:
    """Serve in several processes, which accept the connections of one socket. One that ends is replaced.

    SIGHUP restarts them. A process whose successor does not start stays.
    """
    system.raise_limit_of_files()  # children inherit it
    os.environ["PROCESSES"] = str(number)
    config = _config(host, port, workers=number)
    Multiprocess(config, [_listening(config)]).run()


def _take_new_certificate(config: uvicorn.Config, _move: Move) -> None:
    """Answer new connections with the certificate that has been made for the new address."""
    if config.ssl is not None and config.ssl_certfile is not None:
        config.ssl.load_cert_chain(config.ssl_certfile, config.ssl_keyfile)


class _Config(uvicorn.Config):
    def load(self) -> None:
        start_and_end_sooner()  # for each of several processes, which begins here
        super().load()
        spare_what_is_loaded()


async def _serve(configs: Sequence[uvicorn.Config]) -> None:
    servers = [uvicorn.Server(config) for config in configs]

    async def serve_one(server: uvicorn.Server) -> None:
        await server.serve([_listening(server.config)])
        for other in servers:  # they end together
            other.should_exit = True

    await asyncio.gather(*map(serve_one, servers))


def _config(host: str, port: int, **more: Any) -> uvicorn.Config:
    return _Config(
        "schnauz_turnier.asgi:application",
        host=host,
        port=port,
        http="schnauz_turnier.web.protocol:LimitedProtocol",
        ws="none",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,  # asgi.py reads them, where the peer's own address is known, too
        timeout_graceful_shutdown=FINISHING,
        timeout_worker_healthcheck=STARTING,
        backlog=BACKLOG,
        **more,
    )


def _listening(config: uvicorn.Config) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in config.host else socket.AF_INET)
    system.reuse_port(listening)
    try:
        listening.bind((config.host, config.port))
    except OSError as error:
        sys.exit(f"{config.host}:{config.port}: {error}")
    listening.set_inheritable(True)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE)
    return listening


def refuse_uncollected_files() -> None:
    """Raise ImproperlyConfigured if a style or script has no name with its hash yet: each page with it would fail."""
    hashed = getattr(
        staticfiles_storage, "hashed_files", None
    )  # None: a storage that serves them as they are
    names = {name for finder in finders.get_finders() for name, _storage in finder.list([])}
    if hashed is not None and not names <= hashed.keys():
        raise ImproperlyConfigured(
            _(
                "Stile und Skripte dieser Version sind nicht gesammelt. Zuerst: manage.py collectstatic --noinput."
            )
        )


if __name__ == "__main__":
    start_and_end_sooner()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")
    parser = argparse.ArgumentParser(prog="python -m schnauz_turnier.serve")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    os.environ["HOST"] = arguments.host  # for the settings, which are not read before
    if arguments.processes < 1:
        parser.error("--processes takes a number, 1 or more")
    with ends_with_a_sentence():
        refuse_newer_database()
        refuse_uncollected_files()
    if arguments.processes > 1:
        serve_in_processes(arguments.host, arguments.port, arguments.processes)
    else:
        serve(arguments.host, arguments.port)
