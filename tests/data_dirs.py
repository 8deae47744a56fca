"""DATA_DIRs with a stopped PostgreSQL, made once for all processes of a run: to copy one takes a tenth of the time."""

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from schnauz_turnier.postgresql import database
from tests import forked
from tests.conftest import static_files

ROOT = Path(__file__).parents[1]
OF_A_RUN = ("DATABASE_URL", "SECRET_KEY", "PUBLIC_URL", "DJANGO_SETTINGS_MODULE")
START = "import sys, pathlib; from schnauz_turnier.postgresql import database; database.address(pathlib.Path(sys.argv[1]))"


@cache
def empty_data_dir() -> Path:
    """Return one in whose database is nothing."""
    return _made_once("empty", lambda folder: _run(folder, "-c", START, str(folder)))


@cache
def migrated_data_dir() -> Path:
    """Return one with the tables of the program, and the key of its installation."""

    def migrated(folder: Path) -> None:
        copy_data_dir(empty_data_dir(), folder)
        _run(folder, "manage.py", "migrate", "--verbosity=0")

    return _made_once("migrated", migrated)


def copy_data_dir(made: Path, folder: Path) -> Path:
    """Copy one with the owners of its files. Its server may start at any port."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", f"{made}/.", folder], check=True)
    (folder / "database.port").unlink()
    return folder


def _made_once(name: str, make: Callable[[Path], object]) -> Path:
    of_the_run = Path(static_files()).parent
    folder, done = of_the_run / name, of_the_run / f"{name}.done"
    with (of_the_run / f"{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second finds it there
        if not done.exists():
            make(folder)
            while database.is_supervised(folder):
                time.sleep(0.02)
            done.touch()
    return folder


def _run(folder: Path, *words: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in OF_A_RUN}
    forked.run(
        [sys.executable, *words], cwd=ROOT, env=environment | {"DATA_DIR": str(folder)}
    ).check_returncode()
