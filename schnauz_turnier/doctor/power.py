"""Checks of what may switch the laptop off in mid-evening: its sleep mode, its lid, its battery."""

import re
from dataclasses import dataclass

from django.utils.translation import gettext as _

from schnauz_turnier.doctor.findings import Finding, ok, warning

PLENTY = 50  # percent


@dataclass(frozen=True, slots=True)
class SleepFacts:
    """The sleep mode. after: minutes without a key until it sleeps, 0 for never, None if unknown. lid: it sleeps when closed."""

    system: str
    after: int | None
    lid: bool = False


@dataclass(frozen=True, slots=True)
class BatteryFacts:
    """The battery. plugged: whether power comes from the socket. Both None without a battery."""

    plugged: bool | None = None
    percent: int | None = None


def check_sleep(facts: SleepFacts) -> Finding:
    name, remedy = _("Ruhezustand"), _remedy(facts.system)
    if facts.after is None:
        return warning(name, _("Ob der Laptop einschläft, war nicht zu erfahren."), remedy)
    if facts.after:
        return warning(
            name,
            _("Der Laptop schläft nach %(minutes)d Minuten ohne Taste ein, dann erreicht ihn kein Handy.")
            % {"minutes": facts.after},
            remedy,
        )
    if facts.lid:
        return warning(name, _("Der Laptop schläft ein, wenn man ihn zuklappt."), _("Offen lassen."))
    return ok(name, _("Der Laptop schläft nicht von selbst ein."))


def _remedy(system: str) -> str:
    if system == "Windows":
        return _("Für den Abend abstellen: powercfg /change standby-timeout-ac 0")
    if system == "Darwin":
        return _("Für den Abend abstellen: sudo pmset -a sleep 0")
    return _(
        "Für den Abend abstellen: Einstellungen, Energie, oder: sudo systemctl mask sleep.target suspend.target"
    )


def check_battery(facts: BatteryFacts) -> Finding:
    name = _("Strom")
    if facts.plugged is False:
        percent = "?" if facts.percent is None else facts.percent
        return warning(
            name,
            _("Der Laptop läuft auf Akku (%(percent)s %%).") % {"percent": percent},
            _("Netzteil anstecken."),
        )
    if facts.plugged and facts.percent is not None and facts.percent < PLENTY:
        return ok(name, _("Am Netz, Akku %(percent)d %%.") % {"percent": facts.percent})
    return ok(name, _("Am Netz."))


# --- texts of the systems' own programs ------------------------------------------------------------------------------


def read_powercfg(query: str) -> int | None:
    """Read `powercfg /query SCHEME_CURRENT SUB_SLEEP STANDBYIDLE`; return minutes, by battery if those are fewer.

    The words are in the language of Windows. The last two numbers are the settings for socket and battery, in seconds.
    """
    seconds = [int(number, 16) for number in re.findall(r":\s*(0x[0-9a-fA-F]+)\s*$", query, re.MULTILINE)][
        -2:
    ]
    return _shortest(seconds)


def read_pmset(settings: str) -> int | None:
    """Read `pmset -g`; return minutes."""
    found = re.search(r"^\s*sleep\s+(\d+)", settings, re.MULTILINE)
    return int(found[1]) if found else None


def read_gsettings(*pairs: tuple[str, str]) -> int | None:
    """Read what GNOME does when idle: pairs of `'suspend'` and seconds, for socket and battery; return minutes."""
    seconds = []
    for kind, after in pairs:
        number = after.split()[-1] if after.split() else ""
        if number.isdigit():
            seconds.append(0 if "nothing" in kind else int(number))
    return _shortest(seconds)


def _shortest(seconds: list[int]) -> int | None:
    if not seconds:
        return None
    return min((-(-one // 60) for one in seconds if one), default=0)


def read_logind(configuration: str) -> tuple[int | None, bool]:
    """Read systemd's logind.conf; return the minutes until it sleeps (None: unset), and whether the lid makes it sleep."""
    settings = dict(re.findall(r"^\s*(\w+)\s*=\s*(\S+)", configuration, re.MULTILINE))
    lid = settings.get("HandleLidSwitch", "suspend") != "ignore"
    if settings.get("IdleAction", "ignore") in (
        "suspend",
        "hibernate",
        "hybrid-sleep",
        "suspend-then-hibernate",
    ):
        return 30, lid  # systemd's own IdleActionSec
    return None, lid
