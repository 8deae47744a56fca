"""Releases, and the files that each has left behind: what its users may bring to the program of today."""

import re
from pathlib import Path

HERE = Path(__file__).parent
DATABASE = "database.sql.gz"
BACKUP = "backup.zip"
PHONE = "phone.json"
DOCUMENTS = tuple(
    f"documents/{name}.json"
    for name in ("fce", "knockout", "konradsreuth", "schafkopf", "schema-1", "schnauz-placing")
)
FILES = (DATABASE, BACKUP, PHONE, *DOCUMENTS)
CLUB = "documents/club.json"
"""Of releases after the first, which had none."""
_RELEASE = re.compile(r"^## \[?(\d+\.\d+\.\d+)\b", re.MULTILINE)


def kept_releases(folder: Path = HERE) -> list[str]:
    """Return the versions that have a folder, oldest first."""
    found = [one.name for one in folder.iterdir() if re.fullmatch(r"\d+\.\d+\.\d+", one.name)]
    return sorted(found, key=_parts)


def files_of(version: str) -> tuple[str, ...]:
    return (*FILES, CLUB) if _parts(version) > [1, 0, 0] else FILES


def _parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def missing_files(changelog: str, folder: Path = HERE) -> list[str]:
    """Return what is missing of the releases that the changelog names, and of those that have a folder."""
    versions = sorted({*_RELEASE.findall(changelog), *kept_releases(folder)})
    wanted = [f"{version}/{name}" for version in versions for name in files_of(version)]
    return [name for name in wanted if not (folder / name).is_file()]
