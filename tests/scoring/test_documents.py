"""The tournament document: a lossless round trip, and refusals that name their location."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.documents import dump, export_tournament, import_tournament
from scoring.public.data import leaderboard_document
from scoring.queries.standings import current_standings, visible_standings
from scoring.services.projection import rebuild_results
from scoring.text.refusals import message
from tests.scoring.evenings import CASH, DESKS, accepted_sheet, evening, simple_evening, text_of
from tournaments.core.document_reader import DocumentError
from tournaments.models import Tournament
from tournaments.rulesets.loader import PRESETS
from tournaments.verification import verify_draws

AT = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
Document = dict[str, Any]


def imported(document: Document, *, slug: str | None = None) -> Tournament:
    return import_tournament(text_of(document, slug=slug), at=AT)


@pytest.mark.django_db
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**9))
def test_export_and_import_give_the_same_bytes_but_for_the_slug_and_the_same_standings(seed: int) -> None:
    first, second = f"a-{uuid4()}"[:40], f"b-{uuid4()}"[:40]
    tournament = imported(evening(seed, first))
    exported = dump(export_tournament(tournament))
    copy = imported(json.loads(exported), slug=second)
    assert dump(export_tournament(copy)) == exported.replace(first, second)
    assert current_standings(copy).rows == current_standings(tournament).rows


@pytest.mark.django_db
@pytest.mark.parametrize("name", PRESETS)
def test_a_document_of_each_preset_by_its_name_is_there_and_back(name: str) -> None:
    """Initials, approvals and totals included."""
    document = simple_evening("abend", players=20, ruleset=name)
    for number, table in enumerate(document["rounds"][0]["tables"], start=1):
        table["entries"] = accepted_sheet(name, len(table["seats"]), first=number * 100)
    tournament = imported(document)
    exported = dump(export_tournament(tournament))
    again = imported(json.loads(exported), slug="noch-einer")
    assert dump(export_tournament(again)) == exported.replace('"abend"', '"noch-einer"')
    assert rebuild_results(again) == []
    table_monitor = leaderboard_document(visible_standings("noch-einer"))
    assert table_monitor == leaderboard_document(visible_standings("abend")) | {"tournament": "noch-einer"}
    best, worst = table_monitor["rows"][0], table_monitor["rows"][-1]
    assert (best["points"], best["strokes"], best["tie_break"], best["by_round"]) == BEST[name]
    assert worst["rank"] > 1


BEST = {
    "schnauz-placing": (6, 0, [0], [6]),
    "konradsreuth": (6, 0, [0], [6]),
    "fce": (405, 0, [0, 0], [405]),
    "knockout": (1, 0, [1, 0], [1]),
    "schafkopf": (25, 0, [1, 1, 1, 1], [25]),
}
"""Points, strokes, tie-breaks and rounds of the leader."""


@pytest.mark.django_db
def test_only_the_needed_keys_are_needed() -> None:
    tournament = imported(simple_evening("wenig"))
    document = export_tournament(tournament)
    assert document["tournament"]["names"] == "full"
    assert document["participants"][0]["presence"] == "present"
    assert document["rounds"][0]["draw"] is None


@pytest.mark.django_db
@pytest.mark.parametrize("schema", ["schnauz-turnier/3", "schnauz-turnier/10"])
def test_a_document_of_a_newer_program_is_refused_whatever_is_in_it(schema: str) -> None:
    newer = {"later": 1, **simple_evening("abend"), "schema": schema}
    for read in (imported, lambda document: verify_draws(json.dumps(document))):
        with pytest.raises(DocumentError) as refused:
            read(newer)
        assert (refused.value.path, refused.value.refusal.code) == ("$.schema", "document_schema_newer")
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("schema", ["schnauz-turnier/x", "schnauz-turnier/0", "anderes/3", "3", 3, None])
def test_what_is_no_schema_of_this_program_is_not_called_newer(schema: object) -> None:
    with pytest.raises(DocumentError) as refused:
        verify_draws(json.dumps(simple_evening("abend") | {"schema": schema}))
    assert (refused.value.path, refused.value.refusal.code) == ("$.schema", "document_schema_unknown")


@pytest.mark.django_db
def test_a_document_of_the_first_schema_is_imported_and_exported_as_the_second() -> None:
    first = simple_evening("abend") | {"schema": "schnauz-turnier/1"}
    first["participants"][0]["payments"] = [
        {"kind": "fee", "cents": 300, "at": AT_TEXT, "by": "", "desk": "Kasse 1"}
    ]
    exported = export_tournament(imported(first))
    assert exported["schema"] == "schnauz-turnier/2"
    assert [exported["tournament"][key] for key in ("fees", "starts_at", "admits_at", "prize_plan")] == [
        None
    ] * 4
    assert (exported["desks"], exported["cash"]) == (
        [{"name": "Kasse 1", "is_in_advance": False, "changes": []}],
        [],
    )
    again = imported(exported, slug="noch-einer")
    assert dump(export_tournament(again)) == dump(exported).replace('"abend"', '"noch-einer"')


@pytest.mark.django_db
def test_desks_and_their_lines_stay_as_they_are_written() -> None:
    document = simple_evening("abend") | {"desks": DESKS, "cash": CASH}
    exported = export_tournament(imported(document))
    assert [desk["name"] for desk in exported["desks"]] == ["Kasse 2", "Kasse 1", "Vorab bezahlt"]
    assert [desk["is_in_advance"] for desk in exported["desks"]] == [False, False, True]
    assert [(change["kind"], change["reason"]) for change in exported["desks"][0]["changes"]] == [
        ("named", "Kase 2")
    ]
    assert [change["kind"] for change in exported["desks"][1]["changes"]] == ["closed", "opened", "closed"]
    assert exported["cash"] == [
        {"to": None, "reason": None, "pieces": None, "takes_back": None} | line for line in CASH
    ]
    assert list(exported["cash"][5]["pieces"]) == ["500", "50"]


@pytest.mark.django_db
def test_a_line_needs_no_more_than_its_needed_keys() -> None:
    """A transfer that names no other desk goes to the desk without a name."""
    lines = [
        {"desk": "Kasse 1", "kind": kind, "cents": 100, "at": AT_TEXT, "by": ""}
        for kind in ("float", "in", "out", "transfer", "count")
    ]
    exported = export_tournament(imported(simple_evening("abend") | {"cash": lines}))
    assert [line["reason"] for line in exported["cash"]] == [None, "–", "–", None, None]
    assert [line["to"] for line in exported["cash"]] == [None, None, None, "", None]
    assert [desk["name"] for desk in exported["desks"]] == ["Kasse 1", ""]


def _changed(change: Callable[[Document], object]) -> Document:
    document = simple_evening("schlecht")
    change(document)
    return document


def _entry(**changes: Any) -> Document:
    deal = {"losers": [1], "ended_by": "knock", "finisher": None}
    return {
        "id": "00000000-0000-4000-8000-000000000001",
        "kind": "deal",
        "data": deal,
        "by": "scribe",
        "made_at": "2026-11-21T20:00:00Z",
    } | changes


def _with_entries(*entries: Document) -> Callable[[Document], None]:
    return lambda document: document["rounds"][0]["tables"][1].update(entries=list(entries))


def _with_parked(*parked: Document) -> Callable[[Document], None]:
    return lambda document: document["rounds"][0]["tables"][1].update(parked=list(parked))


AT_TEXT = "2026-11-21T20:00:00.000000Z"


def _with_cash(*lines: Document) -> Callable[[Document], None]:
    return lambda document: document.update(cash=list(lines))


def _with_changes(*kinds: str, **more: Any) -> Callable[[Document], None]:
    changes = [{"kind": kind, "at": AT_TEXT, "by": "", **more} for kind in kinds]
    return lambda document: document.update(desks=[{"name": "Kasse 1", "changes": changes}])


def _with_fees(*fees: Document) -> Callable[[Document], None]:
    return lambda document: document["tournament"].update(fees=list(fees))


LINE = {"desk": "Kasse 1", "kind": "out", "cents": 100, "reason": "Karten", "at": AT_TEXT, "by": ""}
COUNT = LINE | {"kind": "count"}
FEE = {"key": "full", "name": "voll", "cents": 300}
PARKED = {key: value for key, value in _entry().items() if key != "by"}
DRAW = {"mode": "random", "seed": "07" * 32, "attempt": 1, "players": list(range(1, 11)), "changes": []}
SECOND_PARKED = "$.rounds[0].tables[1].parked"
FIRST_TABLE = "$.rounds[0].tables[0]"
SECOND_LOG = "$.rounds[0].tables[1].entries"

BAD: list[tuple[Callable[[Document], object], str]] = [
    (lambda d: d.update(schema="schnauz-turnier/3"), "$.schema"),
    (lambda d: d.update(extra=1), "$.extra"),
    (lambda d: d.pop("rounds"), "$.rounds"),
    (lambda d: d["tournament"].update(date="2026-02-31"), "$.tournament.date"),
    (lambda d: d["tournament"].update(names="nick"), "$.tournament.names"),
    (lambda d: d["participants"][0].update(names="nick"), "$.participants[0].names"),
    (lambda d: d["tournament"].update(slug="../../x"), "$.tournament.slug"),
    (lambda d: d["tournament"].update(ruleset="skat"), "$.tournament.ruleset"),
    (lambda d: d["tournament"].update(ruleset={"name": "x"}), "$.tournament.ruleset.title"),
    (lambda d: d["participants"][3].update(start_number=3), "$.participants[3].start_number"),
    (lambda d: d["participants"][3].update(start_number=True), "$.participants[3].start_number"),
    (lambda d: d["participants"][3].update(start_number=4.0), "$.participants[3].start_number"),
    (lambda d: d["participants"][3].update(name="  "), "$.participants[3].name"),
    (lambda d: d["participants"][3].update(name="a\u202eb"), "$.participants[3].name"),
    (lambda d: d["participants"][3].update(name="x" * 10_000), "$.participants[3].name"),
    (
        lambda d: d["participants"][0].update(
            payments=[{"kind": "fee", "cents": -300, "at": "2026-11-21T20:00:00Z", "by": ""}]
        ),
        "$.participants[0].payments[0].cents",
    ),
    (lambda d: d["tournament"].update(prize_plan=[]), "$.tournament.prize_plan"),
    (lambda d: d["tournament"].update(starts_at="19:30"), "$.tournament.starts_at"),
    (lambda d: d["tournament"].update(admits_at="18:00"), "$.tournament.admits_at"),
    (_with_fees(FEE, FEE), "$.tournament.fees[1].key"),
    (_with_fees(FEE | {"cents": -1}), "$.tournament.fees[0].cents"),
    (_with_fees(*(FEE | {"key": f"{n}"} for n in range(10))), "$.tournament.fees[9]"),
    (lambda d: d["participants"][0].update(fee="less"), "$.participants[0].fee"),
    (lambda d: d["participants"][0].update(town="x" * 81), "$.participants[0].town"),
    (_with_cash(LINE | {"kind": "fee"}), "$.cash[0].kind"),
    (_with_cash(LINE | {"cents": 0}), "$.cash[0].cents"),
    (_with_cash(LINE | {"cents": 1.5}), "$.cash[0].cents"),
    (_with_cash(LINE | {"desk": None}), "$.cash[0].desk"),
    (_with_cash(LINE | {"to": "Kasse 2"}), "$.cash[0].to"),
    (_with_cash(LINE | {"tip": 1}), "$.cash[0].tip"),
    (_with_cash(LINE | {"kind": "transfer", "to": "Kasse 1"}), "$.cash[0].to"),
    (_with_cash(LINE | {"pieces": {"100": 1}}), "$.cash[0].pieces"),
    (_with_cash(COUNT, COUNT | {"pieces": {"50": 1}}), "$.cash[1].pieces"),
    (_with_cash(COUNT | {"pieces": {"3": 1}}), '$.cash[0].pieces["3"]'),
    (_with_cash(LINE, LINE | {"takes_back": 1}), "$.cash[1].takes_back"),
    (_with_cash(LINE, LINE | {"takes_back": 0, "cents": 99}), "$.cash[1].takes_back"),
    (_with_cash(LINE, LINE | {"takes_back": 0, "desk": "Kasse 2"}), "$.cash[1].takes_back"),
    (_with_cash(LINE, *[LINE | {"takes_back": 0}] * 2), "$.cash[2].takes_back"),
    (_with_cash(LINE, LINE | {"takes_back": 0}, LINE | {"takes_back": 1}), "$.cash[2].takes_back"),
    (_with_cash(COUNT, COUNT | {"takes_back": 0}), "$.cash[1].takes_back"),
    (_with_changes("closed", "named"), "$.desks[0].changes[1].kind"),
    (_with_changes("opened", reason="Irrtum"), "$.desks[0].changes[0].kind"),
    (_with_changes("closed", "closed"), "$.desks[0].changes[1].kind"),
    (_with_changes("closed", "opened"), "$.desks[0].changes[1].reason"),
    (lambda d: d.update(desks=[{"name": "Kasse 1"}] * 2), "$.desks[1].name"),
    (lambda d: d["rounds"][0].update(number=2), "$.rounds[0].number"),
    (lambda d: d["rounds"].append({"number": 1, "state": "drawn", "tables": []}), "$.rounds[1].number"),
    (lambda d: d["rounds"].append({"number": 2, "state": "drawn", "tables": []}), "$.rounds[0].state"),
    (lambda d: d["rounds"][0].update(state="closed"), "$.rounds[0].closed_reason"),
    (
        lambda d: d["rounds"][0]["tables"][0]["seats"][1].update(start_number=1),
        f"{FIRST_TABLE}.seats[1].start_number",
    ),
    (
        lambda d: d["rounds"][0]["tables"][0]["seats"][1].update(start_number=99),
        f"{FIRST_TABLE}.seats[1].start_number",
    ),
    (
        lambda d: d["rounds"][0]["tables"][1]["seats"][1].update(start_number=1),
        "$.rounds[0].tables[1].seats[1].start_number",
    ),
    (lambda d: d["rounds"][0]["tables"][0]["seats"][0].update(seat_number=9), f"{FIRST_TABLE}.seats"),
    (_with_entries(_entry(kind="cheered")), f"{SECOND_LOG}[0].kind"),
    (_with_entries(_entry(data={"losers": [1], "ended_by": "knock"})), f"{SECOND_LOG}[0].data.finisher"),
    (_with_parked(PARKED, PARKED), f"{SECOND_PARKED}[1].id"),
    (lambda d: (_with_entries(_entry())(d), _with_parked(PARKED)(d)), f"{SECOND_PARKED}[0].id"),
    (_with_parked(PARKED | {"outcome": "adopted"}), f"{SECOND_PARKED}[0].outcome"),
    (lambda d: d["tournament"].update(date="20261121"), "$.tournament.date"),
    (_with_entries(_entry(made_at="2026-11-21")), f"{SECOND_LOG}[0].made_at"),
    (_with_entries(_entry(made_at="2026-11-21 20:00Z")), f"{SECOND_LOG}[0].made_at"),
    (_with_entries(_entry(made_at="9999-12-31T23:59:59Z")), f"{SECOND_LOG}[0].made_at"),
    (
        lambda d: d["participants"][0].update(withdrawn_at="2026-11-21T20:00:00Z"),
        "$.participants[0].withdrawn_at",
    ),
    (lambda d: d["participants"][0].update(start_number=10**30), "$"),
    (lambda d: d["rounds"][0].update(draw=DRAW | {"seed": "zz"}), "$.rounds[0].draw.seed"),
    (lambda d: d["rounds"][0].update(draw=DRAW | {"seed": "İ" * 64}), "$.rounds[0].draw.seed"),
    (_with_entries(_entry(data={"losers": [6], "ended_by": "knock", "finisher": None})), f"{SECOND_LOG}[0]"),
    (_with_entries(_entry(), _entry()), f"{SECOND_LOG}[1].id"),
    (_with_entries(_entry(made_at="gestern")), f"{SECOND_LOG}[0].made_at"),
    (_with_entries(_entry(made_at="2026-11-21T20:00:00")), f"{SECOND_LOG}[0].made_at"),
    (_with_entries(_entry(by="wirt")), f"{SECOND_LOG}[0].by"),
    (_with_entries(_entry(kind="submitted", data={})), f"{SECOND_LOG}[0]"),
    (
        lambda d: (_with_entries(_entry())(d), d["rounds"][0].update(state="drawn")),
        f"{SECOND_LOG}",
    ),
]


def tables_of(*sizes: int, ruleset: str) -> Document:
    """Return a document with a released round of tables of these sizes."""
    document = simple_evening("abend", players=20, ruleset=ruleset)
    players = iter(range(1, 21))
    document["rounds"][0]["tables"] = [
        {
            "number": number,
            "seats": [{"seat_number": seat, "start_number": next(players)} for seat in range(1, size + 1)],
        }
        for number, size in enumerate(sizes, start=1)
    ]
    return document


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ruleset", "sizes", "bad"),
    [
        ("schnauz-placing", (5, 1), 1),
        ("schnauz-placing", (8, 5), 0),
        ("konradsreuth", (5, 1), 1),
        ("konradsreuth", (8,), 0),
        ("fce", (5, 1), 1),
        ("knockout", (5, 8), 1),
        ("schafkopf", (5, 3), 0),
        ("schafkopf", (4, 3), 1),
        ("schafkopf", (0,), 0),
    ],
)
def test_a_table_of_a_size_that_there_never_is_is_refused(
    ruleset: str, sizes: tuple[int, ...], bad: int
) -> None:
    """RULES 1.1, 2.1, 3.1, 4.2 and 5.1."""
    with pytest.raises(DocumentError) as caught:
        imported(tables_of(*sizes, ruleset=ruleset))
    assert caught.value.path == f"$.rounds[0].tables[{bad}].seats"
    assert f"Einen Tisch mit {sizes[bad]} Spielern" in message(caught.value.refusal)
    assert Tournament.objects.count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ruleset", "sizes"),
    [
        ("schnauz-placing", (7, 2)),
        ("konradsreuth", (2, 3, 7)),
        ("fce", (4, 7)),
        ("knockout", (4, 3)),
        ("knockout", (7,)),
        ("knockout", (1,)),
        ("schafkopf", (4, 4)),
    ],
)
def test_tables_that_somebody_left_or_came_late_to_are_imported(ruleset: str, sizes: tuple[int, ...]) -> None:
    """With a latecomer, after a no-show, and as the final of a knockout, which may have fewer players."""
    tournament = imported(tables_of(*sizes, ruleset=ruleset))
    tables = export_tournament(tournament)["rounds"][0]["tables"]
    assert [len(table["seats"]) for table in tables] == list(sizes)


@pytest.mark.django_db
@pytest.mark.parametrize(("change", "path"), BAD)
def test_a_bad_document_names_its_first_bad_place_and_stores_nothing(
    change: Callable[[Document], object], path: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        imported(_changed(change))
    assert caught.value.path == path
    assert message(caught.value.refusal)
    assert Tournament.objects.count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", "null", '{"schema": NaN}', '{"schema": 1, "schema": 1}', "[" * 100_000, '"\\ud800"'],
)
def test_what_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(DocumentError):
        import_tournament(text, at=AT)


@pytest.mark.django_db
def test_a_slug_that_is_taken_is_refused() -> None:
    imported(simple_evening("abend"))
    with pytest.raises(DocumentError) as caught:
        imported(simple_evening("abend"))
    assert caught.value.path == "$.tournament.slug"


@settings(max_examples=20)
@given(st.integers(0, 10**9))
def test_the_draws_of_a_document_are_replayed(seed: int) -> None:
    verified = verify_draws(text_of(evening(seed, "abend")))
    assert [(one.round_number, one.attempts) for one in verified] == [(1, 1), (2, 1)]


@pytest.mark.parametrize("round_index", [0, 1])
def test_a_tampered_seating_is_found(round_index: int) -> None:
    document = evening(7, "abend")
    first, second, *_ = document["rounds"][round_index]["tables"][0]["seats"]
    first["start_number"], second["start_number"] = second["start_number"], first["start_number"]
    with pytest.raises(DocumentError) as caught:
        verify_draws(text_of(document))
    assert caught.value.path == f"$.rounds[{round_index}].tables[0]"


def test_a_tampered_seed_is_found() -> None:
    document = evening(7, "abend")
    document["rounds"][1]["draw"]["seed"] = "0" * 64
    with pytest.raises(DocumentError) as caught:
        verify_draws(text_of(document))
    assert caught.value.path == "$.rounds[1].tables[0]"
