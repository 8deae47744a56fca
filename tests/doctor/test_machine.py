"""Checks of machine, sleep mode and battery, from facts to findings."""

import dataclasses
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from schnauz_turnier.doctor import machine, power
from schnauz_turnier.doctor.findings import Finding, Health, as_text, ok, summary, warning, wrong
from schnauz_turnier.doctor.machine import ClockFacts, FolderFacts, PackageFacts, PythonFacts, ZoneFacts
from schnauz_turnier.doctor.observed_machine import locked, packages
from schnauz_turnier.doctor.power import BatteryFacts, SleepFacts

OK, WARNING, WRONG = Health.OK, Health.WARNING, Health.WRONG
ROOT = Path(__file__).parents[2]
DATA = Path("daten")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def said(finding: Finding) -> tuple[Health, str]:
    """Return state and sentence, and make sure that whatever is not ok says what to do."""
    assert (finding.health == OK) is (finding.remedy == "")
    return finding.health, finding.sentence


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        (PythonFacts((3, 11, 0), 64), (OK, "Version 3.11.0.")),
        (PythonFacts((3, 14, 2), 64), (OK, "Version 3.14.2.")),
        (PythonFacts((3, 10, 9), 64), (WRONG, "Version 3.10.9 ist zu alt.")),
        (PythonFacts((3, 13, 1), 32), (WRONG, "Dieses Python hat 32 Bit, dafür gibt es keine Datenbank.")),
        (
            PythonFacts((3, 15, 0), 64),
            (WARNING, "Mit Version 3.15.0 hat das Programm noch niemand ausprobiert."),
        ),
    ],
)
def test_python(facts: PythonFacts, result: tuple[Health, str]) -> None:
    assert said(machine.check_python(facts)) == result


def test_packages() -> None:
    django = PackageFacts("django", ("5.2.8",), "5.2.8")
    older = dataclasses.replace(django, found="5.2.7")
    missing = dataclasses.replace(django, found="")
    free = PackageFacts("pillow", (), "11.0")
    assert said(machine.check_packages([django, free])) == (OK, "Alle 2 sind da.")
    assert said(machine.check_packages([older, free])) == (
        WARNING,
        "In einer anderen Version als geprüft: django 5.2.7.",
    )
    assert said(machine.check_packages([older, missing])) == (WRONG, "Es fehlen: django.")


def test_a_lock_is_read_with_the_packages_that_only_other_machines_need() -> None:
    lock = (
        "# made\ndjango==5.2.8 \\\n    --hash=sha256:00\nnot-here==1 ; sys_platform == 'win32' \\\n"
        "    --hash=sha256:00\nnot-there==2 \\\n    --hash=sha256:00\n"
    )
    assert locked(lock) == {"django": ("5.2.8",), "not-there": ("2",)}


def test_the_packages_of_this_program_are_there_by_the_lock_and_by_its_own_requirements(
    tmp_path: Path,
) -> None:
    by_lock = packages(ROOT / "requirements.lock")
    assert len(by_lock) > 30
    assert said(machine.check_packages(by_lock))[0] == OK
    assert said(machine.check_packages(packages(tmp_path / "no.lock")))[0] == OK


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        (FolderFacts(DATA, exists=True, failure="", free=9**12), (OK, "daten")),
        (
            FolderFacts(DATA, exists=False, failure="", free=9**12),
            (OK, "daten wird beim ersten Start angelegt."),
        ),
        (
            FolderFacts(DATA, exists=True, failure="Read-only file system", free=9**12),
            (WRONG, "In daten kann nicht geschrieben werden: Read-only file system."),
        ),
    ],
)
def test_data_folder(facts: FolderFacts, result: tuple[Health, str]) -> None:
    assert said(machine.check_data_folder(facts)) == result


@pytest.mark.parametrize(
    ("free", "result"),
    [
        (1_000_000_000, (OK, "1000 MB frei.")),
        (999_999_999, (WARNING, "Noch 999 MB frei, wo daten liegt.")),
        (200_000_000, (WARNING, "Noch 200 MB frei, wo daten liegt.")),
        (199_999_999, (WRONG, "Nur noch 199 MB frei, wo daten liegt.")),
        (None, (WARNING, "Wie viel Platz frei ist, war nicht zu erfahren.")),
    ],
)
def test_room_on_the_disk(free: int | None, result: tuple[Health, str]) -> None:
    assert said(machine.check_room(FolderFacts(DATA, exists=True, failure="", free=free))) == result


@pytest.mark.parametrize(
    ("newest", "database", "result"),
    [
        (None, None, (OK, "21.11.2026, 12:00")),
        (timedelta(minutes=2), None, (OK, "21.11.2026, 12:00")),
        (
            timedelta(days=40),
            None,
            (WRONG, "Der Laptop zeigt 21.11.2026, 12:00, aber ein Blatt ist schon vom 31.12.2026, 12:00."),
        ),
        (timedelta(days=-1), timedelta(seconds=-100), (OK, "21.11.2026, 12:00")),
        (
            None,
            timedelta(minutes=-5),
            (WARNING, "Der Laptop zeigt 21.11.2026, 12:00, der Rechner der Datenbank 21.11.2026, 11:55."),
        ),
    ],
)
def test_clock(newest: timedelta | None, database: timedelta | None, result: tuple[Health, str]) -> None:
    facts = ClockFacts(
        NOON,
        None if newest is None else NOON + newest,
        "ein Blatt",
        None if database is None else NOON + database,
    )
    assert said(machine.check_clock(facts)) == result


