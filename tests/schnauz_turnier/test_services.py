"""Files that run the program as a service: they can be read, and start a command that the program has."""

import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from schnauz_turnier.start.command_line import _parser
from tests.schnauz_turnier.postgresql.test_database import ROOT

SERVICE = ROOT / "docs" / "service" / "schnauz-turnier.service"
TASK = ROOT / "docs" / "service" / "schnauz-turnier.xml"
NAMES = {"": "http://schemas.microsoft.com/windows/2004/02/mit/task"}


def unit() -> ConfigParser:
    read = ConfigParser(interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(SERVICE.read_text(encoding="utf-8"))
    return read


def task(path: str) -> str:
    found = ElementTree.parse(TASK).getroot().findtext(path, namespaces=NAMES)
    assert found is not None, path
    return found


def test_systemd_starts_the_program_and_lets_its_database_end_by_itself() -> None:
    service = unit()["Service"]
    program, *words = service["ExecStart"].split()
    assert Path(program).name == "schnauz-turnier"
    given = _parser("schnauz-turnier").parse_args(words)
    assert (given.command, given.no_browser) == ("run", True)
    assert (service["KillSignal"], service["KillMode"]) == ("SIGINT", "process")
    assert unit()["Install"]["WantedBy"] == "multi-user.target"


def test_systemd_lets_it_write_where_its_data_are() -> None:
    service = unit()["Service"]
    variables = dict(one.split("=") for one in service["Environment"].split())
    assert service["ProtectSystem"] == "strict"
    assert variables["DATA_DIR"].startswith(f"/var/lib/{service['StateDirectory']}/")


def test_systemd_knows_every_line(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("needs systemd-analyze")
    program = tmp_path / "schnauz-turnier"
    program.touch(mode=0o755)
    text = SERVICE.read_text(encoding="utf-8").replace(
        "/opt/schnauz-turnier/bin/schnauz-turnier", str(program)
    )
    (tmp_path / SERVICE.name).write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [analyze, "verify", tmp_path / SERVICE.name], capture_output=True, text=True, check=False
    )
    assert [line for line in ran.stderr.splitlines() if SERVICE.name in line] == []


def test_windows_starts_the_program_at_the_log_in_and_never_ends_it() -> None:
    assert ElementTree.parse(TASK).getroot().tag == f"{{{NAMES['']}}}Task"
    assert task("Actions/Exec/Command") == "schnauz-turnier"
    given = _parser("schnauz-turnier").parse_args(task("Actions/Exec/Arguments").split())
    assert (given.command, given.no_browser) == ("run", True)
    assert task("Triggers/LogonTrigger/Enabled") == "true"
    assert task("Settings/ExecutionTimeLimit") == "PT0S"
    assert task("Settings/StopIfGoingOnBatteries") == "false"
