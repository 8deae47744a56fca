"""The list of released migrations with their digests, `released_migrations.json`.

When a version is released, its migrations are added:

    python -m tests.upgrades.released_migrations

A line of the list is never changed: databases have run what it names.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("released_migrations.json")
APPS = ("scoring", "tournaments")
VERSION = "schnauz_turnier/__init__.py"


def released() -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(LIST.read_text(encoding="utf-8"))
    return found


def version_of(root: Path) -> str:
    """Return the version that the checkout in a folder has."""
    [version] = re.findall(
        r'^__version__ = "(.+)"$', (root / VERSION).read_text(encoding="utf-8"), re.MULTILINE
    )
    return str(version)


def migrations_in(root: Path) -> dict[tuple[str, str], str]:
    """Return app and name of each migration with the digest of its text. Line endings do not count."""
    return {
        (app, file.stem): hashlib.sha256(file.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
        for app in APPS
        for file in sorted((root / app / "migrations").glob("[0-9]*.py"))
    }


def contradictions(root: Path, listed: list[dict[str, str]]) -> Iterator[str]:
    """Yield what a released version does not allow: a migration that was changed, deleted, or slipped in."""
    found = migrations_in(root)
    for line in listed:
        node = (line["app"], line["name"])
        if node not in found:
            yield f"{'.'.join(node)} of {line['version']} is missing"
        elif found[node] != line["sha256"]:
            yield f"{'.'.join(node)} of {line['version']} was changed: write a new migration instead"
    names = {(line["app"], line["name"]) for line in listed}
    is_newer = _numbers(version_of(root)) > max(_numbers(line["version"]) for line in listed)
    for node in sorted(set(found) - names):
        if not is_newer:
            yield f"{'.'.join(node)} is not among those of {version_of(root)}, which is released"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("."))


def release(root: Path, listed: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the list with what is new in this version."""
    names = {(line["app"], line["name"]) for line in listed}
    new = [
        {"version": version_of(root), "app": app, "name": name, "sha256": digest}
        for (app, name), digest in migrations_in(root).items()
        if (app, name) not in names
    ]
    return [*listed, *new]


if __name__ == "__main__":
    LIST.write_text(json.dumps(release(ROOT, released()), indent=1) + "\n", encoding="utf-8")
