"""The kit for the stick: written for this computer from four packages of the lock, and installed without a network.

`make kit` with all packages for all kinds of computers takes some minutes and a gigabyte, so that is run by hand
(docs/operations.md).
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from schnauz_turnier import __version__
from schnauz_turnier.packaging import kit as kits
from schnauz_turnier.packaging.kit import COMPUTERS, WINDOWS, needed_on, this_computer, write_kit
from tests.conftest import IN_CI
from tests.schnauz_turnier.postgresql.test_database import ROOT
from tests.schnauz_turnier.wheels import wheel_of_the_checkout

LOCK = (ROOT / "requirements.lock").read_text()
FOR_THE_VERSION = ("asgiref", "django", "platformdirs", "sqlparse")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


def names(requirements: str) -> list[str]:
    return re.findall(r"^([\w.-]+)==", requirements, re.MULTILINE)


def blocks(*wanted: str) -> str:
    return "\n".join(
        block
        for block in re.split(r"\n(?=\S)", LOCK)
        if block.startswith(tuple(f"{one}==" for one in wanted))
    )


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("Stick für den Abend") / "kit"
    try:
        found = write_kit(
            folder, wheel_of_the_checkout(), blocks(*FOR_THE_VERSION), [this_computer()], [HERE]
        )
    except RuntimeError:
        if IN_CI:
            raise
        pytest.skip("needs the package index")
    assert found == {this_computer().name: [HERE]}
    return folder


def started(kit: Path, home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the start file with an environment of its own, and without a network where this account may cut it off."""
    home.mkdir(exist_ok=True)
    cut_off = ["unshare", "--net"] if _may_cut_off() else []
    (home / "bin").mkdir(exist_ok=True)
    if not (home / "bin" / "python3.11").exists():
        for name in (
            "python3.14",
            "python3.13",
            "python3.12",
            "python3.11",
        ):  # in the order of the start file
            (home / "bin" / name).symlink_to(sys.executable)
    return subprocess.run(
        [*cut_off, "sh", str(kit / "start.command"), *words],
        env={"HOME": str(home), "PATH": f"{home / 'bin'}:{os.defpath}"},
        capture_output=True,
        text=True,
        check=False,
    )


def _may_cut_off() -> bool:
    unshare = shutil.which("unshare")
    return (
        unshare is not None
        and subprocess.run([unshare, "--net", "true"], capture_output=True, check=False).returncode == 0
    )


def checked(kit: Path) -> tuple[int, str]:
    ran = subprocess.run([sys.executable, kit / "check.py"], capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout


def test_it_is_installed_without_a_network_and_once(kit: Path, tmp_path: Path) -> None:
    home = tmp_path / "Größe 1"
    first, second = started(kit, home, "--version"), started(kit, home, "--version")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.splitlines()[0].startswith("Einmal installieren")
    assert first.stdout.splitlines()[-1] == f"Schnauz-Turnier {__version__}"
    assert second.stdout == f"Schnauz-Turnier {__version__}\n"
    assert [path.name for path in (home / ".local" / "share").iterdir()] == ["schnauz-turnier-program"]


def test_it_is_whole_and_says_so(kit: Path) -> None:
    code, said = checked(kit)
    assert (code, said.startswith("In Ordnung, ")) == (0, True)
    files = {path.relative_to(kit).as_posix() for path in kit.rglob("*") if path.is_file()}
    listed = {line.split("  ")[1] for line in (kit / "SHA256SUMS").read_text().splitlines()}
    assert files - listed == {"SHA256SUMS"}


@pytest.fixture
def copy(kit: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kit, tmp_path / "kit"))


