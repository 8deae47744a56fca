"""Tests of the settings from the environment and their errors. Each case runs the module of the settings anew."""

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).parents[2]
OURS = (
    "DATABASE_URL",
    "LISTEN_URL",
    "READ_URL",
    "CLUB_SERVERS",
    "CITUS",
    "DATA_DIR",
    "PUBLIC_URL",
    "SECRET_KEY",
    "TRUSTED_PROXIES",
    "DEFAULT_LANGUAGE",
    "DEBUG",
    "LOG_LEVEL",
    "EMAIL_URL",
    "CLUB_MOST_TOURNAMENTS",
    "CLUB_MOST_PEOPLE",
    "CLUB_MOST_MEGABYTES",
    "TEXTS_DIR",
    "METRICS_TOKEN",
    "PAGE_MEMORY_MB",
    "PROCESSES",
    "LOG_FORMAT",
    "BACKUP_DIR",
)
PRODUCTION = {"PUBLIC_URL": "https://turnier.example.org", "SECRET_KEY": "0123456789abcdef" * 4}

SHOW_KEY = "from schnauz_turnier import settings; print(settings.SECRET_KEY)"
MANAGE = "import runpy, sys; sys.argv[1:] = {}; runpy.run_path('manage.py', run_name='__main__')"


def run(code: str, tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    of_the_tests = (*OURS, "DJANGO_SETTINGS_MODULE", "DJANGO_ALLOW_ASYNC_UNSAFE")
    inherited = {name: value for name, value in os.environ.items() if name not in of_the_tests}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=inherited | {"DATA_DIR": str(tmp_path)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def settings_with(tmp_path: Path, **environment: str) -> dict[str, Any]:
    """Return the settings that a process with this environment has."""
    with pytest.MonkeyPatch.context() as patched:
        for name in OURS:
            patched.delenv(name, raising=False)
        for name, value in ({"DATA_DIR": str(tmp_path)} | environment).items():
            patched.setenv(name, value)
        made = runpy.run_path(str(ROOT / "schnauz_turnier" / "settings.py"))
    return {name: value for name, value in made.items() if name.isupper()}


def test_production_is_strict(tmp_path: Path) -> None:
    settings = settings_with(tmp_path, **PRODUCTION)
    assert settings["DEBUG"] is False
    assert settings["ALLOWED_HOSTS"] == ["turnier.example.org", "localhost", "127.0.0.1", "[::1]"]
    assert settings["CSRF_TRUSTED_ORIGINS"] == ["https://turnier.example.org"]
    for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS"):
        assert settings[name], name


def test_nothing_said_is_as_strict_as_production(tmp_path: Path) -> None:
    settings = settings_with(tmp_path)
    assert settings["DEBUG"] is False
    assert settings["SESSION_COOKIE_SECURE"] is True


@pytest.mark.parametrize("environment", [{}, PRODUCTION])
def test_djangos_own_check_of_a_deployment_has_nothing_to_say_and_starts_no_database(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    checked = run(MANAGE.format(["check", "--deploy", "--fail-level", "WARNING"]), tmp_path, **environment)
    assert checked.returncode == 0, checked.stderr
    assert not (tmp_path / "cluster").exists()


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000",
        "http://localhost",
        "http://192.168.178.20:8000",
        "http://laptop.local",
        "http://[::1]:1",
    ],
)
def test_plain_http_works_on_this_computer_and_in_the_hall(tmp_path: Path, url: str) -> None:
    settings = settings_with(tmp_path, PUBLIC_URL=url)
    assert settings["PUBLIC_URL"] == url
    assert settings["SESSION_COOKIE_SECURE"] is False
    assert settings["SECURE_SSL_REDIRECT"] is False


def test_the_key_made_on_the_spot_is_kept_and_is_nobody_elses(tmp_path: Path) -> None:
    of_a_process = run(SHOW_KEY, tmp_path, PUBLIC_URL="http://localhost:8000").stdout.strip()
    assert settings_with(tmp_path, PUBLIC_URL="http://localhost:8000")["SECRET_KEY"] == of_a_process
    assert len(of_a_process) >= 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_commands_agree_with_what_the_running_server_wrote_down(tmp_path: Path) -> None:
    (tmp_path / "public_url").write_text("http://192.168.178.20:8123")
    assert settings_with(tmp_path)["PUBLIC_URL"] == "http://192.168.178.20:8123"


REFUSED = {
    "no_key": ({"PUBLIC_URL": "https://turnier.example.org"}, "SECRET_KEY is not set"),
    "short_key": ({**PRODUCTION, "SECRET_KEY": "geheim"}, "SECRET_KEY is too short"),
    "http_outside": (
        {**PRODUCTION, "PUBLIC_URL": "http://turnier.example.org"},
        "plain http is for this computer",
    ),
    "http_public_address": (
        {**PRODUCTION, "PUBLIC_URL": "http://8.8.8.8"},
        "plain http is for this computer",
    ),
    "no_scheme": ({"PUBLIC_URL": "turnier.example.org"}, "is not understood"),
    "a_path": ({"PUBLIC_URL": "https://example.org/turnier"}, "is not understood"),
    "a_port_that_is_none": ({"PUBLIC_URL": "http://localhost:99999"}, "is not understood"),
    "debug": ({"DEBUG": "yes"}, "Set it to one of: 0, 1."),
    "language": ({"DEFAULT_LANGUAGE": "fr"}, "Set it to one of: de, en."),
    "log_level": ({"LOG_LEVEL": "loud"}, "Set it to one of: DEBUG, INFO, WARNING, ERROR."),
    "database": ({"DATABASE_URL": "mysql://root@localhost/db"}, "must name a PostgreSQL database"),
    "no_database": ({"DATABASE_URL": "postgres://localhost"}, "must name a PostgreSQL database"),
    "listening_alone": ({"LISTEN_URL": "postgres://localhost/db"}, "Set both, or neither"),
    "listening_to_nothing": (
        {"LISTEN_URL": "postgres://localhost"},
        "LISTEN_URL must name a PostgreSQL database",
    ),
    "readers_on_a_standby": (
        {"DATABASE_URL": "postgres://one/db", "READ_URL": "postgres://two/db"},
        "Remove READ_URL",
    ),
    "clubs_on_other_servers": (
        {"DATABASE_URL": "postgres://one/db", "CLUBS": "paths", "CLUB_SERVERS": "north=postgres://two/db"},
        "remove CLUB_SERVERS",
    ),
    "citus_of_one_club": ({"DATABASE_URL": "postgres://one/db", "CITUS": "1"}, "Set CLUBS to hosts or paths"),
    "no_number": ({"PAGE_MEMORY_MB": "viel"}, "PAGE_MEMORY_MB='viel' is not understood"),
    "no_room": ({"PAGE_MEMORY_MB": "0"}, "Set it to a number, 1 or more"),
    "hosts_without_a_name": (
        {"DATABASE_URL": "postgres://one,two"},
        "DATABASE_URL must name a PostgreSQL database",
    ),
    "hosts_and_too_many_ports": (
        {"DATABASE_URL": "postgres://one:1,two:zwei/db?unknown=1"},
        "DATABASE_URL is not understood",
    ),
    "no_url": ({"DATABASE_URL": "localhost"}, "DATABASE_URL is not understood"),
    "proxies_everybody": ({"TRUSTED_PROXIES": "*"}, "Name the proxies"),
    "metrics_token": ({"METRICS_TOKEN": "short"}, "METRICS_TOKEN is too short"),
    "quota": ({"CLUB_MOST_PEOPLE": "viele"}, "CLUB_MOST_PEOPLE='viele' is not understood"),
    "mail_server": ({"EMAIL_URL": "mail.example.org"}, "EMAIL_URL is not understood"),
    "mail_port": (
        {"EMAIL_URL": "smtp://mail.example.org:viel?from=a@example.org"},
        "EMAIL_URL is not understood",
    ),
    "mail_sender": ({"EMAIL_URL": "smtp://mail.example.org"}, "EMAIL_URL must name the sender"),
    "proxies_by_name": ({"TRUSTED_PROXIES": "127.0.0.1, proxy"}, "TRUSTED_PROXIES='proxy' is no address"),
    "data_dir": ({"DATA_DIR": "/dev/null/data"}, "Set DATA_DIR to a folder of yours"),
}


def test_mail_is_encrypted_except_in_the_own_network(tmp_path: Path) -> None:
    assert not settings_with(tmp_path)["HAS_MAIL"]
    for url, port, is_ssl, is_tls in (
        ("smtp://club:p%40ss@mail.example.org", 587, False, True),
        ("smtps://club:p%40ss@mail.example.org", 465, True, False),
        ("smtp://club:p%40ss@mail:25", 25, False, False),
    ):
        found = settings_with(tmp_path, EMAIL_URL=f"{url}?from=turnier@example.org")
        assert found["HAS_MAIL"]
        assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("club", "p@ss")
        assert (found["EMAIL_PORT"], found["EMAIL_USE_SSL"], found["EMAIL_USE_TLS"]) == (port, is_ssl, is_tls)
        assert found["DEFAULT_FROM_EMAIL"] == "turnier@example.org"


@pytest.mark.parametrize(("environment", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_nonsense_is_refused_with_what_to_do(
    tmp_path: Path, environment: dict[str, str], message: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        settings_with(tmp_path, **environment)
    assert message in str(refused.value).splitlines()[-1]


def test_a_process_that_is_refused_its_settings_ends_with_the_sentence(tmp_path: Path) -> None:
    environment, message = REFUSED["no_key"]
    refused = run(SHOW_KEY, tmp_path, **environment)
    assert refused.returncode == 1
    assert message in refused.stderr.splitlines()[-1]


def test_several_hosts_of_a_database_are_read_as_libpq_does(tmp_path: Path) -> None:
    url = "postgres://schnauz:p%40ss@one:5433,two:5434/db?target_session_attrs=read-write&connect_timeout=3"
    shown = settings_with(tmp_path, DATABASE_URL=url, LISTEN_URL=url)
    assert shown["LISTEN_URL"] == url
    database = shown["DATABASES"]["default"]
    names = ("USER", "PASSWORD", "HOST", "PORT", "NAME")
    assert [database[name] for name in names] == ["schnauz", "p@ss", "one,two", "5433,5434", "db"]
    assert database["OPTIONS"]["target_session_attrs"] == "read-write"
    assert database["OPTIONS"]["connect_timeout"] == "3"
    assert database["OPTIONS"]["tcp_user_timeout"] == 11_000


def test_a_refused_database_url_does_not_show_its_password(tmp_path: Path) -> None:
    shown = run(SHOW_KEY, tmp_path, DATABASE_URL="postgres://schnauz:s3cret@[broken/db")
    assert "DATABASE_URL is not understood" in shown.stderr
    assert "s3cret" not in shown.stderr


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({}, "{data}/backups"),
        ({"BACKUP_DIR": "/media/stick"}, "/media/stick"),
        ({"DATABASE_URL": "postgres://club@db/schnauz"}, None),
    ],
)
def test_without_a_stick_the_backups_lie_beside_the_embedded_database(
    tmp_path: Path, environment: dict[str, str], folder: str | None
) -> None:
    named = Path(folder.format(data=tmp_path)) if folder else None
    assert settings_with(tmp_path, **environment)["BACKUP_DIR"] == named
