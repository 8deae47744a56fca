"""Dumps that were changed on a stick."""

import json
import zipfile
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MANIFEST = "manifest.json"
NO_RIGHT = r"permission denied|must be (owner|superuser)"
"""Words of PostgreSQL, of all versions."""
BACKUP = Path(__file__).parents[1] / "upgrades" / "1.0.0" / "backup.zip"
"""A backup that has to be restored by every later program."""


@dataclass(slots=True)
class Dump:
    """A dump to be changed. rows: the text of each table, by its name. members: all other files."""

    manifest: dict[str, Any]
    rows: dict[str, bytes]
    members: dict[str, bytes]
    compression: int = zipfile.ZIP_DEFLATED

    @classmethod
    def read(cls, file: Path) -> "Dump":
        with zipfile.ZipFile(file) as archive:
            content = {name: archive.read(name) for name in archive.namelist()}
        manifest = json.loads(content.pop(MANIFEST))
        rows = {name.removeprefix("tables/").removesuffix(".copy"): text for name, text in content.items()}
        return cls(manifest, rows, {})

    def copy(self) -> "Dump":
        return deepcopy(self)

    def table(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = next(table for table in self.manifest["tables"] if table["name"] == name)
        return found

    def rename(self, table: str, name: str) -> None:
        self.table(table)["name"] = name
        self.rows[name] = self.rows.pop(table)

    def write(self, file: Path) -> Path:
        with zipfile.ZipFile(file, "w", self.compression, compresslevel=1) as archive:
            for name, text in self.rows.items():
                archive.writestr(f"tables/{name}.copy", text)
            for name, text in {MANIFEST: json.dumps(self.manifest).encode(), **self.members}.items():
                archive.writestr(name, text)
        return file
