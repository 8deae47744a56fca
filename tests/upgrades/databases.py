"""Databases and versions of the program for the tests of upgrades."""

import os
import shutil
import sys
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import psycopg
from psycopg import sql

from tests import forked
from tests.conftest import ROOT, static_files

PATIENCE = 120
_OURS = (
    "DATABASE_URL",
    "SECRET_KEY",
    "PUBLIC_URL",
    "DJANGO_SETTINGS_MODULE",
    "HOST",
    "PORT",
    "BACKUP_DIR",
    "CLUBS",
    "PYTHONPATH",
)


@dataclass(frozen=True, slots=True)
class Installation:
    """A database with a DATA_DIR. environment: of the program; that of `later_version` for a later one."""

    url: str
    data_dir: Path
    environment: dict[str, str] = field(default_factory=dict)

    def with_environment(self, **environment: str) -> "Installation":
        return Installation(self.url, self.data_dir, self.environment | environment)

    def variables(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if name not in _OURS}
        here = {"DATABASE_URL": self.url, "DATA_DIR": str(self.data_dir), "STATIC_ROOT": static_files()}
        return inherited | here | {"PUBLIC_URL": "http://localhost:8000"} | self.environment

    def start(self, *command: str) -> forked.Heard:
        return forked.start_and_listen([sys.executable, *command], cwd=ROOT, env=self.variables())

    def run(self, *command: str) -> tuple[int, str]:
        """Run a program to its end, and return its exit status and what it said."""
        with TemporaryFile("w+", encoding="utf-8") as said:
            process = forked.start([sys.executable, *command], cwd=ROOT, env=self.variables(), stdout=said)
            status = process.wait(PATIENCE)
            said.seek(0)
            return status, said.read()

    def manage(self, *command: str) -> tuple[int, str]:
        return self.run("manage.py", *command)

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as database:
            cursor = database.execute(query)
            found: list[tuple[Any, ...]] = cursor.fetchall() if cursor.description else []
            return found

    def content(self) -> dict[str, str]:
        """Return a digest of each table with its columns and rows, and one of functions, triggers and constraints."""
        with psycopg.connect(self.url) as database:
            tables = database.execute(
                "SELECT relname, (SELECT string_agg(format('%s %s', attname, atttypid::regtype), ',' ORDER BY attname) "
                "FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped) FROM pg_class "
                "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
            ).fetchall()
            content = {
                name: _digest(
                    columns,
                    database.execute(
                        sql.SQL("SELECT line::text FROM {} AS line ORDER BY 1").format(sql.Identifier(name))
                    ).fetchall(),
                )
                for name, columns in tables
            }
            content["schema"] = _digest(
                "",
                database.execute(
                    "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace "
                    "UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal "
                    "UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint "
                    "WHERE connamespace = 'public'::regnamespace UNION ALL SELECT indexdef FROM pg_indexes "
                    "WHERE schemaname = 'public' ORDER BY 1"
                ).fetchall(),
            )
        return content


def _digest(columns: str, rows: list[tuple[Any, ...]]) -> str:
    return sha256(repr((columns, rows)).encode()).hexdigest()


def later_version(folder: Path, *operations: str) -> dict[str, str]:
    """Make a later version with one more migration for each statement, and return its environment."""
    package = folder / "next_scoring_migrations"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(ROOT / "scoring/migrations", package, ignore=shutil.ignore_patterns("__pycache__"))
    before = max(file.stem for file in package.glob("[0-9]*.py"))
    for number, statement in enumerate(operations, start=9001):
        (package / f"{number}_planted.py").write_text(
            "from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n"
            f"    dependencies = [('scoring', {before!r})]\n"
            f"    operations = [migrations.RunSQL({statement!r})]\n"
        )
        before = f"{number}_planted"
    return {
        "DJANGO_SETTINGS_MODULE": "tests.upgrades.next_version",
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
