"""Differences between operating systems: POSIX (Linux, macOS) in one module, Windows in the other, with the same names."""

import sys

if sys.platform == "win32":
    from schnauz_turnier.systems import windows as system
else:
    from schnauz_turnier.systems import posix as system

__all__ = ["system"]
