"""At the door: one line registers, one tap does the rest; two laptops show the same.

Each action answers a fragment request with what has changed on the page (the list, the figures, a note with the
way back), and a plain form post with a redirect. Typed text stands in a fragment of its own that no other
answer touches.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.access import organiser_required
from tournaments.core.names import same_name_key
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import Sizes
from tournaments.core.stages import stages
from tournaments.forms.door import DeskForm, PersonForm, RegistrationForm
from tournaments.forms.fields import add_refusal
from tournaments.models import Tournament
from tournaments.queries import door as door_queries
from tournaments.queries.door import Door, DoorRow
from tournaments.rulesets.schema import Ruleset
from tournaments.services import door as services
from tournaments.templatetags.money import euros
from tournaments.wording import explain_sizes, explain_stages, word

_FOLDER = "tournaments/organiser/"
_LATEST = 40
_A_PAGE = 100


# --- what the page shows --------------------------------------------------------------------------------------------


_CHOICES: Mapping[str, Callable[[DoorRow], bool]] = {
    "announced": lambda row: row.is_announced,
    "unpaid": lambda row: row.is_unpaid,
    "absent": lambda row: row.is_absent,
    "gone": lambda row: not row.takes_part,
}


@dataclass(frozen=True, slots=True)
class Shown:
    """Which part of the list somebody looks at: a search, a choice, everybody page by page, or the latest."""

    text: str
    only: str
    every: bool
    page: str

    @classmethod
    def of(cls, asked: QueryDict) -> "Shown":
        only = asked.get("only", "")
        return cls(
            text=" ".join(asked.get("q", "")[:80].split()),
            only=only if only in _CHOICES else "",
            every=asked.get("every") == "1",
            page=asked.get("page", "1")[:6],
        )

    @property
    def query(self) -> str:
        parts = {"q": self.text, "only": self.only, "every": "1" if self.every else "", "page": self.page}
        return urlencode(
            {name: value for name, value in parts.items() if value and (name, value) != ("page", "1")}
        )

    def rows(self, door: Door) -> "Page[DoorRow]":
        rows = door.find(self.text)
        if self.only:
            rows = tuple(row for row in rows if _CHOICES[self.only](row))
        if self.every:
            order = {row.start_number: place for place, row in enumerate(door.by_name())}
            rows = tuple(sorted(rows, key=lambda row: order[row.start_number]))
        return Paginator(rows, _A_PAGE if self.every else _LATEST).get_page(self.page)


@dataclass(frozen=True, slots=True)
class Note:
    """What just happened, with the way back: the action that undoes it."""

    text: str
    detail: str = ""
    start_number: int = 0
    undo: str = ""
    kind: str = "success"


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The tables that a head count would give, in short, and a sentence where they are not the usual ones."""

    players: int
    tables: str
    sentence: str
    is_now: bool


def _plan(door: Door) -> str:
    """Where players drop out: how many rounds it will be for those who are here."""
    try:
        return "" if door.joining_ended else explain_stages(stages(door.present, door.rules))
    except Refusal:
        return ""


def _what_if(door: Door) -> list[WhatIf]:
    return [_what_if_row(door, players, result) for players, result in door.what_if]


def _what_if_row(door: Door, players: int, result: Sizes | Refusal) -> WhatIf:
    if isinstance(result, Refusal):
        return WhatIf(players, "–", word(result), players == door.present)
    rules = door.rules
    sentence = explain_sizes(players, result, rules.tables, rules.qualifying)
    return WhatIf(players, _tables_and_rounds(players, result, rules), sentence, players == door.present)


def _tables_and_rounds(players: int, sizes: Sizes, rules: Ruleset) -> str:
    """„6 × 6 · 3 Spielrunden“; without the rounds where they are the same for every head count."""
    count = len(stages(players, rules))
    if not count:
        return _in_short(sizes)
    rounds = ngettext("eine Spielrunde", "%(count)s Spielrunden", count) % {"count": count}
    return f"{_in_short(sizes)} · {rounds}"


def _in_short(sizes: Sizes) -> str:
    """„7 × 5 + 2 × 6“: the commoner size first."""
    counted = sorted(((sizes.sizes.count(size), size) for size in set(sizes.sizes)), reverse=True)
    return " + ".join(f"{count}\u202f×\u202f{size}" for count, size in counted)


def _context(request: HttpRequest, tournament: Tournament, door: Door, **more: Any) -> dict[str, Any]:
    shown = Shown.of(request.POST if request.method == "POST" else request.GET)
    return {
        "tournament": tournament,
        "section": "door",
        "door": door,
        "shown": shown,
        "page": shown.rows(door),
        "what_if": [] if door.joining_ended else _what_if(door),
        "joining_ended": word(door.joining_ended) if door.joining_ended else "",
        "plan": _plan(door),
        "desk": request.session.get("desk", ""),
        "form": RegistrationForm(),
    } | more


def _fragments(
    request: HttpRequest, context: dict[str, Any], first: str, *others: str, status: int = 200
) -> HttpResponse:
    """The first fragment for the place that asked, the others to be put into theirs."""
    parts = [render_to_string(f"{_FOLDER}{first}.html", context, request)]
    parts += [render_to_string(f"{_FOLDER}{name}.html", context | {"oob": True}, request) for name in others]
    return HttpResponse("".join(parts), status=status)


