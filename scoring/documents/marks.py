"""The marks of the rounds in the document."""

from datetime import datetime
from typing import Any

from scoring.core.marks import round_digest, round_value
from scoring.models import RoundMark
from tournaments.core.document_reader import Reader
from tournaments.documents.fields import NEEDED, Field, FieldTable, parts_of, read_numbers
from tournaments.models import Tournament
from tournaments.verification import SOME_TIME, digest_of_draw, read_draws

MARKS = FieldTable(
    RoundMark,
    "draw",
    Field("round", "round_number", least=1),
    Field("sheets", default=NEEDED),
    Field("tables", read=read_numbers),
    "digest",
    Field("at", "made_at"),
)


def mark_documents(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the marks in the order of their chain."""
    return [MARKS.write(mark, **mark.value) for mark in tournament.marks.order_by("number")]


def read_marks(document: Reader, tournament: Tournament, *, at: datetime) -> list[RoundMark]:
    """Return the marks, unsaved, after checking that they are one chain. Raises DocumentError."""
    before, marks = "", list[RoundMark]()
    for item in parts_of(document, "marks"):
        mark = MARKS.read(item, at=at, tournament=tournament, number=len(marks) + 1)
        sheets = [sheet.fields(("table", "digest")) for sheet in item.key("sheets").items()]
        draw = item.key("draw")
        mark.value = round_value(
            round_number=mark.round_number,
            draw=None if draw.is_null else draw.text(most=64),
            sheets={sheet["table"].whole(least=1): sheet["digest"].text(most=64) for sheet in sheets},
        )
        mark.digest = before = round_digest(before, mark.value)
        if item.key("digest").value != before:
            raise item.key("digest").error("mark_does_not_match")
        marks.append(mark)
    return marks


def verify_marks(text: str) -> None:
    """Check that the marks of a document are one chain, and that the last mark of a round contains its draw.

    Raises DocumentError with the path of the first contradiction.
    """
    document = read_draws(text)
    marks = read_marks(document.fields.reader, document.tournament, at=SOME_TIME)
    draws = {read_round.round.number: digest_of_draw(read_round) for read_round in document.rounds}
    for number, mark in {mark.round_number: mark for mark in marks}.items():
        if mark.value["draw"] != draws.get(number):
            place = f"{document.fields['marks'].path}[{mark.number - 1}].draw"
            raise Reader(None, place).error("mark_does_not_match")
