"""Context and fragments of the registration page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.core.bracket_preview import stages
from tournaments.core.fees import FeeKind
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import Sizes
from tournaments.door.forms import RegistrationForm
from tournaments.door.sign_ups.rows import waiting_rows
from tournaments.models import Participant, Person, Tournament
from tournaments.once import mark_unchanged
from tournaments.queries.door import Door, DoorRow, SeatInPlay
from tournaments.queries.door import door as load_door
from tournaments.queries.people import namesake_of
from tournaments.requests import StaffRequest, desk_name, next_path
from tournaments.rulesets.schema import Ruleset
from tournaments.text.money import euros
from tournaments.text.refusals import message
from tournaments.text.table_sizes import explain_sizes, explain_stages

_LATEST = 40
ROWS_A_PAGE = 100


_CHOICES: Mapping[str, Callable[[DoorRow], bool]] = {
    "announced": lambda row: row.is_announced,
    "unpaid": lambda row: row.is_unpaid,
    "absent": lambda row: row.is_absent,
    "gone": lambda row: not row.takes_part,
}


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected part of the list: matches of a search, one filter, all by name in pages, or the latest.

    waiting: whether to show all waiting sign-ups above it, and not only the first. fee: key of the kind of fee with which the
    buttons check in, "" for each player's own.
    """

    text: str
    only: str
    every: bool
    page: str
    waiting: bool = False
    fee: str = ""

    @classmethod
    def of(cls, asked: QueryDict) -> "Selection":
        only = asked.get("only", "")
        return cls(
            text=_one_line(asked.get("q", "")),
            only=only if only in _CHOICES else "",
            every=asked.get("every") == "1",
            page=asked.get("page", "1")[:6],
            waiting=asked.get("waiting") == "1",
            fee=asked.get("chosen", "")[:40],
        )

    @classmethod
    def matches(cls, text: str) -> "Selection":
        """Return the selection of a search text; all players if it is empty."""
        return cls(text=_one_line(text), only="", every=False, page="1")

    @property
    def query(self) -> str:
        parts = {
            "q": self.text,
            "only": self.only,
            "every": "1" if self.every else "",
            "page": self.page,
            "waiting": "1" if self.waiting else "",
            "chosen": self.fee,
        }
        return urlencode(
            {name: value for name, value in parts.items() if value and (name, value) != ("page", "1")}
        )

    def kind(self, door: Door) -> FeeKind | None:
        """Return the kind of fee that was chosen, None for the default one."""
        return next((kind for kind in door.fee_kinds[1:] if kind.key == self.fee), None)

    def rows(self, door: Door) -> "Page[DoorRow]":
        rows = door.find(self.text)
        if kind := self.kind(door):
            rows = tuple(replace(row, fee_cents=kind.cents) if row.is_awaited else row for row in rows)
        if self.only:
            rows = tuple(row for row in rows if _CHOICES[self.only](row))
        if self.every:
            order = {row.start_number: place for place, row in enumerate(door.by_name())}
            rows = tuple(sorted(rows, key=lambda row: order[row.start_number]))
        return Paginator(rows, ROWS_A_PAGE if self.every else _LATEST).get_page(self.page)


def _one_line(text: str) -> str:
    return " ".join(text[:80].split())


