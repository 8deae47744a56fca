"""Reading of environment variables. Invalid values raise ImproperlyConfigured."""

import os
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured

FOUND: dict[str, str] = {}
"""Values that the start of the program found out for variables that nobody has set."""


def env(name: str) -> str | None:
    """Return a variable's value. Empty is the same as unset, so a compose file may pass on variables without a value."""
    return os.environ.get(name, "").strip() or None


def env_choice(name: str, choices: Sequence[str], default: str) -> str:
    value = env(name) or default
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r} is not known. Set it to one of: {', '.join(choices)}.")
    return value


def env_number(name: str, default: int, *, least: int) -> int:
    value = env(name) or str(default)
    if not (value.isascii() and value.isdigit() and int(value) >= least):
        raise ImproperlyConfigured(
            f"{name}={value!r} is not understood. Set it to a number, {least} or more."
        )
    return int(value)
