"""Sentences about a database of another version of the program."""

from django.utils.translation import gettext as _


def newer(migration: str) -> str:
    return _(
        "Diese Datenbank gehört zu einer neueren Version des Programms (%(migration)s ist hier unbekannt). "
        "Es wurde nichts geändert. Bitte die neuere Version starten, oder die Sicherung von vor der Aktualisierung "
        "in einen neuen Datenordner einspielen."
    ) % {"migration": migration}


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
