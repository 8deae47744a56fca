"""The record of processing (Art. 30 GDPR), drafted from what the program does and what the club has set."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.access import club_view
from tournaments.core.publicity import PUBLIC_DAYS
from tournaments.queries.club import ClubDetails, club
from tournaments.requests import StaffRequest
from tournaments.security_log import DAYS
from tournaments.services.sign_ups import FORGOTTEN_AFTER


@club_view("GET")
def record(request: StaffRequest) -> HttpResponse:
    """Show the record, for the club to check, to complete and to print."""
    details = club()
    columns = (_("Was"), _("Wozu, und worauf gestützt"), _("Welche Daten"), _("Wer sieht sie"), _("Bis wann"))
    rows = [list(zip(columns, texts, strict=True)) for texts in _rows(details)]
    context = {"club": details, "columns": columns, "rows": rows}
    return render(request, "tournaments/accounts/owner/record.html", context)


def _rows(details: ClubDetails | None) -> list[tuple[str, str, str, str, str]]:
    """Return for each processing its name, purpose and ground, data, who sees them, and until when."""
    sign_ups = ngettext(
        "%(days)s Tag nach dem Turnier", "%(days)s Tage nach dem Turnier", FORGOTTEN_AFTER.days
    )
    return [
        (
            _("Turniere"),
            _("auslosen, rechnen, den Stand zeigen (Teilnahme, Art. 6 Abs. 1 b)"),
            _("Name, Startnummer, Ergebnis; wenn angegeben Verein und Ort"),
            _("Veranstalter und Kasse; alle den Namen so, wie er gewählt ist"),
            _until_when(details),
        ),
        (
            _("Kasse"),
            _("abrechnen (Teilnahme und Buchführung, Art. 6 Abs. 1 b und c)"),
            _("Zahlungen mit Startnummer, Zeit und Konto"),
            _("Kasse und Veranstalter"),
            _("mit dem Turnier; im Kassenbuch bleiben Summen ohne Namen"),
        ),
        (
            _("Leute, Jahreswertung, Ehrentafel"),
            _(
                "wiedererkennen und ehren (Zustimmung, Art. 6 Abs. 1 a; bei Mitgliedern die Mitgliedschaft, b)"
            ),
            _("Name, Verein, Ort, Mitgliedschaft, Wünsche, Abende, Ergebnisse, Tage der Zustimmung"),
            _("Veranstalter des Vereins; die Kasse Namen als Vorschlag; alle nur, wer zugestimmt hat"),
            _("bis zum Widerruf; in einer Jahreswertung %(days)s Tage über ihr Ende hinaus")
            % {"days": PUBLIC_DAYS},
        ),
        (
            _("Voranmeldung"),
            _("planen, und Missbrauch verhindern (Teilnahme, b; berechtigtes Interesse, f)"),
            _("Name und Wünsche; eine Prüfsumme der Internetadresse"),
            _("Veranstalter und Kasse"),
            sign_ups % {"days": FORGOTTEN_AFTER.days},
        ),
        (
            _("Konten und Protokoll"),
            _(
                "wissen, wer etwas eingetragen hat, und Angriffe erkennen (berechtigtes Interesse, Art. 6 Abs. 1 f)"
            ),
            _("Name des Kontos, E-Mail-Adresse, wenn angegeben; Anmeldungen mit Internetadresse"),
            _("Inhaber"),
            _("das Protokoll %(days)s Tage; der Name des Kontos mit dem, was es eingetragen hat")
            % {"days": DAYS},
        ),
    ]


def _until_when(details: ClubDetails | None) -> str:
    public = _("im Netz bis %(days)s Tage nach dem letzten Spiel, sonst bis zum Löschen") % {
        "days": PUBLIC_DAYS
    }
    months = details.retention_months if details else None
    days = details.name_days if details else None
    kept = ngettext("nach %(count)s Monat gelöscht", "nach %(count)s Monaten gelöscht", months or 0)
    numbers = _("Namen nach %(days)s Tagen nur noch Nummern, außer mit Zustimmung")
    parts = [public, kept % {"count": months} if months else "", numbers % {"days": days} if days else ""]
    return "; ".join(filter(None, parts))
