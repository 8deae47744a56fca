"""Atomic replacement of files. Needs no settings."""

import os
import tempfile
from pathlib import Path

from schnauz_turnier.systems import system


def replace_file(file: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Replace a file as a whole: other processes read either the old or the new content."""
    descriptor, draft = tempfile.mkstemp(dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
        Path(draft).chmod(mode)
        system.patiently(lambda: Path(draft).replace(file))
    finally:
        Path(draft).unlink(missing_ok=True)
