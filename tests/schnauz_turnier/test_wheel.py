"""The wheel: everything that the program needs, nothing else, and the same from the same sources."""

import json
import re
import zipfile
from collections.abc import Iterator
from email import message_from_string
from functools import cached_property
from pathlib import Path

import pytest

from schnauz_turnier import __version__
from tests.conftest import static_files
from tests.schnauz_turnier.postgresql.test_database import ROOT
from tests.schnauz_turnier.wheels import built, copied_with_version, wheel_of_the_checkout

PACKAGES = ("schnauz_turnier", "tournaments", "scoring")
INSTALLED = "schnauz_turnier/installed"
OF_THE_BUILD = "schnauz_turnier/packaging/"
NOTES_OF_A_START = {"collected_from"}


class Wheel:
    def __init__(self, file: Path) -> None:
        self.file = file
        self.archive = zipfile.ZipFile(file)

    @cached_property
    def files(self) -> dict[str, bytes]:
        return {name: self.archive.read(name) for name in self.archive.namelist()}

    def below(self, folder: str) -> dict[str, bytes]:
        start = f"{folder}/"
        return {name.removeprefix(start): data for name, data in self.files.items() if name.startswith(start)}

    def information(self, name: str) -> str:
        (found,) = (data for file, data in self.files.items() if file.endswith(f".dist-info/{name}"))
        return found.decode()


@pytest.fixture(scope="module")
def wheel() -> Wheel:
    return Wheel(wheel_of_the_checkout())


def files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def test_it_bears_the_version_and_starts_by_its_name(wheel: Wheel) -> None:
    assert wheel.file.name == f"schnauz_turnier-{__version__}-py3-none-any.whl"
    metadata = message_from_string(wheel.information("METADATA"))
    assert (metadata["Version"], metadata["License-Expression"]) == (__version__, "MIT")
    assert "schnauz-turnier = schnauz_turnier.start.command_line:main" in wheel.information(
        "entry_points.txt"
    )
    assert wheel.information("licenses/LICENSE") == (ROOT / "LICENSE").read_text()


def test_the_version_is_a_semantic_one() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[0-9a-z.]+)?", __version__)


@pytest.mark.parametrize("package", PACKAGES)
def test_it_has_every_module_rule_sheet_and_file_of_the_packages(wheel: Wheel, package: str) -> None:
    wanted = {
        name: data
        for name, data in files_below(ROOT / package)
        if not f"{package}/{name}".startswith(OF_THE_BUILD)
    }
    assert sorted(wanted) == sorted(
        name for name in wheel.below(package) if not name.startswith("installed/")
    )
    assert {name for name, data in wanted.items() if wheel.files[f"{package}/{name}"] != data} == set()


def test_it_has_every_template_and_the_compiled_catalogues(wheel: Wheel) -> None:
    assert wheel.below(f"{INSTALLED}/templates") == dict(files_below(ROOT / "templates"))
    catalogues = {name: data for name, data in files_below(ROOT / "locale") if name.endswith(".mo")}
    assert catalogues
    assert wheel.below(f"{INSTALLED}/locale") == catalogues


def test_its_static_files_are_those_that_a_checkout_collects(wheel: Wheel) -> None:
    wanted = dict(files_below(Path(static_files())))
    collected = wheel.below(f"{INSTALLED}/.static")
    assert sorted(collected) == sorted(wanted.keys() - NOTES_OF_A_START)
    names, those_of_a_checkout = (json.loads(files.pop("staticfiles.json")) for files in (collected, wanted))
    assert names["paths"] == those_of_a_checkout["paths"]
    assert {name for name, data in collected.items() if data != wanted[name]} == set()
    assert [name for name in collected if re.fullmatch(r"css/base\.[0-9a-f]{12}\.css\.gz", name)]
    assert wheel.below(f"{INSTALLED}/static") == dict(files_below(ROOT / "static"))


def test_it_has_nothing_else(wheel: Wheel) -> None:
    information = f"schnauz_turnier-{__version__}.dist-info"
    assert {name.split("/")[0] for name in wheel.files} == {*PACKAGES, information}
    assert {name.split("/")[0] for name in wheel.below(INSTALLED)} == {
        ".static",
        "locale",
        "static",
        "templates",
    }


def test_another_build_of_the_same_sources_has_the_same_files(wheel: Wheel, tmp_path: Path) -> None:
    source = copied_with_version(__version__, tmp_path / "source")
    assert built(source, tmp_path / "again").read_bytes() == wheel.file.read_bytes()
