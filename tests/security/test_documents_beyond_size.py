"""Documents whose numbers, lists or words are larger than an evening: refused with their path, before a page suffers from them."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from scoring.documents import import_tournament
from tests.factories import AT
from tests.scoring.evenings import simple_evening, text_of
from tournaments.core.document_reader import LARGEST_NUMBER, LARGEST_TABLE_NUMBER, DocumentError
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset
from tournaments.rulesets.reading import MOST_IN_A_LIST
from tournaments.services import door

pytestmark = pytest.mark.django_db


def numbered(number: int) -> str:
    """Return an evening before its first round, whose last player has this number."""
    document = simple_evening("abend")
    document["participants"][-1]["start_number"] = number
    return text_of(document | {"rounds": []})


def at_table(number: int) -> str:
    document = simple_evening("abend")
    document["rounds"][0]["tables"][0]["number"] = number
    return text_of(document)


def under(points: list[int], **more: Any) -> str:
    rules = preset("schnauz-placing").to_dict() | {"points": points, **more}
    document = simple_evening("abend")
    return text_of(document | {"tournament": document["tournament"] | {"ruleset": rules}})


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (numbered(LARGEST_NUMBER + 1), "$.participants[9].start_number"),
        (at_table(LARGEST_TABLE_NUMBER + 1), "$.rounds[0].tables[0].number"),
        (under([1] * (MOST_IN_A_LIST + 1)), "$.tournament.ruleset.points"),
        (
            under([1], stakes={"stake_cents": 1, "returned_to_ranks": [2] * 1_000}),
            "$.tournament.ruleset.stakes.returned_to_ranks",
        ),
    ],
    ids=["player", "table", "points", "stakes"],
)
def test_what_no_evening_has_is_refused(text: str, path: str) -> None:
    with pytest.raises(DocumentError) as caught:
        import_tournament(text, at=AT)
    assert caught.value.path == path
    assert not Tournament.objects.exists()


def test_after_the_largest_number_another_player_still_has_one() -> None:
    tournament = import_tournament(numbered(LARGEST_NUMBER), at=AT)
    registered = door.register(
        tournament, door.Newcomer("Neuer Gast"), paid=False, by="kasse", at=AT, desk=""
    )
    assert registered.start_number == LARGEST_NUMBER + 1


def test_the_largest_table_has_its_page(client: Any) -> None:
    import_tournament(at_table(LARGEST_TABLE_NUMBER), at=AT)
    assert client.get(f"/t/abend/rounds/1/tables/{LARGEST_TABLE_NUMBER}/").status_code == 200


@pytest.mark.parametrize("command", ["import_tournament", "verify_draw"])
@pytest.mark.parametrize("key", ["\x1b]0;mine\x07", "\x9b2J", "\u202emine"])
def test_words_of_a_file_give_no_orders_to_a_terminal(command: str, key: str, tmp_path: Path) -> None:
    file = tmp_path / "abend.json"
    file.write_text(under([1], **{key: 1}), encoding="utf-8")
    with pytest.raises(CommandError) as caught:
        call_command(command, str(file))
    assert str(caught.value).isprintable()
    assert "mine" in str(caught.value) or "2J" in str(caught.value)
