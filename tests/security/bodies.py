"""Bodies for every route that takes a form, found by sending one that has each field that the view looks for.

A field that is not known here fails the tests: say whether it holds an id, and a value that is right in our tournament.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.test import Client
from django.test.client import ClientHandler
from django.utils.datastructures import MultiValueDict

from tests.security.installation import ask, changed_since, rolled_back

REASON = "Grund"
NO_FIELDS = {"csrfmiddlewaretoken", "once"}
"""What is looked for in every form."""
IDS: dict[str, tuple[Any, Any]] = {
    "organiser:swap player": (["1", "2"], ["1", "501"]),
    "organiser:wishes player": ("3", "501"),
    r"\S+ other": ("4", "501"),
    "organiser:substitute who": ("", "501"),
    "organiser:join table": ("1", "4"),
    "organiser:leave moves": ("", "501:1"),
    "organiser:decide players": ("1 2", "501 502"),
    r"organiser:(give_prize|mark_absent|take_prize_back) player": ("1", "501"),
    "organiser:draw_lot players": ("1 2", "501 502"),
    "organiser:remove_wish a": ("1", "501"),
    "organiser:remove_wish b": ("2", "502"),
    r"\S+ losers": (["2"], ["7"]),
    r"\S+ finisher": ("", "7"),
    r"\S+ declarer": ("1", "7"),
    r"\S+ partner": ("2", "7"),
    r"organiser:scribes table_\d": ("1", "7"),
    "door:move_cash move": ("to-2", "to-502"),
    "door:sign_up same_as": ("1", "501"),
    "organiser:confirm_code code": ("000001", "000501"),
}
"""Fields that hold an id of a tournament: the value in our tournament, and one that only the foreign tournament has."""
VALUES: dict[str, Any] = {
    "door:rename_till desk": "Theke",
    r"door:name_desk (float|with_money)": "",
    "door:move_cash confirmed": "",
    "organiser:wishes table": "",
    "organiser:club_person (fee|names|table|apart|member_number|member_(from|until)_on)": "",
    "organiser:club_person_consent what": "keep",
    "organiser:club_person_consent is_given": "1",
    "organiser:club_person_consent how": "paper",
    "organiser:club_person_consent on": "21.11.2026",
    "organiser:close standings": "",
    "organiser:remove_wish kind": "keep_apart",
    "organiser:invite role": "cashier",
    r"organiser:show_scene scene": "black",
    r"organiser:reveal (step|seen)": "",
    r"organiser:(start|stop)_clock round": "1",
    "organiser:start_clock minutes": "45",
    "organiser:start_clock wait": "5",
    r"organiser:\S+ (screen|listed)": "",
    r"organiser:(report|end)_missing seat": "1",
    "organiser:swap look": None,
    r"organiser:(accept) board": None,
    "public:flag deal": "",
    "sign_up:(form|mine) code": "ABCDEFGH2345",
    r"sign_up:\S+ (hall|names)": "",
    r"organiser:decide_(all_)?parked outcome": "discard",
    "organiser:decide_all_parked up_to": str(2**63 - 1),
    "public:ask_for_code screen": "1",
    r"organiser:(draw|redraw) (mode|ceremony|prefer|exceptions)": "",
    "organiser:prize_plan look": None,
    "organiser:start_round running": None,
    r"organiser:(give_prize|mark_absent|take_prize_back) (prize|thing|everything)": "",
    "organiser:prize_plan rounding": "50",
    "organiser:prize_plan rest": "club",
    "organiser:prize_plan prize-0-money": "5",
    r"organiser:prize_plan prize-\d+-money": None,
    "organiser:prize_plan prize-0-ranks": "1",
    r"organiser:prize_plan \S+": "",
    "organiser:take_back sequence": "1",
    r"organiser:(come|end_missing|look_at_flag|close_flag) back": None,
    "organiser:paper_line line": "12345 0",
    "organiser:correct accept": "",
    "organiser:read_copy slug": "",
    "organiser:delete from_series": "",
    "organiser:roll_of_honour lines": "1998; Wer Anders",
    "organiser:type_evening lines": "1; Wer Anders; 18",
    "organiser:type_evening day": "1.5.1998",
    "organiser:all_series preset": "best-seven",
    "organiser:make_final played_on": "1.5.2027",
    r"organiser:(all_series|series) (planned|rule|evening|drop)": "",
    "organiser:scribes first": None,
    r"organiser:(exclude|exclude_table) offered": "",
    r"\S+ ended_by": "knock",
    r"\S+ game": "ruf",
    r"\S+ level": "normal",
    r"\S+ won": "yes",
    r"\S+ (reason|word|words|text|name|note)": REASON,
    r"organiser:show_picture (on_wall|caption)": "",
    r"\S+ initials": "AB",
    r"door:\S+ (cents|piece_\d+)": "1",
    r"organiser:fees (name|cents)_\d": "",
    r"organiser:sign_ups (closes_at|most|only_in_hall|without_desk|step)": "",
    r"door:(register|choose_fee) (fee|person)": "",
    r"door:\S+ chosen": "",
    r"\S+ (club|town|desk|anyway|unpaid|paid|enter|seen|next|from|me|q|only|page|every|replace|as_new|others|private)": "",
    r"organiser:again take": "place",
    r"organiser:(new|again|settings) (admits_at|base|choose|names|is_hidden|hides_amounts|place|played_on|public_until_on|slug|starts_at|rules-\S+)": "",
    r"organiser:paper_line [a-z_]+_\d": "",
    "account:(invite|set_club_role) role": "cashier",
    r"account:\S+ \S+": "",
    r"door:import_list (order|column|guess|fee_word|fee)": "",
    r"door:import_list (doubles|capitals|small)": None,
    "door:take_list_out untouched": None,
    r"door:\S+ waiting": "",
    r"set_language language": "de",
    r"organiser:decide (kind|place_\d+)": "",
}
"""Fields that hold none: a value for the body; None for a button that is not pressed."""


class _FilledIn(QueryDict):
    """Form data in which each field that is looked for has its value. It remembers which were."""

    def __init__(self, route: str, read: set[str]) -> None:
        self._route, self._read = route, read
        super().__init__()

    def __getitem__(self, key: str) -> Any:
        self._fill_in(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._fill_in(str(key))
        return super().__contains__(key)

    def getlist(self, key: str, default: Any = None) -> Any:
        self._fill_in(key)
        return super().getlist(key, default)

    def _fill_in(self, key: str) -> None:
        if key in self._read or key in NO_FIELDS:
            return
        self._read.add(key)
        with suppress(KeyError):  # whoever fills in the form finds out
            value = value_of(self._route, key)
            if value is not None:
                MultiValueDict.setlist(self, key, value if isinstance(value, list) else [value])


class _FillingIn(ClientHandler):
    """The handler of a test client that fills in each form while its view reads it."""

    def __init__(self, route: str) -> None:
        super().__init__(enforce_csrf_checks=False)
        self.route, self.read = route, set[str]()

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "POST":
            request.POST = _FilledIn(self.route, self.read)  # type: ignore[assignment]
        return super().get_response(request)


def fill_in(
    client: Client, route: str, address: str, before: Mapping[str, str]
) -> tuple[dict[str, Any], int, list[str]]:
    """Send a form with every field that the route reads.

    Return its body, the status of the answer, and the tables that it changed, none if it is refused. before: their checksums.
    """
    sender = Client()
    sender.cookies, sender.handler = client.cookies, _FillingIn(route)
    with rolled_back():
        status = ask(sender, "POST", address, undone=False).status_code
        values = {field: value_of(route, field) for field in sorted(sender.handler.read)}
        body = {field: value for field, value in values.items() if value is not None}
        return body, status, changed_since(before) if status < 400 else []


def value_of(route: str, field: str) -> Any:
    """Return the value of a field in our tournament. Raise KeyError for a field that is not known."""
    named = f"{route} {field}"
    own = {pattern: ids[0] for pattern, ids in IDS.items()}
    for pattern, value in (own | VALUES).items():
        if re.fullmatch(pattern, named):
            return value
    raise KeyError(f"{named}: say in tests/security/bodies.py whether this field holds an id")


def foreign_value_of(route: str, field: str) -> Any:
    """Return a value that is an id of the foreign tournament only; None if the field holds no id."""
    named = f"{route} {field}"
    return next((ids[1] for pattern, ids in IDS.items() if re.fullmatch(pattern, named)), None)
