"""The marks of the rounds in the tournament document."""

from typing import Any

from scoring.core.marks import round_digest, round_value
from scoring.models import RoundMark
from tournaments.core.document_reader import Reader
from tournaments.documents import moment
from tournaments.models import Tournament
from tournaments.verification import digest_of_draw, read_draws


def mark_documents(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the marks in the order of their chain."""
    return [
        {**mark.value, "tables": mark.tables, "digest": mark.digest, "at": moment(mark.made_at)}
        for mark in tournament.marks.order_by("number")
    ]


def store_marks(reader: Reader, tournament: Tournament) -> None:
    """Store the marks, each of which has to follow from the one before. Raises DocumentError."""
    RoundMark.objects.bulk_create(read_marks(reader, tournament))


def read_marks(reader: Reader, tournament: Tournament) -> list[RoundMark]:
    """Return the marks, unsaved, after checking that each follows from the one before. Raises DocumentError."""
    before, marks = "", list[RoundMark]()
    for item in reader.items():
        fields = item.fields(("round", "sheets", "digest", "at"), ("draw", "tables"))
        sheets = [sheet.fields(("table", "digest")) for sheet in fields["sheets"].items()]
        value = round_value(
            round_number=fields["round"].whole(least=1),
            draw=fields["draw"].text(most=64) if fields.has("draw") else None,
            sheets={sheet["table"].whole(least=1): sheet["digest"].text(most=64) for sheet in sheets},
        )
        before = round_digest(before, value)
        if fields["digest"].value != before:
            raise fields["digest"].error("mark_does_not_match")
        tables = fields["tables"].items() if fields.has("tables") else ()
        marks.append(
            RoundMark(
                tournament=tournament,
                number=len(marks) + 1,
                round_number=value["round"],
                value=value,
                tables=[table.whole(least=1) for table in tables],
                digest=before,
                made_at=fields["at"].moment(),
            )
        )
    return marks


def verify_marks(text: str) -> None:
    """Check that each mark of a document follows from the one before, and that the last one of a round is over its draw.

    Raises DocumentError with the path of the first contradiction.
    """
    document = read_draws(text)
    place = document.fields["marks"]
    if place.is_null:
        return
    marks = read_marks(place, document.tournament)
    draws = {found.round.number: digest_of_draw(found) for found in document.rounds}
    latest = {mark.round_number: mark for mark in marks}
    for number, mark in latest.items():
        if mark.value["draw"] != draws.get(number):
            raise Reader(None, f"{place.path}[{mark.number - 1}].draw").error("mark_does_not_match")
