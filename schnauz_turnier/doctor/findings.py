"""Findings: one row each, and their text for a terminal."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from tournaments.core.printable import printable

WIDTH = 100
INDENT = " " * 9


class Health(StrEnum):
    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check. remedy: what to do, "" for nothing."""

    name: str
    health: Health
    sentence: str
    remedy: str = ""


def ok(name: str, sentence: str) -> Finding:
    return Finding(name, Health.OK, sentence)


def warning(name: str, sentence: str, remedy: str) -> Finding:
    return Finding(name, Health.WARNING, sentence, remedy)


def wrong(name: str, sentence: str, remedy: str) -> Finding:
    return Finding(name, Health.WRONG, sentence, remedy)


def as_text(findings: Sequence[Finding]) -> str:
    """Return all findings in their order, and a last line with the number of those not ok."""
    marks = {Health.OK: "ok", Health.WARNING: _("WARNUNG"), Health.WRONG: _("FEHLER")}
    lines: list[str] = []
    for finding in findings:
        lines += _wrapped(f"{marks[finding.health]:<8} {finding.name}: {finding.sentence}", "")
        lines += _wrapped(finding.remedy, INDENT)
    return "\n".join([*lines, "", summary(findings)])


def summary(findings: Sequence[Finding]) -> str:
    bad, doubtful = (
        sum(finding.health == health for finding in findings) for health in (Health.WRONG, Health.WARNING)
    )
    if bad or doubtful:
        return _("Fehler: %(bad)d, Warnungen: %(doubtful)d.") % {"bad": bad, "doubtful": doubtful}
    return _("Alles in Ordnung.")


def _wrapped(text: str, indent: str) -> list[str]:
    """Wrap lines, without breaking paths and commands."""
    return textwrap.wrap(
        printable(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