def test_a_damaged_package_is_named_and_not_installed(copy: Path, tmp_path: Path) -> None:
    (wheel,) = (copy / "wheels").glob("sqlparse-*.whl")
    wheel.write_bytes(wheel.read_bytes()[:-1] + b"?")
    assert checked(copy) == (1, f"beschädigt oder fehlt / damaged or missing: wheels/{wheel.name}\n")
    ran = started(copy, tmp_path / "home", "--version")
    assert ran.returncode == 1
    assert "DO NOT MATCH THE HASHES" in ran.stderr
    assert "python3 check.py" in ran.stderr


def test_another_package_than_its_own_is_named(copy: Path) -> None:
    (copy / "wheels" / "django-9.9-py3-none-any.whl").touch()
    (copy / "System Volume Information").touch()
    assert checked(copy) == (
        1,
        "gehört nicht dazu / does not belong here: wheels/django-9.9-py3-none-any.whl\n",
    )


def test_every_requirement_bears_a_hash_that_is_compared(kit: Path) -> None:
    requirements = (kit / "requirements.txt").read_text()
    assert names(requirements) == [*FOR_THE_VERSION, "schnauz-turnier"]
    lines = requirements.replace("\\\n", " ").splitlines()
    assert [line for line in lines if line and "--hash=sha256:" not in line] == []
    assert '"--require-hashes"' in (kit / "start.py").read_text()


def test_an_earlier_kit_is_replaced_and_nothing_else(kit: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with pytest.raises(FileExistsError):
        write_kit(tmp_path, wheel_of_the_checkout(), "", [this_computer()], [HERE])
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_computer_without_packages_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = "not-to-be-had==1.0 \\\n    --hash=sha256:" + "0" * 64 + "\n"
    with pytest.raises(RuntimeError):
        write_kit(tmp_path / "kit", wheel_of_the_checkout(), nowhere, [WINDOWS], ["3.13"])
    assert capsys.readouterr().out.startswith("Windows 64 bit, Python 3.13: left out. ERROR: ")
    assert not (tmp_path / "kit").exists()


def test_the_whole_lock_is_read_for_each_computer() -> None:
    everything = names(LOCK)
    for computer in COMPUTERS:
        needed = needed_on(LOCK, computer, "3.13")
        left_out = {"uvloop"} if computer is WINDOWS else set()
        only_for_others = {name for name in everything if re.search(rf"^{name}==\S+ ;", LOCK, re.MULTILINE)}
        assert left_out <= set(everything) - set(names(needed)) <= only_for_others
        assert ";" not in needed
    assert names(needed_on(LOCK, COMPUTERS[0], "3.13")).count("uvloop") == 1


def pages(kit: Path) -> Iterator[tuple[Path, list[str]]]:
    for page in kit.glob("*.html"):
        yield page, re.findall(r'href="([^"]+)"', page.read_text())


def test_the_handbook_is_there_and_its_links_lead_to_pages_of_the_kit(kit: Path) -> None:
    assert "<h1>Handbuch für den Veranstalter</h1>" in (kit / "Handbuch.html").read_text()
    for page, links in pages(kit):
        files = [link.split("#")[0] for link in links if not link.startswith(("http", "#"))]
        assert [name for name in files if not (kit / name).is_file()] == [], page


def test_the_texts_name_version_and_computers_and_have_the_line_ends_of_windows(kit: Path) -> None:
    for name in ("LIESMICH.txt", "README.txt"):
        data = (kit / name).read_bytes()
        assert f"Schnauz-Turnier {__version__}".encode() in data
        assert f"   {this_computer().name}: Python {HERE}\r\n".encode() in data
        assert b"{" not in data
    assert (
        (kit / "start.bat").read_bytes().count(b"\n") == (kit / "start.bat").read_bytes().count(b"\r\n") > 10
    )
    assert b"\r" not in (kit / "start.command").read_bytes()


@pytest.mark.parametrize("name", ["start.py", "check.py"])
def test_an_old_python_understands_enough_to_say_that_it_is_too_old(name: str) -> None:
    source = (kits.FILES / name).read_text()
    ast.parse(source, feature_version=(3, 7))
