"""Tests of events in pieces: whoever applies them has the same as whoever gets everything, in a few bytes."""

import json
import random
from typing import Any

import pytest
from django.utils import translation

from schnauz_turnier.live.sse import Channel, Rendered
from scoring.public import live, row_makers, rows
from scoring.public.kept_rows import KeptRows
from scoring.public.pieces import Fragment, marked_piece
from scoring.queries.public_view import PublicTable
from scoring.services import sheets, standings
from tests.factories import AT, TournamentFactory, a_paper_sheet, a_round
from tournaments.memory_size import size_of
from tournaments.models import Participant, Tournament

SMALL = 3_000  # bytes


def parts_of(event: bytes) -> dict[str, Any]:
    parts: dict[str, Any] = json.loads(event.partition(b"data: ")[2])["parts"]
    return parts


# --- the channel on its own ----------------------------------------------------------------------------------------


class Standings:
    """A figure, and rows with ranks in two lists, which change by chance: values, order, number, now and then the frame."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.frame, self.figure = chance, 0, 0
        self.order = list(range(1, 25))
        self.values = dict.fromkeys(range(1, 31), 0)

    def change(self) -> None:
        for person in self.chance.sample(self.order, self.chance.randint(0, 3)):
            self.values[person] += 1
            self.order.remove(person)
            if self.chance.random() < 0.8:  # else they have gone home
                self.order.insert(self.chance.randint(0, len(self.order)), person)
        gone = [person for person in self.values if person not in self.order]
        self.order += self.chance.sample(gone, min(len(gone), self.chance.choice([0, 0, 1])))
        self.figure = self.chance.randint(0, 2)
        self.frame += self.chance.random() < 0.1

    def fragment(self) -> Fragment:
        marked = marked_piece("done", f"<p>{self.figure}</p>")
        for name, start, end in (("first", 0, 12), ("second", 12, None)):
            marked += f'<ul data-list="{name}">'
            for place, person in enumerate(self.order[start:end], start=start + 1):
                body = f"{'Anna ' * 20}{person}: {self.values[person]}"
                rank = (f"r{person}", f"<b>{place}</b>")
                marked += marked_piece(f"p{person}", "<li>", name, inner=rank, after=f"{body}</li>")
            marked += "</ul>"
        return Fragment.of(f"<section>{self.frame}{marked}</section>")


class Viewer:
    """A page, as static/js/live.js keeps it."""

    def __init__(self, part: Fragment) -> None:
        self.part = part

    def take(self, event: bytes, known: Fragment) -> None:
        """Apply an event. known: the fragment that it describes, for a whole part."""
        for part in parts_of(event).values():
            if isinstance(part, str):
                assert part == known
                self.part = known
            else:
                self._renew(part["pieces"], part["lists"])

    def _renew(self, pieces: dict[str, str], lists: dict[str, list[str]]) -> None:
        html = {key: self.part.piece(key) for key in self.part.bodies}
        html |= {key: text for key, text in pieces.items() if key not in self.part.outer}
        for inner, outer in self.part.outer.items():
            if inner in pieces:
                html[outer] = html[outer].replace(self.part.piece(inner), pieces[inner])
        marked = ""
        keys = self.part.lists | lists
        for text in self.part.frame:
            name = text.removeprefix("\0")
            if text.startswith("\0\0"):
                marked += marked_piece(text[2:], html[text[2:]])
            elif text == name:
                marked += text
            for key in keys[name] if name in keys and text != name else ():
                before, rank, after = html[key].partition("</b>")
                of_rank = (f"r{key[1:]}", before.removeprefix("<li>") + rank)
                marked += marked_piece(key, "<li>", name, inner=of_rank, after=after)
        self.part = Fragment.of(marked)


@pytest.mark.parametrize("seed", range(8))
def test_whoever_applies_pieces_has_the_whole(seed: int) -> None:
    chance = random.Random(seed)
    state, channel = Standings(chance), Channel(("x", "players", "de"))
    channel.show(Rendered.of({"part": (now := state.fragment())}), boot="b", count=1, topics=set())
    viewers = [(1, Viewer(now)) for _ in range(3)]
    in_pieces = 0
    for count in range(2, 40):
        state.change()
        now = state.fragment()
        channel.show(Rendered.of({"part": now}), boot="b", count=count, topics={"sheet"})
        for number, (seen, viewer) in enumerate(viewers):
            if chance.random() < 0.5:  # else it is behind
                event = channel.since(seen, in_pieces=True)
                in_pieces += b'"pieces"' in event
                viewer.take(event, now)
                assert viewer.part == now
                viewers[number] = (count, viewer)
        assert parts_of(channel.since(0)) == {"part": now}
    assert in_pieces > 10


def test_whoever_comes_back_gets_pieces_and_whoever_is_unknown_everything() -> None:
    channel = Channel(("x", "players", "de"))
    rest = "x" * 500
    for count, figure in ((1, "1"), (2, "2")):
        part = Fragment.of(f"<p>{rest}{marked_piece('done', figure)}</p>")
        channel.show(Rendered.of({"part": part}), boot="b", count=count, topics=set())
    only = {"part": {"pieces": {"done": "2"}, "lists": {}}}
    assert parts_of(channel.lacking("b-1-0", in_pieces=True)) == only
    assert parts_of(channel.lacking("b-1-0")) == {"part": part}
    for unknown in ("", "c-1-0", "b-7-0"):
        assert parts_of(channel.lacking(unknown, in_pieces=True)) == {"part": part}
    assert channel.now is not None
    assert parts_of(channel.lacking(f"c-1-{channel.now.digest}", in_pieces=True)) == {}


# --- what the program sends ----------------------------------------------------------------------------------------


def an_evening(players: int, **fields: Any) -> Tournament:
    tournament = TournamentFactory.create(**fields)
    Participant.objects.bulk_create(
        Participant(
            tournament=tournament, start_number=number, name=f"Vorname Nachname {number}", registered_at=AT
        )
        for number in range(1, players + 1)
    )
    a_round(tournament)
    return tournament


def shown(tournament: Tournament, audience: str = "players", language: str = "de") -> dict[str, Any]:
    parts = live.render(tournament.slug, audience, language)
    assert parts is not None
    return parts


def news_of_a_stroke(tournament: Tournament, audience: str) -> tuple[bytes, bytes]:
    """Return the event of a stroke at table 1, for those who take pieces and for all others."""
    table = tournament.rounds.get().tables.get(number=1)
    stroke = ("stroke", {"seat_number": 2, "mark": "schnauz"})
    sheets.write(table, [stroke], by="x", at=AT)
    channel = Channel((tournament.slug, audience, "de"))
    channel.show(Rendered.of(shown(tournament, audience)), boot="b", count=1, topics=set())
    sheets.write(table, [stroke], by="x", at=AT)
    channel.show(Rendered.of(shown(tournament, audience)), boot="b", count=2, topics={"sheet"})
    return channel.since(1, in_pieces=True), channel.since(1)


@pytest.mark.django_db
@pytest.mark.parametrize("players", [12, 60, 300])
def test_news_of_a_stroke_are_its_card_however_many_play(players: int) -> None:
    in_pieces, whole = news_of_a_stroke(an_evening(players), "players")
    assert len(in_pieces) < SMALL
    part = parts_of(in_pieces)["seating"]
    assert (list(part["pieces"]), part["lists"]) == (["table-1"], {})
    assert 'id="table-1"' in part["pieces"]["table-1"]
    assert list(parts_of(whole)) == ["seating"]
    assert len(whole) > players * 100


@pytest.mark.django_db
@pytest.mark.parametrize("players", [60, 300])
def test_news_of_a_stroke_are_a_row_and_a_sum_on_the_wall(players: int) -> None:
    in_pieces, whole = news_of_a_stroke(an_evening(players), "screen")
    assert len(in_pieces) < SMALL
    assert sorted(parts_of(in_pieces)["screen"]["pieces"]) == ["strokes", "t1"]
    assert len(whole) > players * 40


@pytest.mark.django_db
def test_a_result_brings_its_rows_and_only_the_ranks_of_others() -> None:
    tournament = an_evening(60)
    tables = list(tournament.rounds.get().tables.order_by("number"))
    for number, table in enumerate(tables[:5]):
        a_paper_sheet(table, strokes=dict.fromkeys(range(2, 6), number))
    channel = Channel((tournament.slug, "standings", "de"))
    channel.show(Rendered.of(shown(tournament, "standings")), boot="b", count=1, topics=set())
    a_paper_sheet(tables[5])
    channel.show(Rendered.of(shown(tournament, "standings")), boot="b", count=2, topics={"sheet"})
    part = parts_of(channel.since(1, in_pieces=True))["standings"]
    seated = {f"p{seat.participant.start_number}" for seat in tables[5].seats.select_related("participant")}
    assert {key for key in part["pieces"] if not key.endswith("+")} == seated
    assert list(part["lists"]) == ["standings"]


@pytest.mark.django_db
def test_data_is_whole_for_everybody() -> None:
    in_pieces, whole = news_of_a_stroke(an_evening(12), "data")
    assert parts_of(in_pieces) == parts_of(whole)
    assert list(parts_of(whole)) == ["round"]


# --- rows that are kept --------------------------------------------------------------------------------------------


def all_that_is_shown(tournaments: list[Tournament]) -> list[str]:
    htmls: list[str] = []
    for tournament in tournaments:
        for language in ("de", "en"):
            for audience in ("players", "standings", "tables", "screen", "wall"):
                htmls += shown(tournament, audience, language).values()
    translation.deactivate()
    return htmls


def evenings_alike() -> list[Tournament]:
    """Return tournaments of the same players at the same tables, which are shown in different ways."""
    plain = an_evening(12, names="full")
    by_number = an_evening(12, names="number")
    frozen = an_evening(12, names="full")
    closed = an_evening(12, names="full")
    for tournament in (plain, by_number, frozen, closed):
        first, *others = tournament.rounds.get().tables.order_by("number")
        if tournament == frozen:
            standings.freeze(tournament, by="x", at=AT)
        a_paper_sheet(first, strokes={2: 3})
        for table in others if tournament == closed else ():
            a_paper_sheet(table)
    tournament_round = closed.rounds.get()
    tournament_round.state = "closed"
    tournament_round.save()
    return [plain, by_number, frozen, closed]


@pytest.mark.django_db
def test_no_row_is_kept_for_another_tournament_language_naming_or_freeze(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tournaments = evenings_alike()

    class Nothing(KeptRows):
        def of(self, _name: object) -> Any:
            return {}

    class OneForAll(KeptRows):
        def of(self, _name: object) -> Any:
            return super().of("everything")

        def keep(self, _name: object, rows: Any) -> None:
            super().keep("everything", rows)

    kept = [all_that_is_shown(tournaments) for _ in range(2)]
    monkeypatch.setattr(row_makers, "kept_rows", Nothing(0))
    anew = all_that_is_shown(tournaments)
    assert kept == [anew, anew]
    monkeypatch.setattr(row_makers, "kept_rows", OneForAll(10**9))
    assert all_that_is_shown(tournaments) != anew  # the name of a list makes the difference


@pytest.mark.django_db
def test_a_row_that_has_changed_is_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = an_evening(12)
    shown(tournament)
    card = rows._TableCards.html
    written: list[int] = []

    def html(maker: Any, table: PublicTable) -> str:
        written.append(table.number)
        return card(maker, table)

    monkeypatch.setattr(rows._TableCards, "html", html)
    sheets.write(
        tournament.rounds.get().tables.get(number=2),
        [("stroke", {"seat_number": 2, "mark": "schnauz"})],
        by="x",
        at=AT,
    )
    assert 'class="tally"' in shown(tournament)["seating"]
    assert written == [2]


TWO_ROWS = {"1": (0, "x" * 1000, ""), "2": (0, "y" * 1000, "")}


def lists_kept(room: int) -> set[str]:
    kept = KeptRows(room)
    for name in ("a", "b", "a", "c", "d"):
        kept.keep(name, kept.of(name) | TWO_ROWS)
    assert kept._size == sum(size for _rows, size in kept._lists.values()) <= room
    return {str(name) for name in kept._lists}


def test_the_lists_that_were_used_last_are_kept_as_long_as_there_is_room() -> None:
    size = size_of(("a", TWO_ROWS))
    assert lists_kept(room=4 * size) == {"a", "b", "c", "d"}
    assert lists_kept(room=3 * size) == {"a", "c", "d"}
    assert lists_kept(room=2 * size) == {"c", "d"}
    assert lists_kept(room=size - 1) == set()


def test_a_list_that_was_read_last_is_kept() -> None:
    kept = KeptRows(2 * size_of(("a", TWO_ROWS)))
    kept.keep("a", dict(TWO_ROWS))
    kept.keep("b", dict(TWO_ROWS))
    assert kept.of("a") == TWO_ROWS
    kept.keep("c", dict(TWO_ROWS))
    assert (kept.of("a"), kept.of("b")) == (TWO_ROWS, {})


def test_a_list_without_rows_takes_no_room() -> None:
    kept = KeptRows(1)
    assert kept.of("a") == {}
    assert not kept._lists


@pytest.mark.django_db
def test_the_rows_of_a_page_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptRows(10**9)
    monkeypatch.setattr(row_makers, "kept_rows", kept)
    shown(an_evening(12))
    assert kept._lists
    assert all(size > 0 for _rows, size in kept._lists.values())
