"""PDFs that Chromium prints, opened with pdfplumber, which gets the words of a page's content several times as quickly."""

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import pdfplumber
from pdfminer import pdfinterp
from pdfminer.pdftypes import stream_value
from pdfminer.psparser import KWD, LIT, PSEOF
from pdfplumber.pdf import PDF

WORD = re.compile(
    rb"\s*(?:([-+]?\d+(?![\d.]))|([-+]?(?:\d+\.\d*|\.\d+))|/([\w.+-]+)|<((?:[0-9A-Fa-f]{2})*)>|([A-Za-z]+\*?)|([\[\]]))(?=[\s/<\[\]]|$)"
)
"""A number, a name, a string of bytes, an operator or a bracket: of other words there are none in a page by Chromium."""
OTHERS = {b"true", b"false", b"null", b"BI"}
"""What stands for a value, or begins a picture."""
PatientParser = pdfinterp.PDFContentParser


def patient_words_of(streams: Sequence[Any]) -> list[Any]:
    """Return the words of a content as pdfminer finds them by itself."""
    parser, words = PatientParser(streams), list[Any]()
    with suppress(PSEOF):
        while True:
            words.append(parser.nextobject()[1])
    return words


def opened_pdf(data: bytes) -> PDF:
    return pdfplumber.open(io.BytesIO(data))


class _Quick:
    """The words of a content, as the parser gives them that it stands for."""

    def __init__(self, words: Sequence[Any]) -> None:
        self._words: Iterator[Any] = iter(words)

    def nextobject(self) -> tuple[int, Any]:
        try:
            return 0, next(self._words)
        except StopIteration:
            raise PSEOF from None


def _parser(streams: Sequence[object]) -> Any:
    words = words_of(b"\n".join(stream_value(stream).get_data() for stream in streams))
    return PatientParser(streams) if words is None else _Quick(words)


def words_of(content: bytes) -> list[Any] | None:
    """Return the words of a content; None if there are any that `WORD` is not."""
    whole: list[Any] = []
    words, end = whole, 0
    for found in WORD.finditer(content):
        if found.start() != end:
            return None
        end = found.end()
        kind, text = found.lastindex, found[found.lastindex or 0]
        match kind:
            case 1:
                words.append(int(text))
            case 2:
                words.append(float(text))
            case 3:
                words.append(LIT(text.decode()))
            case 4:
                words.append(bytes.fromhex(text.decode()))
            case 5 if text not in OTHERS:
                words.append(KWD(text))
            case _ if text == b"[" and words is whole:
                words = []
            case _ if text == b"]" and words is not whole:
                whole.append(words)
                words = whole
            case _:
                return None
    return whole if words is whole and not content[end:].strip() else None


pdfinterp.PDFContentParser = _parser  # type: ignore[assignment, misc]
