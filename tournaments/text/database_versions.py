"""Sentences about a database of another version of the program, and about one that does not answer."""

from django.utils.translation import gettext as _


def newer(migration: str) -> str:
    return _(
        "Diese Datenbank gehört zu einer neueren Version des Programms (%(migration)s ist hier unbekannt). "
        "Es wurde nichts geändert. Bitte die neuere Version starten, oder die Sicherung von vor der Aktualisierung "
        "in einen neuen Datenordner einspielen."
    ) % {"migration": migration}


def older() -> str:
    return _(
        "Diese Datenbank gehört zu einer älteren Version des Programms. Es wurde nichts geändert. Bitte das Programm einmal "
        "starten, das bringt sie auf den Stand, oder: manage.py migrate, bei vielen Vereinen migrate_clubs."
    )


def unavailable(reason: str) -> str:
    return _("Die Datenbank ist nicht erreichbar: %(reason)s") % {"reason": reason}


def without_club() -> str:
    return _(
        "Hier teilen sich viele Vereine eine Installation. Bitte den Verein nennen: manage.py club VEREIN BEFEHL."
    )


def before_first_version() -> str:
    return _(
        "Diese Datenbank ist aus der Zeit vor Version 1.0. Es wurde nichts geändert. Die Turniere mit dem Programm "
        "exportieren, mit dem sie angelegt wurden (export_tournament), und in einen neuen Datenordner importieren "
        "(import_tournament)."
    )


def other_tables(column: str) -> str:
    return _(
        "Die Tabellen dieser Datenbank sind nicht die dieses Programms (%(column)s). Es wurde nichts geändert. Die "
        "Turniere mit dem Programm exportieren, mit dem sie angelegt wurden (export_tournament), und in einen neuen "
        "Datenordner importieren (import_tournament)."
    ) % {"column": column}


def backed_up(file: str) -> str:
    return _("Vor der Aktualisierung gesichert: %(file)s") % {"file": file}


def no_backup(folder: str, reason: str) -> str:
    return _(
        "Vor der Aktualisierung wird gesichert, und das ging nicht: %(folder)s: %(reason)s. Es wurde nichts geändert. "
        "Platz schaffen oder den Stick einstecken (BACKUP_DIR) und neu starten."
    ) % {"folder": folder, "reason": reason}