# --- the page, the list, registering ----------------------------------------------------------------------------------


@require_safe
@never_cache
@organiser_required(cashier=True)
def door(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return render(
        request, f"{_FOLDER}door.html", _context(request, tournament, door_queries.door(tournament))
    )


@require_safe
@never_cache
@organiser_required(cashier=True)
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The list and the figures, asked for every few seconds: 204 as long as nothing has changed."""
    if not getattr(request, "htmx", False):
        return redirect(f"{reverse('organiser:door', args=[tournament.slug])}?{Shown.of(request.GET).query}")
    found = door_queries.door(tournament)
    if request.GET.get("version") == found.version:
        return HttpResponse(status=204)
    return _fragments(request, _context(request, tournament, found), "_door_list", "_door_panel")


@require_POST
@organiser_required(cashier=True)
def register(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A walk-in. A name that is there already is warned about once; the same line again enters it."""
    form = RegistrationForm(request.POST)
    found = door_queries.door(tournament)
    if not form.is_valid():
        return _line_again(request, tournament, found, form)
    data = form.cleaned_data
    key = same_name_key(data["name"])
    namesakes = found.namesakes(data["name"])
    if namesakes and data["anyway"] != key:
        asked_again = RegistrationForm(initial=data | {"anyway": key})
        return _line_again(request, tournament, found, asked_again, namesakes=namesakes)
    try:
        participant = services.register(
            tournament,
            name=data["name"],
            club=data["club"],
            paid=not data["unpaid"],
            **Desk.of(request).booked,
        )
    except Refusal as refusal:
        add_refusal(form, refusal, {refusal.code: "name"})
        return _line_again(request, tournament, found, form)
    note = Note(
        text=_("Nr. %(number)s · %(name)s") % {"number": participant.start_number, "name": participant.name},
        detail=_fee_in_words(found.rules.entry_fee_cents, unpaid=data["unpaid"]),
        start_number=participant.start_number,
        undo="unregister",
    )
    return _done(request, tournament, note, "_door_line", "_door_list")


def _fee_in_words(cents: int, *, unpaid: bool) -> str:
    if not cents:
        return ""
    return (_("%(fee)s offen") if unpaid else _("%(fee)s kassiert")) % {"fee": euros(cents)}


def _line_again(
    request: HttpRequest,
    tournament: Tournament,
    found: Door,
    form: RegistrationForm,
    namesakes: tuple[DoorRow, ...] = (),
) -> HttpResponse:
    context = _context(request, tournament, found, form=form, namesakes=namesakes)
    if getattr(request, "htmx", False):
        return _fragments(request, context, "_door_line", status=422)
    return render(request, f"{_FOLDER}door.html", context, status=422)


def _done(request: HttpRequest, tournament: Tournament, note: Note, first: str, *others: str) -> HttpResponse:
    if not getattr(request, "htmx", False):
        level = messages.ERROR if note.kind == "error" else messages.SUCCESS
        messages.add_message(request, level, " – ".join(filter(None, (note.text, note.detail))))
        return redirect(_back(request, tournament, note.start_number))
    context = _context(request, tournament, door_queries.door(tournament), note=note)
    return _fragments(request, context, first, *others, "_door_panel", "_door_note")


def _back(request: HttpRequest, tournament: Tournament, start_number: int) -> str:
    if request.POST.get("from") == "roll-call":
        return f"{reverse('organiser:roll_call', args=[tournament.slug])}#person-{start_number}"
    if request.POST.get("from") == "round" and (number := request.POST.get("round", "")[:4]).isdecimal():
        return reverse("sheets:round", args=[tournament.slug, int(number)])
    if request.POST.get("from") == "person":
        return reverse("organiser:person", args=[tournament.slug, start_number])
    return f"{reverse('organiser:door', args=[tournament.slug])}?{Shown.of(request.POST).query}"


@require_POST
@organiser_required(cashier=True)
def name_desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The name that this browser's payments are booked under."""
    form = DeskForm(request.POST)
    if form.is_valid():
        request.session["desk"] = form.cleaned_data["desk"]
    else:
        messages.error(request, str(form.errors["desk"][0]))
    return redirect("organiser:cash", tournament.slug)


# --- what can be done with one person ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Desk:
    """Who does it, when, and where."""

    by: str
    at: datetime
    desk: str

    @classmethod
    def of(cls, request: HttpRequest) -> "Desk":
        return cls(request.user.get_username(), timezone.now(), request.session.get("desk", ""))

    @property
    def booked(self) -> dict[str, Any]:
        return {"by": self.by, "at": self.at, "desk": self.desk}


@dataclass(frozen=True, slots=True)
class Action:
    do: Callable[[Tournament, int, Desk], object]
    detail: Promise
    undo: str = ""


_ACTIONS: Mapping[str, Action] = {
    "present": Action(
        lambda t, n, _desk: services.set_presence(t, n, present=True), gettext_lazy("ist da"), undo="absent"
    ),
    "absent": Action(
        lambda t, n, _desk: services.set_presence(t, n, present=False), gettext_lazy("fehlt"), undo="present"
    ),
    "announced": Action(
        lambda t, n, _desk: services.take_back_check_in(t, n),
        gettext_lazy("ist angekündigt, noch nicht da"),
        undo="present",
    ),
    "withdraw": Action(
        lambda t, n, desk: services.withdraw(t, n, at=desk.at), gettext_lazy("ist abgemeldet"), undo="return"
    ),
    "return": Action(
        lambda t, n, _desk: services.take_back_withdrawal(t, n),
        gettext_lazy("spielt wieder mit"),
        undo="withdraw",
    ),
    "pay": Action(
        lambda t, n, desk: services.take_fee(t, n, **desk.booked), gettext_lazy("hat bezahlt"), undo="refund"
    ),
    "refund": Action(
        lambda t, n, desk: services.refund_fee(t, n, **desk.booked),
        gettext_lazy("hat das Geld zurück"),
        undo="pay",
    ),
    "hide-name": Action(
        lambda t, n, _desk: services.name_in_public(t, n, names=Tournament.Names.NUMBER.value),
        gettext_lazy("steht in der Öffentlichkeit nur noch mit der Nummer"),
        undo="show-name",
    ),
    "show-name": Action(
        lambda t, n, _desk: services.name_in_public(t, n, names=""),
        gettext_lazy("wird in der Öffentlichkeit genannt, wie es im Turnier eingestellt ist"),
        undo="hide-name",
    ),
    "unregister": Action(
        lambda t, n, desk: services.take_back_registration(t, n, **desk.booked),
        gettext_lazy("Anmeldung zurückgenommen"),
    ),
}


@require_POST
@organiser_required(cashier=True)
def act(request: HttpRequest, tournament: Tournament, start_number: int, action: str) -> HttpResponse:
    """One tap on one person; the note that follows offers the way back."""
    before = _person(tournament, start_number)
    chosen = _ACTIONS.get(action)
    if chosen is None:
        raise Http404
    try:
        chosen.do(tournament, start_number, Desk.of(request))
    except Refusal as refusal:
        note = Note(word(refusal), start_number=start_number, kind="error")
    else:
        undo = "announced" if action == "present" and before.is_announced else chosen.undo
        text = _("Nr. %(number)s · %(name)s") % {"number": start_number, "name": before.name}
        note = Note(text, str(chosen.detail), start_number, undo)
    if request.POST.get("from") == "roll-call" and getattr(request, "htmx", False):
        return _roll_call_answer(request, tournament, note)
    return _done(request, tournament, note, "_door_list")


def _roll_call_answer(request: HttpRequest, tournament: Tournament, note: Note) -> HttpResponse:
    """The tapped name alone: among 300 the others stay where they are. A second tap is the way back."""
    found = door_queries.door(tournament)
    context = _context(request, tournament, found, note=note if note.kind == "error" else None)
    context["row"] = found.person(note.start_number)
    return _fragments(request, context, "_roll_call_person", "_roll_call_figures", "_door_note")


def _person(tournament: Tournament, start_number: int) -> DoorRow:
    row = door_queries.door(tournament).person(start_number)
    if row is None:
        raise Http404
    return row


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_required(cashier=True)
def person(request: HttpRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    """Everything about one participant: his name to correct, what he paid, what can be done."""
    row = _person(tournament, start_number)
    form = PersonForm(request.POST or None, initial={"name": row.name, "club": row.club, "names": row.names})
    if form.is_valid():
        try:
            services.edit_participant(tournament, start_number, **form.cleaned_data)
        except Refusal as refusal:
            add_refusal(form, refusal, {})
        else:
            messages.success(request, _("Nr. %(number)s ist geändert.") % {"number": start_number})
            return redirect("organiser:door", tournament.slug)
    context = {
        "tournament": tournament,
        "section": "door",
        "row": row,
        "form": form,
        "ledger": door_queries.ledger(tournament, start_number),
        "may_exclude": getattr(request, "role", "") != "cashier",
        "can_be_replaced": _can_be_replaced(request, tournament, start_number),
    }
    return render(request, f"{_FOLDER}person.html", context, status=422 if form.errors else 200)


def _can_be_replaced(request: HttpRequest, tournament: Tournament, start_number: int) -> bool:
    """Whether an organiser may ask for a substitute for him: where all rounds are drawn ahead and he has a seat."""
    is_organiser = getattr(request, "role", "") != "cashier"
    return is_organiser and tournament.rules.drawn_ahead and door_queries.has_seat(tournament, start_number)


@require_safe
@never_cache
@organiser_required(cashier=True)
def roll_call(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Between two rounds: everybody by name, and one tap on whoever is missing."""
    found = door_queries.door(tournament)
    is_fragment = getattr(request, "htmx", False)
    if is_fragment and request.GET.get("version") == found.version:
        return HttpResponse(status=204)
    context = _context(request, tournament, found)
    if is_fragment:
        return _fragments(request, context, "_roll_call")
    return render(request, f"{_FOLDER}roll_call.html", context)
