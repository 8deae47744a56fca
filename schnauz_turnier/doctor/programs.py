"""Output of the system's own programs, in which the doctor reads."""

import shutil
import subprocess

PATIENCE = 5.0  # seconds


def said(program: str, *arguments: str) -> str | None:
    """Return what a program prints; None if it is missing, fails, or hangs."""
    path = shutil.which(program)
    if path is None:
        return None
    try:
        ran = subprocess.run(
            [path, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return ran.stdout
