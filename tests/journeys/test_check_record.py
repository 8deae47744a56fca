"""The visitor's browser checks records as `manage.py verify_record` does, with code of its own: forgeries and evenings."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.db import connections
from django.templatetags.static import static
from django.utils.translation import override
from factory.random import reseed_random
from playwright.sync_api import Browser, Page
from pytest_django.plugin import DjangoDbBlocker

from scoring.text.record_words import record_words
from scoring.verification.contradiction import Contradiction
from scoring.verification.record import verify_record
from tests.journeys.checking import in_the_hall
from tests.scoring import forgeries_of_the_ceremony as forgeries_of_the_ceremony
from tests.scoring.forgeries import FORGERIES, Forgery
from tests.scoring.records import all_records
from tests.scoring.test_verification import places
from tests.security.installation import rolled_back

pytestmark = pytest.mark.usefixtures("live_url")

CHECKED = """async ([address, texts]) => {
  const { checkRecord } = await import(address);
  return texts.map((text) => {
    try {
      const { details, ...counts } = checkRecord(text);
      return counts;
    } catch (wrong) {
      if (!wrong.path) throw new Error(`${wrong.stack ?? JSON.stringify(wrong)}`);
      return { ...wrong };
    }
  });
}"""
CHECKED_EVERYWHERE = """async ([address, text, places, value]) => {
  const { checkRecord } = await import(address);
  const mark = "\\uFFFD";
  const record = JSON.parse(text);
  const changed = (path) => {
    const last = path.at(-1);
    const parent = path.slice(0, -1).reduce((part, key) => part[key], record);
    const before = parent[last];
    parent[last] = mark;
    const around = JSON.stringify(record).split(JSON.stringify(mark));
    parent[last] = before;
    if (around.length !== 2) throw new Error(path);
    return around.join(value);
  };
  let checked = 0;
  for (const path of places) {
    try {
      checkRecord(changed(path));
    } catch (wrong) {
      if (!wrong.path) throw new Error(`${wrong.stack ?? JSON.stringify(wrong)}`);
    }
    checked += 1;
  }
  return checked;
}"""
COUNTS = ("draws", "lots", "sheets", "entries", "commitments", "marks")


@pytest.fixture(scope="module")
def texts(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> dict[str, str]:
    """The records of `all_records`, by name, without the document. Nothing of them is left in the database."""
    reseed_random("records")  # type: ignore[no-untyped-call]
    with django_db_blocker.unblock():
        with rolled_back():
            found = all_records()
        connections.close_all()
    del found["document"]
    return found


@pytest.fixture(scope="module")
def records(texts: dict[str, str]) -> dict[str, Any]:
    return {name: json.loads(text) for name, text in texts.items()}


@pytest.fixture(scope="module")
def forged(records: dict[str, Any]) -> list[str]:
    """The records of `FORGERIES`."""
    return [forged_record(forgery, records) for forgery in FORGERIES]


@pytest.fixture(scope="module")
def hall(browser: Browser, live_url: str) -> Iterator[Page]:
    with in_the_hall(browser, live_url) as page:
        yield page


@pytest.fixture(scope="module")
def right(hall: Page, texts: dict[str, str]) -> list[dict[str, Any]]:
    """What the browser finds in the records as they are."""
    return checked(hall, list(texts.values()))


def checked(page: Page, texts: list[str]) -> list[dict[str, Any]]:
    """Return the counts of each record that is right, and code, path and params of the first contradiction of others."""
    found: list[dict[str, Any]] = page.evaluate(CHECKED, [static("js/check/record.js"), texts])
    return found


def forged_record(forgery: Forgery, records: dict[str, Any]) -> str:
    record = deepcopy(records[forgery.record])
    forgery.change(record, records)
    return json.dumps(record)


def test_records_are_right_in_the_browser(right: list[dict[str, Any]], texts: dict[str, str]) -> None:
    for found, text in zip(right, texts.values(), strict=True):
        verified = verify_record(text)
        assert {key: found.get(key) for key in COUNTS} == {key: getattr(verified, key) for key in COUNTS}, (
            found
        )
        assert len(found["unchecked"]) == len(verified.unchecked)


def test_every_forgery_is_found_where_it_is(hall: Page, forged: list[str]) -> None:
    missed = [
        (forgery.name, answer)
        for forgery, answer in zip(FORGERIES, checked(hall, forged), strict=True)
        if "path" not in answer or not re.fullmatch(forgery.path, answer["path"])
    ]
    assert missed == []


def test_a_check_that_checks_nothing_would_miss_every_forgery(right: list[dict[str, Any]]) -> None:
    """The control: forged records differ from the right ones, which are right."""
    assert len(FORGERIES) > 80
    assert all("path" not in answer for answer in right)


@pytest.mark.parametrize(
    "value", ["null", "true", "-1", '"x"', "[{}]", '{"toString": 1, "__proto__": {}}', "1.0", "1e9"]
)
def test_no_value_anywhere_makes_it_fail(hall: Page, texts: dict[str, str], value: str) -> None:
    """A record is right or a contradiction, and nothing else, whatever stands in place of each value."""
    for name in ("schafkopf", "ceremony", "lot"):
        all_places = list(places(json.loads(texts[name])))
        arguments = [static("js/check/record.js"), texts[name], all_places, value]
        assert hall.evaluate(CHECKED_EVERYWHERE, arguments) == len(all_places)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", "$"),
        ("{", "$"),
        ("[1,]", "$"),
        ('{"a": 1,}', "$"),
        ("[] []", "$"),
        ("01", "$"),
        ("\ufeff{}", "$"),
        ("nul", "$"),
        ('"\t"', "$"),
        ('"\\x"', "$"),
        ("[" * 99, "$" + "[0]" * 32),
        ('{"schema": "schnauz-record/1", "schema": 1}', "$.schema"),
        ('{"__proto__": 1, "__proto__": 1}', "$.__proto__"),
        ('{"schema": 1.0}', "$.schema"),
        ('{"schema": [0, 1e999]}', "$.schema[1]"),
        ('{"schema": 9007199254740993}', "$.schema"),
        ('{"schema": "\\ud800"}', "$.schema"),
        ('{"schema": "\\u0000"}', "$.schema"),
        ('{"schema": {"a b": -1e5}}', '$.schema["a b"]'),
    ],
)
def test_a_text_that_two_could_read_differently_is_refused(hall: Page, text: str, path: str) -> None:
    [answer] = checked(hall, [text])
    assert answer["path"] == path, answer


# --- in words ------------------------------------------------------------------------------------------------------

SAID = """async ([records, words, texts, config]) => {
  const { checkRecord } = await import(records);
  const { explain, place } = (await import(words)).openWords(JSON.parse(config), "en");
  return texts.map((text) => {
    try {
      return checkRecord(text) && "";
    } catch (wrong) {
      return `${place(wrong.place)}: ${explain(wrong)}`;
    }
  });
}"""


def plain(words: str) -> str:
    return words.lower().replace("the ", "")


WITHOUT_ITS_REASON = {"points_that_are_impossible"}
"""The browser says of a ruleset only where it is impossible."""


def said(page: Page, texts: list[str]) -> list[str]:
    """Return the sentence for each record in English, "" for one that is right."""
    addresses = [static("js/check/record.js"), static("js/check/words.js")]
    with override("en"):
        config = json.dumps(record_words())
    found: list[str] = page.evaluate(SAID, [*addresses, texts, config])
    return found


def test_every_forgery_is_told_as_by_the_server(hall: Page, forged: list[str]) -> None:
    """The places are the same words, and what is wrong is in the sentence."""
    for forgery, text, sentence in zip(FORGERIES, forged, said(hall, forged), strict=True):
        with pytest.raises(Contradiction) as raised:
            verify_record(text)
        assert plain(sentence).startswith(f"{plain(raised.value.place)}: "), forgery.name
        assert "%(" not in sentence
        if forgery.name not in WITHOUT_ITS_REASON:
            assert forgery.what.lower() in sentence.lower(), forgery.name
