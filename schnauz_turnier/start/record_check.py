"""The check of a saved record in this computer's browser, without a network and without a database."""

import json
import sys
from pathlib import Path

from django.core.management.base import CommandError
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from schnauz_turnier.start.own_browser import open_now
from scoring.management.arguments import read_document
from scoring.public.check_file import file_context
from scoring.text.record_words import record_words


def open_record_check(file: str) -> None:
    """Write the check page with this record in it, beside the record, and open it.

    Not in a temporary folder, since browsers from a snap package cannot read it. Raises CommandError.
    """
    record = Path(file)
    context = {"record": read_document(file), "name": record.name, "config": json.dumps(record_words())}
    page = record.absolute().with_name(f"{record.stem}-check.html")
    try:
        page.write_text(
            render_to_string("scoring/public/check_file.html", {**context, **file_context()}),
            encoding="utf-8",
        )
    except OSError as error:
        raise CommandError(str(error)) from None
    sys.stdout.write(_("Die Prüfseite mit dieser Akte: %(page)s") % {"page": page} + "\n")
    open_now(page.as_uri())