@dataclass(frozen=True, slots=True)
class Note:
    """The result of an action, with the name of the action that undoes it.

    level: that of a message; only of a success is there something to undo.
    seat: of a player who left during play; an organiser enters their rank or removes them from the table. sign_up: number of
    the sign-up that the undo is for, 0 if it is for the player. capitals: the name with capitals, if it was typed in small letters
    and is asked about. before: further parameters of the undo. asks_to_keep: whether to ask if the
    club may remember the player. namesake: the person of the club whom the player may be.
    """

    text: str
    detail: str = ""
    start_number: int = 0
    undo: str = ""
    level: int = messages.SUCCESS
    seat: SeatInPlay | None = None
    sign_up: int = 0
    capitals: str = ""
    before: tuple[tuple[str, str], ...] = ()
    asks_to_keep: bool = False
    namesake: Person | None = None

    @classmethod
    def about(cls, person: DoorRow | Participant, *details: str, undo: str = "", **more: Any) -> "Note":
        """Return a note about a player. details: empty ones are left out."""
        number = person.start_number
        text = _("Nr. %(number)s · %(name)s") % {"number": number, "name": person.name}
        return cls(text, " · ".join(filter(None, details)), number, undo, **more)

    def asking(self, tournament: Tournament, name: str, town: str) -> "Note":
        """Return the note about a player who is nobody of the club yet, with the question who they are."""
        if tournament.is_practice:
            return self
        return replace(self, asks_to_keep=True, namesake=namesake_of(tournament, name, town))

    @property
    def kind(self) -> str:
        return messages.DEFAULT_TAGS[self.level]

    @property
    def is_success(self) -> bool:
        return self.level == messages.SUCCESS


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The tables for a head count, in short, and a sentence if they are unusual."""

    players: int
    tables: str
    sentence: str
    is_now: bool


def _plan(door: Door) -> str:
    """Return the number of rounds for the players present, in words; "" unless the ruleset is a knockout."""
    try:
        return "" if door.joining_ended else explain_stages(stages(door.next_players, door.rules))
    except Refusal:
        return ""


def _what_if(door: Door) -> list[WhatIf]:
    return [_what_if_row(door, players, result) for players, result in door.what_if]


def _what_if_row(door: Door, players: int, result: Sizes | Refusal) -> WhatIf:
    if isinstance(result, Refusal):
        return WhatIf(players, "–", message(result), players == door.next_players)
    rules = door.rules
    sentence = explain_sizes(players, result, rules.tables, rules.qualifying)
    return WhatIf(players, _tables_and_rounds(players, result, rules), sentence, players == door.next_players)


def _tables_and_rounds(players: int, sizes: Sizes, rules: Ruleset) -> str:
    """Return „6 × 6 · 3 Spielrunden“, without the rounds if they are the same for every head count."""
    count = len(stages(players, rules))
    if not count:
        return _in_short(sizes)
    rounds = ngettext("eine Spielrunde", "%(count)s Spielrunden", count) % {"count": count}
    return f"{_in_short(sizes)} · {rounds}"


def _in_short(sizes: Sizes) -> str:
    """Return „7 × 5 + 2 × 6“, the more frequent size first."""
    counted = sorted(((sizes.sizes.count(size), size) for size in set(sizes.sizes)), reverse=True)
    return " + ".join(f"{count}\u202f×\u202f{size}" for count, size in counted)


def door_context(
    request: StaffRequest, tournament: Tournament, door: Door, selection: Selection | None = None, **more: Any
) -> dict[str, Any]:
    selection = selection or Selection.of(request.POST if request.method == "POST" else request.GET)
    return {
        "tournament": tournament,
        "door": door,
        "selection": selection,
        "page": selection.rows(door),
        "chosen": selection.kind(door),
        "waiting": waiting_rows(door, selection.text, selection.kind(door), every=selection.waiting),
        "what_if": [] if door.joining_ended else _what_if(door),
        "joining_ended": message(door.joining_ended) if door.joining_ended else "",
        "plan": _plan(door),
        "desk": desk_name(request),
        "form": RegistrationForm(),
    } | more


def fragments(
    request: StaffRequest, context: dict[str, Any], first: str, *others: str, status: int = 200
) -> HttpResponse:
    """Return the first fragment for the requesting element, the others as out-of-band swaps."""
    parts = [render_to_string(f"tournaments/door/{first}.html", context, request)]
    parts += [
        render_to_string(f"tournaments/door/{name}.html", context | {"oob": True}, request) for name in others
    ]
    return HttpResponse("".join(parts), status=status)


def done(
    request: StaffRequest,
    tournament: Tournament,
    note: Note,
    first: str,
    *others: str,
    selection: Selection | None = None,
) -> HttpResponse:
    if not note.is_success:
        mark_unchanged(request)
    if not request.htmx:
        messages.add_message(request, note.level, " – ".join(filter(None, (note.text, note.detail))))
        return redirect(back_to(request, tournament, note.start_number))
    context = door_context(request, tournament, load_door(tournament), note=note, selection=selection)
    return fragments(request, context, first, *others, "_panel", "_note")


def back_to(request: StaffRequest, tournament: Tournament, start_number: int) -> str:
    if request.POST.get("from") == "roll-call":
        return f"{reverse('door:roll_call', args=[tournament.slug])}#person-{start_number}"
    if wanted := next_path(request):
        return wanted
    if request.POST.get("from") == "person":
        return reverse("door:person", args=[tournament.slug, start_number])
    return f"{reverse('door:desk', args=[tournament.slug])}?{Selection.of(request.POST).query}"


def fee_in_words(tournament: Tournament, cents: int, *, paid: bool) -> str:
    if not cents:
        return ""
    if tournament.hides_amounts:
        return pgettext("eines Spielers", "bezahlt") if paid else _("offen")
    return (_("%(fee)s kassiert") if paid else _("%(fee)s offen")) % {"fee": euros(cents)}


def changed_fee(tournament: Tournament, fee: str) -> str:
    """Return the chosen kind of fee of a registered player, "" for the default, which changes nothing."""
    return "" if fee == tournament.fee_kinds[0].key else fee
