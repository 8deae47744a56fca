"""A column of a participant: `tournaments/models.py`, `tournaments/migrations/0001_tables.py`, `tournaments/person_details.py`,
`locale/en/LC_MESSAGES/django.po`.
"""

import csv
import re
from collections.abc import Iterator

import pytest
from django.db import connection, models
from django.utils.translation import gettext_lazy

from scoring.services.purge import erase_person
from tests.factories import AT
from tests.recipes.recipe import check_recipe
from tests.tournaments.door.doors import Cashier
from tournaments.models import Participant
from tournaments.person_details import PERSON_DETAILS, PersonDetail


@pytest.fixture
def telephone(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add a column to the model, to its table in the transaction of the test, and to the registry."""
    column = models.CharField(max_length=80, blank=True, default="")
    column.contribute_to_class(Participant, "telephone")
    detail = PersonDetail(gettext_lazy("Telefon"), headings=("telefon",))
    monkeypatch.setitem(PERSON_DETAILS, "telephone", detail)
    with connection.schema_editor(atomic=False) as editor:
        editor.add_field(Participant, column)
    yield
    Participant._meta.local_fields.remove(column)
    Participant._meta._expire_cache()  # type: ignore[attr-defined]
    del Participant.telephone  # type: ignore[attr-defined]


def numbers_in(desk: Cashier) -> set[str]:
    """Return the telephone numbers in the file of participants."""
    heading, *rows = csv.reader(
        desk.get("participants_file", "csv").lstrip("\ufeff").splitlines(), delimiter=";"
    )
    return {row[heading.index("Telefon")] for row in rows} - {""}


def test_a_column_of_a_participant_takes_at_most_five_files() -> None:
    check_recipe("A column of a participant", __doc__, 5)


def test_a_registered_column_is_typed_read_from_lists_saved_and_erased(telephone: None) -> None:
    desk = Cashier()
    desk.register("Huber Sepp", telephone="0123")
    number = desk.tournament.participants.get().start_number
    people = {"text": "Name;Telefon\nMeier Anna;0456"}
    page = desk.client.post(desk.url("import_list"), people).content.decode()
    assert 'data-label="Telefon">0456</td>' in page
    (seen,) = re.findall(r'name="seen" value="(\w+)"', page)
    desk.client.post(desk.url("import_list"), people | {"seen": seen, "enter": "1"})
    assert ["Telefon" in desk.get("desk"), numbers_in(desk)] == [True, {"0123", "0456"}]
    assert 'value="0123"' in desk.get("person", number)
    erase_person(desk.tournament, number, by="leitung", at=AT)
    assert numbers_in(desk) == {"0456"}
