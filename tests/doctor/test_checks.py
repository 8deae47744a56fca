"""Checks of what a test cannot bring about: other machines, other versions, other networks."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest
from django.apps import apps
from django.db.migrations.loader import MigrationLoader

from schnauz_turnier import __version__
from schnauz_turnier.doctor import machine, network, storage
from schnauz_turnier.doctor.findings import Finding, Health, as_text, ok, summary, warning, wrong
from schnauz_turnier.doctor.network import Place

OK, WARNING, WRONG = Health.OK, Health.WARNING, Health.WRONG
ROOT = Path(__file__).parents[2]
NOON = datetime(2026, 11, 21, 11, tzinfo=UTC)
"""Noon in Germany."""


def said(finding: Finding) -> tuple[Health, str]:
    """Return state and sentence, and make sure that whatever is not ok says what to do."""
    assert (finding.health == OK) is (finding.remedy == "")
    return finding.health, finding.sentence


# --- packages --------------------------------------------------------------------------------------------------------


def test_packages_are_compared_with_the_lock_without_those_that_only_other_machines_need(
    tmp_path: Path,
) -> None:
    lock = tmp_path / "requirements.lock"

    def check(*lines: str) -> tuple[Health, str]:
        lock.write_text("".join(f"{line} \\\n    --hash=sha256:00\n" for line in lines))
        return said(machine.check_packages(lock))

    django = f"django=={machine.installed_version('django')}"
    assert check(django, "not-here==1 ; sys_platform == 'win32'")[0] == OK
    assert check("django==0.9", "django==0.8")[0] == WARNING
    assert check("django==0.9", "not-here==1") == (WRONG, "Es fehlen Pakete: not-here.")


def test_the_packages_of_this_program_are_there_by_its_lock_and_without_one(tmp_path: Path) -> None:
    assert len(machine.locked_packages(ROOT / "requirements.lock")) > 30
    assert said(machine.check_packages(ROOT / "requirements.lock"))[0] == OK
    assert said(machine.check_packages(tmp_path / "no.lock"))[1].startswith(
        f"Version {__version__} mit Python 3."
    )


# --- disk, clock, power ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("free", "result"),
    [
        (1_000_000_000, (OK, "1000 MB frei.")),
        (999_999_999, (WARNING, "Noch 999 MB frei, wo {} liegt.")),
        (200_000_000, (WARNING, "Noch 200 MB frei, wo {} liegt.")),
        (199_999_999, (WRONG, "Nur noch 199 MB frei, wo {} liegt.")),
        (None, (WARNING, "Wie viel Platz frei ist, war nicht zu erfahren.")),
    ],
)
def test_room_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int | None, result: tuple[Health, str]
) -> None:
    class Usage(NamedTuple):
        free: int

    def disk_usage(_path: Path) -> Usage:
        if free is None:
            raise OSError
        return Usage(free)

    monkeypatch.setattr("shutil.disk_usage", disk_usage)
    health, sentence = result
    assert said(machine.check_room(tmp_path)) == (health, sentence.format(tmp_path))


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
    written = {"ein Blatt": NOON + newest, "altes": NOON - timedelta(days=9)} if newest else {}
    assert said(machine.check_clock(NOON, written, NOON + database if database else None)) == result


def test_sleep_mode() -> None:
    assert said(machine.check_sleep(can_be_kept_awake=True))[0] == OK
    assert said(machine.check_sleep(can_be_kept_awake=False))[0] == WARNING


class Battery(NamedTuple):
    percent: float
    power_plugged: bool | None


@pytest.mark.parametrize(
    ("battery", "result"),
    [
        (None, (OK, "Am Netz.")),
        (Battery(12, power_plugged=True), (OK, "Am Netz.")),
        (Battery(80, power_plugged=None), (OK, "Am Netz.")),
        (Battery(79.6, power_plugged=False), (WARNING, "Der Laptop läuft auf Akku (80 %).")),
    ],
)
def test_battery(
    monkeypatch: pytest.MonkeyPatch, battery: Battery | None, result: tuple[Health, str]
) -> None:
    monkeypatch.setattr(psutil, "sensors_battery", lambda: battery)
    assert said(machine.check_battery()) == result


# --- network ---------------------------------------------------------------------------------------------------------

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
ONE, TWO = "192.168.178.20", "10.0.0.7"
TAKEN = "Address already in use"


@pytest.mark.parametrize(
    ("failure", "running", "holder", "result"),
    [
        ("", "", "", (OK, "8000 ist frei.")),
        (TAKEN, "", "", (WRONG, "127.0.0.1:8000 ist nicht zu haben: Address already in use.")),
        (TAKEN, "", "nginx (PID 7)", (WRONG, "8000 ist belegt, von nginx (PID 7).")),
        (TAKEN, __version__, "", (OK, "Das Programm läuft, auf Port 8000.")),
        (
            TAKEN,
            "0.0.9",
            "",
            (WARNING, f"Auf Port 8000 läuft Version 0.0.9 des Programms, dies hier ist {__version__}."),
        ),
    ],
)
def test_port(failure: str, running: str, holder: str, result: tuple[Health, str]) -> None:
    assert said(network.check_port(Place(HERE, 8000), failure, running, holder)) == result


@pytest.mark.parametrize(("port", "other"), [(80, 8000), (8000, 8001), (65535, 8000)])
def test_another_port_than_the_taken_one_is_named(port: int, other: int) -> None:
    assert f"PORT={other} " in network.check_port(Place(HERE, port), TAKEN, "", "").remedy


@pytest.mark.parametrize(
    ("place", "lan", "addresses", "result"),
    [
        (Place(EVERYWHERE, 8000), ONE, (ONE,), (OK, f"http://{ONE}:8000/ ")),
        (Place(HERE, 8000), ONE, (ONE,), (WARNING, "So erreicht nur dieser Laptop")),
        (Place(EVERYWHERE, 8000), None, (), (WRONG, "Der Laptop ist in keinem Netz")),
        (
            Place(EVERYWHERE, 8000),
            TWO,
            (ONE, TWO),
            (WARNING, f"Der Laptop ist in mehreren Netzen: {ONE}, {TWO}. Die Codes führen zu {TWO}."),
        ),
        (Place(EVERYWHERE, 80, ONE), TWO, (ONE, TWO), (OK, f"http://{ONE}/ ")),
        (Place(EVERYWHERE, 80, "laptop.local"), TWO, (ONE, TWO), (OK, "http://laptop.local/ ")),
        (
            Place(EVERYWHERE, 8000, ONE),
            TWO,
            (TWO,),
            (WRONG, f"Die Codes führen zu {ONE}, der Laptop hat aber {TWO}."),
        ),
    ],
)
def test_address(
    place: Place, lan: str | None, addresses: tuple[str, ...], result: tuple[Health, str]
) -> None:
    health, sentence = said(network.check_address(place, lan, addresses, is_silent=False))
    assert (health, sentence[: len(result[1])]) == result


def test_a_program_that_does_not_answer_at_the_address_of_the_codes() -> None:
    finding = network.check_address(Place(EVERYWHERE, 8000), ONE, (ONE,), is_silent=True)
    assert said(finding) == (WRONG, f"Unter http://{ONE}:8000/ antwortet das Programm nicht.")


# --- what is stored --------------------------------------------------------------------------------------------------


def test_a_postgresql_that_is_too_old() -> None:
    assert said(storage.check_server(15)) == (OK, "PostgreSQL 15 antwortet.")
    assert said(storage.check_server(14)) == (WRONG, "PostgreSQL 14 ist zu alt.")


def test_migrations_are_compared_with_those_of_this_program() -> None:
    ours = set(MigrationLoader(None).disk_migrations)
    latest = max(key for key in ours if key[0] == "scoring")
    assert said(storage.check_migrations(ours)) == (OK, "Passt zum Programm.")
    assert said(storage.check_migrations(set())) == (OK, "Noch leer.")
    assert said(storage.check_migrations(ours - {latest}))[0] == WARNING
    health, sentence = said(storage.check_migrations(ours | {("scoring", "0999_later")}))
    assert (health, "scoring.0999_later" in sentence) == (WRONG, True)
    assert (
        said(storage.check_migrations({("scoring", "0007_open_sheet")}))[0] == WRONG
    )  # of the time before 1.0


def test_backups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(changed_at: datetime | None = None) -> tuple[Health, str]:
        return said(storage.check_backups(tmp_path, tmp_path, changed_at))

    assert said(storage.check_backups(None, tmp_path, None)) == (WARNING, "Es werden keine gemacht.")
    assert check() == (WARNING, f"In {tmp_path} ist noch keine.")
    for name in (
        "schnauz-turnier-000002-20261121T110000Z.zip",
        "schnauz-turnier-000001-20261121T100000Z.zip",
        "abend-000003-20261121T130000Z.json",
        "letter.txt",
    ):
        (tmp_path / name).touch()
    latest = "Die letzte ist vom 21.11.2026, 12:00"
    assert check(NOON + timedelta(minutes=4)) == (WARNING, f"{latest}, seitdem hat sich etwas geändert.")
    assert check(NOON + timedelta(minutes=3)) == (
        WARNING,
        f"{latest}, aber auf derselben Platte wie die Daten.",
    )
    monkeypatch.setattr(storage, "_is_on_one_disk", lambda *_folders: False)
    assert check(NOON + timedelta(minutes=3)) == (OK, f"{latest}.")


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


def test_the_newest_entry_is_looked_for_in_tables_that_exist() -> None:
    columns = {
        (model._meta.db_table, field.column)
        for model in apps.get_models()
        for field in model._meta.local_concrete_fields
    }
    assert storage.MOMENTS.items() - columns == {("django_migrations", "applied")}
