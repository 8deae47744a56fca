"""Environment variables. Invalid values raise ImproperlyConfigured."""

import os
from collections.abc import Sequence
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

FOUND: dict[str, str] = {}
"""Values for unset variables, determined at the start of the program."""


def env(name: str) -> str | None:
    """Return a variable's value, None if it is unset or empty: a compose file may pass on variables without a value."""
    return os.environ.get(name, "").strip() or None


def env_path(name: str) -> Path | None:
    value = env(name)
    return Path(value).expanduser().absolute() if value else None


def env_port() -> int | None:
    """Return PORT, 8000 if it is unset, None if it is no port."""
    text = env("PORT") or "8000"
    number = int(text) if text.isascii() and text.isdigit() else 0
    return number if 0 < number < 65536 else None


def env_choice(name: str, choices: Sequence[str], default: str) -> str:
    value = env(name) or default
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r} is not known. Set it to one of: {', '.join(choices)}.")
    return value


def env_most(name: str) -> int | None:
    """Return a limit, None for none."""
    return env_number(name, 0, least=0) if env(name) else None


def env_number(name: str, default: int, *, least: int) -> int:
    value = env(name) or str(default)
    if not (value.isascii() and value.isdigit() and int(value) >= least):
        raise ImproperlyConfigured(
            f"{name}={value!r} is not understood. Set it to a number, {least} or more."
        )
    return int(value)
