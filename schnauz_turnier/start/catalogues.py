"""Catalogues of translations, compiled from locale/ in a checkout. A wheel has them compiled (schnauz_turnier/packaging/wheel.py)."""

from pathlib import Path

import polib

from schnauz_turnier.files import replace_file


def compile_catalogues(folder: Path) -> list[Path]:
    """Compile new and changed catalogues. Return the paths of all compiled ones."""
    return [_compiled(written) for written in sorted(folder.glob("*/LC_MESSAGES/*.po"))]


def _compiled(written: Path) -> Path:
    compiled = written.with_suffix(".mo")
    if not compiled.exists() or compiled.stat().st_mtime_ns < written.stat().st_mtime_ns:
        content = polib.pofile(str(written)).to_binary()
        replace_file(compiled, content, mode=0o644)
    return compiled
