"""Texts of the operator: terms of use, imprint, privacy, processing contract. Files in TEXTS_DIR, named KIND.LANGUAGE.txt.

The first line is „Fassung 1, 2026-12-01“ or "Version 1, 2026-12-01". Blank lines part paragraphs, whose line breaks stay; "# " begins
a heading, "- " a point of a list. Each process reads them once, at its start, so an agreement names the version that was shown.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from string import Template

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from schnauz_turnier.clubs.agreements import AgreedText, agreements, keep_source, kept_source
from schnauz_turnier.clubs.ending import BACKUPS_STAY, GRACE
from schnauz_turnier.clubs.registration import LINK_LASTS, OPERATOR_HAS
from tournaments.core.publicity import PUBLIC_DAYS
from tournaments.own_address import public_url
from tournaments.security_log import DAYS
from tournaments.services.sign_ups import FORGOTTEN_AFTER

logger = logging.getLogger(__name__)

MOST_CHARACTERS = 200_000
_FIRST_LINE = re.compile(r"(?:Fassung|Version) (\S{1,20}), (\d{4}-\d\d-\d\d)", re.ASCII)
_DRAFTS = Path(__file__).with_name("drafts")


class Kind(StrEnum):
    """A text, by its address and its file."""

    TERMS = "terms"
    IMPRINT = "imprint"
    PRIVACY = "privacy"
    PROCESSING = "processing"


AGREED = (Kind.TERMS, Kind.PROCESSING)
"""What a club agrees to: when it registers, and anew each version that follows."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text in one language. source: the whole file."""

    kind: Kind
    language: str
    version: str
    dated_on: date
    source: str

    @property
    def title(self) -> str:
        return title_of(self.kind)

    @property
    def address(self) -> str:
        """The address of its page, which is none of a club."""
        return f"{public_url()}/{self.kind}"

    @property
    def blocks(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the blocks below the first line with their kind: "heading", "list" or "lines"."""
        for block in re.split(r"\n\s*\n", self.source.partition("\n")[2].strip()):
            lines = [line.strip() for line in block.splitlines()]
            if lines[0].startswith("# "):
                yield "heading", [lines[0].removeprefix("# ")]
            elif all(line.startswith("- ") for line in lines):
                yield "list", [line.removeprefix("- ") for line in lines]
            else:
                yield "lines", lines

    @property
    def agreed(self) -> AgreedText:
        digest = sha256(self.source.encode()).hexdigest()
        return AgreedText(self.kind, self.version, self.dated_on, self.language, digest)


def title_of(kind: Kind) -> str:
    return {
        Kind.TERMS: _("Nutzungsbedingungen"),
        Kind.IMPRINT: _("Impressum"),
        Kind.PRIVACY: _("Datenschutz"),
        Kind.PROCESSING: _("Auftragsverarbeitung"),
    }[kind]


def texts_of_operator() -> list[Text]:
    """Return the texts that there are, each in its latest version, in the language of the request if there is that. None on a laptop."""
    if not settings.CLUBS or settings.TEXTS_DIR is None:
        return []
    texts, _problems = _read(settings.TEXTS_DIR)
    languages = [
        translation.get_language(),
        settings.LANGUAGE_CODE,
        *(code for code, _name in settings.LANGUAGES),
    ]
    latest = {text.kind: text.version for text in sorted(texts.values(), key=lambda text: text.dated_on)}
    of_kinds = [
        [texts[kind, language] for language in languages if (kind, language) in texts]
        for kind in Kind
        if kind in latest
    ]
    return [next(text for text in of_kind if text.version == latest[text.kind]) for of_kind in of_kinds]


def texts_of_agreement() -> list[Text]:
    """Return the texts to which clubs agree, as of `texts_of_operator`."""
    return [text for text in texts_of_operator() if text.kind in AGREED]


def texts_to_agree(slug: str) -> list[Text]:
    """Return the texts of which a club has not agreed to the latest version. At most one query."""
    if texts := texts_of_agreement():
        agreed = {(agreement.kind, agreement.version) for agreement in agreements(slug)}
        return [text for text in texts if (text.kind, text.version) not in agreed]
    return []


def keep_sources(texts: Iterable[Text]) -> None:
    """Keep the texts of versions to which a club agrees, as later ones replace their files."""
    for text in texts:
        keep_source(text.agreed.sha256, text.source)


def source_of(sha256: str) -> str | None:
    """Return the text with this digest, if it was kept, or is still in its file."""
    if (source := kept_source(sha256)) is not None or settings.TEXTS_DIR is None:
        return source
    texts, _problems = _read(settings.TEXTS_DIR)
    return next((text.source for text in texts.values() if text.agreed.sha256 == sha256), None)


def why_incomplete() -> list[str]:
    """Return why no club can register, for the operator, a sentence for each reason; none if all texts are there."""
    if settings.TEXTS_DIR is None:
        return [_("TEXTS_DIR ist nicht gesetzt. „manage.py draft_texts ORDNER“ schreibt Entwürfe.")]
    sentences = {
        "unreadable": _("%(file)s lässt sich nicht lesen, oder ist kein UTF-8."),
        "long": _("%(file)s ist zu lang."),
        "unfinished": _("In %(file)s ist noch etwas in [[ ]] einzusetzen."),
        "first_line": _("%(file)s beginnt nicht mit „Fassung 1, 2026-12-01“."),
    }
    _texts, problems = _read(settings.TEXTS_DIR)
    there = {text.kind for text in texts_of_operator()} | {file.partition(".")[0] for file, _code in problems}
    wrong = [sentences[code] % {"file": file} for file, code in problems]
    lacking = _("Es fehlt: %(title)s (%(file)s).")
    return wrong + [
        lacking % {"title": title_of(kind), "file": f"{kind}.de.txt"} for kind in Kind if kind not in there
    ]


@lru_cache(maxsize=4)
def _read(folder: Path) -> tuple[dict[tuple[Kind, str], Text], list[tuple[str, str]]]:
    """Return the texts that can be shown, and of the other files what is wrong with them."""
    texts, problems = {}, []
    for kind in Kind:
        for language, _name in settings.LANGUAGES:
            file = folder / f"{kind}.{language}.txt"
            if not file.exists():
                continue
            try:
                source = file.read_text(encoding="utf-8-sig")
                texts[kind, language] = _text(kind, language, source)
            except (OSError, UnicodeDecodeError):
                problems.append((file.name, "unreadable"))
            except _UnfitText as unfit:
                problems.append((file.name, unfit.code))
    return texts, problems


class _UnfitText(Exception):
    def __init__(self, code: str) -> None:
        self.code = code


def _text(kind: Kind, language: str, source: str) -> Text:
    if len(source) > MOST_CHARACTERS:
        raise _UnfitText("long")
    if "[[" in source:
        raise _UnfitText("unfinished")
    match = _FIRST_LINE.fullmatch(source.partition("\n")[0].strip())
    try:
        if match is None:
            raise ValueError
        return Text(kind, language, match[1], date.fromisoformat(match[2]), source)
    except ValueError:
        raise _UnfitText("first_line") from None


def read_texts() -> None:
    """Read the texts of this process, and log what keeps clubs from registering."""
    if settings.CLUBS and settings.TEXTS_DIR is not None:
        with translation.override("en"):
            for sentence in why_incomplete():
                logger.warning("No club can register. %s", sentence)


def write_drafts(folder: Path, *, today: date) -> dict[str, bool]:
    """Write a draft of each text that is not there. Return the names of the files, and whether each was written. Raises OSError."""
    values = {
        "today": today.isoformat(),
        "link_hours": LINK_LASTS // timedelta(hours=1),
        "operator_days": OPERATOR_HAS.days,
        "grace_days": GRACE.days,
        "backup_days": BACKUPS_STAY.days,
        "public_days": PUBLIC_DAYS,
        "sign_up_days": FORGOTTEN_AFTER.days,
        "log_days": DAYS,
    }
    folder.mkdir(parents=True, exist_ok=True)
    written = {}
    for draft in sorted(_DRAFTS.glob("*.txt")):
        text = Template(draft.read_text(encoding="utf-8")).substitute(values)
        try:
            with (folder / draft.name).open("x", encoding="utf-8") as file:
                file.write(text)
            written[draft.name] = True
        except FileExistsError:
            written[draft.name] = False
    return written
