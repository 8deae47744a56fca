"""Catalogues of translations, compiled from locale/ in a checkout. A wheel has them compiled (schnauz_turnier/packaging/wheel.py)."""

from pathlib import Path
from tempfile import NamedTemporaryFile

import polib


def compile_catalogues(folder: Path) -> list[Path]:
    """Compile each catalogue that is newer than its compiled form, or has none. Return the paths of all compiled forms."""
    return [_compiled(written) for written in sorted(folder.glob("*/LC_MESSAGES/*.po"))]


def _compiled(written: Path) -> Path:
    compiled = written.with_suffix(".mo")
    if not compiled.exists() or compiled.stat().st_mtime_ns < written.stat().st_mtime_ns:
        content = polib.pofile(str(written)).to_binary()
        with NamedTemporaryFile(dir=compiled.parent, delete=False) as draft:
            draft.write(content)
        Path(draft.name).chmod(0o644)
        Path(draft.name).replace(compiled)  # processes that start at the same time read a whole file
    return compiled
