"""Wheels of the program, and virtual environments in which nothing of the program is but what a wheel has brought."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

from tests.conftest import FOLDER_OF_THE_RUN
from tests.schnauz_turnier.postgresql.test_database import ROOT

UV = ROOT / ".venv" / "bin" / "uv"
SOURCES = ("schnauz_turnier", "tournaments", "scoring", "templates", "static", "locale")
FILES = ("manage.py", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".gitignore")


def built(source: Path, target: Path) -> Path:
    """Build the wheel of a checkout as `make wheel` does, without a network; return its file."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(target)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = target.glob("*.whl")
    return wheel


@cache
def wheel_of_the_checkout() -> Path:
    """Return the wheel of this checkout, built once for all processes of this run."""
    folder = Path(os.environ[FOLDER_OF_THE_RUN])
    target = folder / "wheel"
    with (folder / "wheel.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second finds it there
        found = list(target.glob("*.whl"))
        return found[0] if found else built(ROOT, target)


def copied_with_version(version: str, target: Path) -> Path:
    """Copy the sources as if a later version had been checked out, without the history."""
    for name in SOURCES:
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, target)
    module = target / "schnauz_turnier" / "__init__.py"
    text, changed = re.subn(r'__version__ = ".*"', f'__version__ = "{version}"', module.read_text())
    assert changed == 1
    module.write_text(text)
    return target


def environment_of(python: str, folder: Path) -> Path:
    """Make a virtual environment that finds the packages of the tests' own; return its Python."""
    _uv("venv", "--quiet", "--python", python, str(folder))
    packages = next((folder / "lib").glob("python*")) / "site-packages"
    (packages / "packages_of_the_tests.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin" / "python"


def install(wheel: Path, python: Path) -> None:
    how = ("--quiet", "--offline", "--no-deps", "--link-mode", "copy")
    _uv("pip", "install", *how, "--python", str(python), str(wheel))


def share_bytecode(copy: Path, original: Path, prefix: str | None = sys.pycache_prefix) -> Path | None:
    """Let a program find the bytecode of a folder of which its own is a copy, instead of making it again; return the link.

    prefix: the PYTHONPYCACHEPREFIX of the program. Without one of the tests, the program makes the bytecode.
    """
    if sys.pycache_prefix is None or prefix is None:
        return None
    link = Path(prefix) / copy.relative_to("/")
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink():
        link.symlink_to(Path(sys.pycache_prefix) / original.relative_to("/"))
    return link


def as_old_as(copy: Path, original: Path) -> None:
    """Give the modules of a copy the times of the same ones in the original. Bytecode is found by them."""
    for module in copy.rglob("*.py"):
        other = original / module.relative_to(copy)
        if other.exists() and other.read_bytes() == module.read_bytes():
            shutil.copystat(other, module)


def _uv(*words: str) -> None:
    subprocess.run([UV, *words], check=True)