def test_time_zone() -> None:
    hour = timedelta(hours=1)
    assert said(machine.check_zone(ZoneFacts("Europe/Berlin", hour, hour))) == (OK, "Europe/Berlin")
    assert said(machine.check_zone(ZoneFacts("Europe/Berlin", 2 * hour, hour)))[0] == WARNING
    assert said(machine.check_zone(ZoneFacts("Europe/Berlin", hour, None))) == (
        WRONG,
        "Python kennt die Zeitzone Europe/Berlin nicht.",
    )


# --- sleep mode and battery ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        (SleepFacts("Linux", 0), (OK, "Der Laptop schläft nicht von selbst ein.")),
        (SleepFacts("Linux", None), (WARNING, "Ob der Laptop einschläft, war nicht zu erfahren.")),
        (
            SleepFacts("Windows", 30),
            (WARNING, "Der Laptop schläft nach 30 Minuten ohne Taste ein, dann erreicht ihn kein Handy."),
        ),
        (SleepFacts("Linux", 0, lid=True), (WARNING, "Der Laptop schläft ein, wenn man ihn zuklappt.")),
    ],
)
def test_sleep_mode(facts: SleepFacts, result: tuple[Health, str]) -> None:
    assert said(power.check_sleep(facts)) == result


@pytest.mark.parametrize(
    ("system", "command"), [("Windows", "powercfg"), ("Darwin", "pmset"), ("Linux", "systemctl")]
)
def test_each_system_is_told_its_own_command(system: str, command: str) -> None:
    assert command in power.check_sleep(SleepFacts(system, 10)).remedy


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        (BatteryFacts(), (OK, "Am Netz.")),
        (BatteryFacts(plugged=True, percent=100), (OK, "Am Netz.")),
        (BatteryFacts(plugged=True, percent=12), (OK, "Am Netz, Akku 12 %.")),
        (BatteryFacts(plugged=False, percent=80), (WARNING, "Der Laptop läuft auf Akku (80 %).")),
        (BatteryFacts(plugged=False), (WARNING, "Der Laptop läuft auf Akku (? %).")),
    ],
)
def test_battery(facts: BatteryFacts, result: tuple[Health, str]) -> None:
    assert said(power.check_battery(facts)) == result


GERMAN_WINDOWS = """
GUID des Energieschemas: 381b4222-f694-41f0-9685-ff5bb260df2e  (Ausbalanciert)
  GUID der Untergruppe: 238c9fa8-0aad-41ed-83f4-97be242c8f20  (Deaktivierung)
    GUID der Energieeinstellung: 29f6c1db-86da-48c5-9fdb-f2b67b1f44da  (Standbymodus nach)
      Minimal mögliche Einstellung: 0x00000000
      Maximal mögliche Einstellung: 0xffffffff
      Inkrement für mögliche Einstellungen: 0x00000001
      Einheit für mögliche Einstellungen: Sekunden
    Index der aktuellen Wechselstromeinstellung: {socket}
    Index der aktuellen Gleichstromeinstellung: {battery}
"""


@pytest.mark.parametrize(
    ("socket", "battery", "minutes"),
    [
        ("0x00000708", "0x00000384", 15),
        ("0x00000708", "0x00000000", 30),
        ("0x00000000", "0x00000000", 0),
    ],
)
def test_the_answer_of_windows(socket: str, battery: str, minutes: int) -> None:
    assert power.read_powercfg(GERMAN_WINDOWS.format(socket=socket, battery=battery)) == minutes
    assert power.read_powercfg("") is None


def test_the_answer_of_macos() -> None:
    asked = " standby              1\n sleep                {} (sleep prevented by caffeinate)\n displaysleep         10\n"
    assert [power.read_pmset(asked.format(minutes)) for minutes in (0, 10)] == [0, 10]
    assert power.read_pmset("") is None


def test_the_answers_of_gnome_and_of_systemd() -> None:
    assert power.read_gsettings(("'suspend'\n", "uint32 1800\n"), ("'suspend'\n", "900\n")) == 15
    assert power.read_gsettings(("'nothing'\n", "3600\n"), ("'nothing'\n", "900\n")) == 0
    assert power.read_gsettings(("", ""), ("", "")) is None
    assert power.read_logind("#IdleAction=suspend\n") == (None, True)
    assert power.read_logind("[Login]\nIdleAction=suspend\nHandleLidSwitch=ignore\n") == (30, False)


# --- the text --------------------------------------------------------------------------------------------------------


def test_the_text_shows_what_to_do_below_what_is_wrong() -> None:
    findings = [
        ok("Uhr", "12:00"),
        warning("Strom", "Akku.", "Anstecken."),
        wrong("Port", "Belegt.", "Anderen."),
    ]
    assert as_text(findings).splitlines() == [
        "ok       Uhr: 12:00",
        "WARNUNG  Strom: Akku.",
        "         Anstecken.",
        "FEHLER   Port: Belegt.",
        "         Anderen.",
        "",
        "Fehler: 1, Warnungen: 1.",
    ]
    assert summary([ok("Uhr", "12:00")]) == "Alles in Ordnung."
