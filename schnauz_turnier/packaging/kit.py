"""Kit on a stick: packages for all kinds of computers with their hashes, start files, handbook (`make kit`).

    python -m schnauz_turnier.packaging.kit FOLDER [--wheel FILE] [--only this]

pip downloads exactly the packages of requirements.lock, and refuses other hashes. Computers and versions of Python for
which a package has no wheel are left out and named.
"""

import argparse
import hashlib
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from packaging.markers import Marker

from schnauz_turnier import __version__

ROOT = Path(__file__).resolve().parents[2]
FILES = Path(__file__).with_name("kit_files")
PAGE = Path(__file__).with_name("page.html")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PIP = "pip==26.3 --hash=sha256:f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13\n"
WHEEL = f"schnauz_turnier-{__version__}-py3-none-any.whl"
CONTINUED = "\\\n"
PACKAGE = re.compile(
    r"^([\w.\[\],-]+==[^\s;]+)(?: ; ([^\\\n]*?))? \\\n((?: +--hash=\S+(?: \\)?\n?)+)", re.MULTILINE
)
"""A package of a lock with its version, marker and hashes."""
WITH_CRLF = (".txt", ".bat")
PAGES = {"handbuch.md": "Handbuch.html", "handbook.md": "Handbook.html", "operations.md": "Operations.html"}


@dataclass(frozen=True, slots=True)
class Computer:
    """A kind of computer. tags: of its wheels, the newest first; marker: values for the lock's markers."""

    name: str
    tags: tuple[str, ...]
    marker: Mapping[str, str]


def _linux(machine: str) -> Computer:
    tags = tuple(f"manylinux_2_{minor}_{machine}" for minor in (28, 27, 26, 24, 17, 12, 5))
    return Computer(
        f"Linux {machine}", (*tags, f"manylinux2014_{machine}"), _marker("linux", "Linux", machine)
    )


def _macos(machine: str) -> Computer:
    return Computer(f"macOS {machine}", (f"macosx_14_0_{machine}",), _marker("darwin", "Darwin", machine))


def _marker(sys_platform: str, platform_system: str, machine: str) -> dict[str, str]:
    return {
        "sys_platform": sys_platform,
        "platform_system": platform_system,
        "platform_machine": machine,
        "os_name": "nt" if sys_platform == "win32" else "posix",
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
    }


WINDOWS = Computer("Windows 64 bit", ("win_amd64",), _marker("win32", "Windows", "AMD64"))
COMPUTERS = (_linux("x86_64"), _linux("aarch64"), _macos("arm64"), _macos("x86_64"), WINDOWS)


def this_computer() -> Computer:
    """Return the kind of this computer. Raises LookupError."""
    here = (platform.system(), platform.machine())
    for computer in COMPUTERS:
        if (computer.marker["platform_system"], computer.marker["platform_machine"]) == here:
            return computer
    raise LookupError(f"There are no kits for {' '.join(here)}.")


