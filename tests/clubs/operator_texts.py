"""The operator's texts, as drafted and filled in."""

import re
from datetime import date
from pathlib import Path

from schnauz_turnier.clubs.texts import write_drafts


def filled_in(folder: Path) -> Path:
    """Write all drafts into a folder, with something in each place that is to be filled in."""
    write_drafts(folder, today=date(2026, 11, 28))
    for file in folder.iterdir():
        file.write_text(re.sub(r"\[\[(.*?)\]\]", r"\1", file.read_text()))
    return folder
