"""The program in processes of its own, and what a process takes."""

import json
import os
import resource
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import ROOT
from schnauz_turnier.postgresql import database
from tests.faults.house import Database, Web, program

__all__ = ["ROOT", "Process", "Program", "machine", "running", "wait_for_port"]


@dataclass(frozen=True, slots=True)
class Process:
    pid: int

    @property
    def kilobytes(self) -> float:
        """Resident memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1024

    @property
    def own_megabytes(self) -> float:
        """Memory with a share of what several processes have mapped (PSS)."""
        rollup = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return int(rollup.partition("Pss:")[2].split()[0]) / 1024

    @property
    def anonymous_megabytes(self) -> float:
        """Memory of its own that is mapped from no file and no shared memory."""
        rollup = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return int(rollup.partition("Pss_Anon:")[2].split()[0]) / 1024

    @property
    def seconds(self) -> float:
        """Processor time."""
        return sum(self._times[:2])

    @property
    def seconds_with_ended_children(self) -> float:
        return sum(self._times)

    @property
    def _times(self) -> list[float]:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return [int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:15]]

    @property
    def children(self) -> list["Process"]:
        listed = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [Process(int(pid)) for pid in listed]


@dataclass(frozen=True, slots=True)
class Program:
    """The web server as `make run` starts it, and its PostgreSQL."""

    web: Web
    database: Database

    @property
    def process(self) -> Process:
        assert self.web.process is not None
        return Process(self.web.process.pid)

    @property
    def web_seconds(self) -> float:
        """Processor time of all web processes."""
        return self.process.seconds + sum(one.seconds for one in self.process.children)

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of a connection to its database."""
        here = database.Address(**json.loads((self.database.folder / "database.json").read_text()))
        return {**here.parameters, "dbname": database.NAME}

    @property
    def postgres_seconds(self) -> float:
        """Processor time of PostgreSQL. That of a connection which has ended counts with its parent process."""
        postmaster = Process(self.database.pid)
        return postmaster.seconds_with_ended_children + sum(one.seconds for one in postmaster.children)

    def take_in(self, document: dict[str, Any]) -> None:
        """Import a tournament. PostgreSQL then knows its size, as it does by itself after a minute."""
        self.web.command_says("import_tournament", "-", text=json.dumps(document))
        self.database.tell("VACUUM ANALYZE")

    def secrets(self, slug: str) -> list[str]:
        """Return the secrets by which the phones of the released round enter, by table."""
        lines = map(json.loads, self.web.command_says("sheet_links", slug).splitlines())
        return [line["url"].partition("#")[2] for line in sorted(lines, key=lambda line: int(line["table"]))]


@contextmanager
def running(processes: int = 1) -> Iterator[Program]:
    """Run the program with an empty database, on a free port."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        web = Web(folder, program()).start()
        try:
            with Database(folder).stay() as kept:
                if processes == 1:
                    yield Program(web, kept)
                else:
                    with another(folder, "--processes", str(processes)) as web_of_several:
                        yield Program(web_of_several, kept)
        finally:
            web.end()


@contextmanager
def another(folder: Path, *options: str, **environment: str) -> Iterator[Web]:
    """Run a further server on the database of a folder, or on the one that the environment names."""
    web = Web(folder, ())
    web.command = program("schnauz_turnier.serve", "127.0.0.1", str(web.port), *options)
    web.environment |= {"SECRET_KEY": (folder / "secret_key").read_text(), **environment}
    web.start()
    try:
        yield web
    finally:
        web.end()


def wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a process accepts connections. Raises ChildProcessError if it ends before."""
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            raise ChildProcessError(process.args)
        time.sleep(0.02)


def machine() -> str:
    """Return the machine in words."""
    models = [
        line.partition(":")[2]
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if "model name" in line
    ]
    return f"{os.cpu_count()} cores{',' + models[0] if models else ''}"