def write_kit(
    folder: Path, wheel: Path, lock: str, computers: Sequence[Computer], pythons: Sequence[str]
) -> dict[str, list[str]]:
    """Write a kit into a new folder, or replace an earlier kit. Return the versions of Python by computer.

    Raises FileExistsError if the folder has other content, RuntimeError if no computer has all packages.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "SHA256SUMS").exists():
        raise FileExistsError(f"{folder} is not empty and holds no kit.")
    draft = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    wheels = draft / "wheels"
    wheels.mkdir(parents=True)
    pythons_by_computer = _download_all(lock, computers, pythons, wheels)
    if not any(pythons_by_computer.values()):
        raise RuntimeError("There are packages for none of the computers.")
    _download(PIP, [], wheels)
    shutil.copyfile(wheel, wheels / wheel.name)
    own_line = f"schnauz-turnier=={__version__} --hash=sha256:{_digest(wheel)}\n"
    (draft / "requirements.txt").write_text(f"{lock.rstrip()}\n{own_line}", encoding="utf-8", newline="\n")
    _write_pages(draft)
    _copy_files(draft, pythons_by_computer)
    _write_sums(draft)
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)
    return pythons_by_computer


def _download_all(
    lock: str, computers: Sequence[Computer], pythons: Sequence[str], wheels: Path
) -> dict[str, list[str]]:
    pythons_by_computer: dict[str, list[str]] = {computer.name: [] for computer in computers}
    for computer in computers:
        for python in pythons:
            platforms = [part for tag in computer.tags for part in ("--platform", tag)]
            options = [*platforms, "--python-version", python]
            refusal = _download(needed_on(lock, computer, python), options, wheels)
            if not refusal:
                pythons_by_computer[computer.name].append(python)
            print(f"{computer.name}, Python {python}{refusal and f': left out. {refusal}'}", flush=True)
    return pythons_by_computer


def needed_on(lock: str, computer: Computer, python: str) -> str:
    """Return the packages of a lock that a computer needs, without markers, which pip would evaluate for this computer."""
    surroundings = {**computer.marker, "python_version": python, "python_full_version": f"{python}.0"}
    return "".join(
        f"{package} {hashes.replace(CONTINUED, '').strip()}\n"
        for package, marker, hashes in PACKAGE.findall(lock)
        if not marker or Marker(marker).evaluate(surroundings)
    )


def _download(requirements: str, options: Sequence[str], wheels: Path) -> str:
    """Download wheels, and add them only if all are available. Return the error, "" for none."""
    draft = wheels.with_name("download")
    draft.mkdir()
    list_of_packages = wheels.with_name("packages.txt")
    list_of_packages.write_text(requirements, encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--require-hashes", "--only-binary", ":all:", "--dest", str(draft), *options]
    command += ["--find-links", str(wheels)]  # each package is fetched once
    ran = subprocess.run(
        [*command, "--requirement", str(list_of_packages)], capture_output=True, text=True, check=False
    )
    list_of_packages.unlink()
    errors = [line for line in ran.stderr.splitlines() if line.startswith("ERROR")]
    if not ran.returncode:
        for wheel in draft.iterdir():
            if not (wheels / wheel.name).exists():
                wheel.rename(wheels / wheel.name)
    shutil.rmtree(draft)
    return (errors or ["ERROR: pip failed."])[-1] if ran.returncode else ""


def _write_pages(kit: Path) -> None:
    """Write the handbooks as HTML, with links among themselves only."""
    there = {name: page for name, page in PAGES.items() if (ROOT / "docs" / name).exists()}
    for name, page in there.items():
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        body = MarkdownIt("commonmark").enable("table").render(text)
        body = re.sub(
            r'<a href="(?!https?:)([\w./-]+)(#[^"]*)?">(.*?)</a>', lambda link: _link(link, there), body
        )
        language = "de" if name == "handbuch.md" else "en"
        frame = PAGE.read_text(encoding="utf-8")
        whole = frame.format(language=language, title=page.partition(".")[0], body=body)
        (kit / page).write_text(whole, encoding="utf-8")


def _link(link: "re.Match[str]", there: Mapping[str, str]) -> str:
    page = there.get(link[1])
    return f'<a href="{page}">{link[3]}</a>' if page else link[3]


def _copy_files(kit: Path, pythons: Mapping[str, Sequence[str]]) -> None:
    targets = "\n".join(f"   {name}: Python {', '.join(ones)}" for name, ones in pythons.items() if ones)
    handbook = "Handbook.html" if (kit / "Handbook.html").exists() else "Handbuch.html (German)"
    for source in sorted(FILES.iterdir()):
        if not source.is_file():
            continue
        text = source.read_text(encoding="utf-8")
        if source.suffix == ".txt":
            text = text.format(version=__version__, targets=targets, handbook=handbook)
        newline = "\r\n" if source.suffix in WITH_CRLF else "\n"
        (kit / source.name).write_text(text, encoding="utf-8", newline=newline)
    with suppress(OSError):  # the stick's file system may not support it
        (kit / "start.command").chmod(0o755)


def _write_sums(kit: Path) -> None:
    files = sorted(path for path in kit.rglob("*") if path.is_file())
    sums = [f"{_digest(path)}  {path.relative_to(kit).as_posix()}\n" for path in files]
    (kit / "SHA256SUMS").write_text("".join(sums), encoding="utf-8", newline="\n")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wheel", type=Path, default=ROOT / "dist" / WHEEL, help="else that of `make wheel`")
    parser.add_argument("--only", choices=["this"], help="this: for computers and Pythons of this kind only")
    arguments = parser.parse_args()
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    computers, pythons = ((this_computer(),), (here,)) if arguments.only else (COMPUTERS, PYTHONS)
    write_kit(arguments.folder.absolute(), arguments.wheel, lock, computers, pythons)
    subprocess.run([sys.executable, str(arguments.folder / "check.py")], check=True)


if __name__ == "__main__":
    main()
