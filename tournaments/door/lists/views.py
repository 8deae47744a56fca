"""Views to import a list of players and to download participants and payments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from hashlib import blake2b

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.cache import never_cache

from tournaments.access import cashier_view
from tournaments.core.fees import FeeKind, kind_of
from tournaments.core.name_order import NAME_ORDERS, NameOrder
from tournaments.core.names import public_name
from tournaments.core.refusal import Refusal
from tournaments.door.lists.columns import known_meanings
from tournaments.door.lists.people_list import (
    GoodLine,
    ListContext,
    PeopleList,
    read_people,
)
from tournaments.list_files import posted_list
from tournaments.models import CashEntry, Tournament
from tournaments.once import mark_unchanged
from tournaments.person_details import PERSON_DETAILS
from tournaments.queries import door as door_queries
from tournaments.queries.door import Door, DoorRow
from tournaments.queries.ledger import ledger
from tournaments.queries.people_lists import imported_lists
from tournaments.queries.sign_ups import SignUpRow
from tournaments.requests import StaffRequest, signed
from tournaments.security_log import download
from tournaments.services.people_lists import MOST_AT_ONCE, announce, take_out_list
from tournaments.spreadsheets import CONTENT_TYPES, Cell, file_of
from tournaments.text.money import word_fee
from tournaments.text.refusals import message
from tournaments.text.states import word_payment, word_state

ORDERS: Mapping[NameOrder, Promise] = {
    "first_last": gettext_lazy("Vorname Nachname"),
    "last_first": gettext_lazy("Nachname Vorname"),
    "comma": gettext_lazy("Nachname, Vorname"),
}
_EXAMPLES = 3


def _word_meanings() -> list[tuple[str, object]]:
    """Return what a column may become, with its name."""
    words: dict[str, object] = {
        "": _("nicht übernehmen"),
        "number": _("Teiln.-Nr."),
        "name": _("Name"),
        "first": _("Vorname"),
        "last": _("Nachname"),
        "club": _("Verein"),
        "fee": _("Beitrag"),
        "paid": _("Bezahlt"),
    }
    return list((words | {key: detail.name for key, detail in PERSON_DETAILS.items()}).items())


@dataclass(frozen=True, slots=True)
class ListChoices:
    """Choices for a list. columns: meanings, by column; fee_words: keys of fees, by the word in the list."""

    order: str = ""
    columns: Mapping[int, str] = field(default_factory=dict)
    fee_words: Mapping[str, str] = field(default_factory=dict)
    with_doubles: bool = False
    capitals: bool = True

    @classmethod
    def of(cls, data: QueryDict) -> "ListChoices":
        """Read the choices of a form. A menu that was left as it was is no choice, so the columns of another text are guessed."""
        menus = zip(data.getlist("column"), data.getlist("guess"), strict=False)
        fees = zip(data.getlist("fee_word"), data.getlist("fee"), strict=False)
        return cls(
            order=data.get("order", ""),
            columns={
                index: meaning
                for index, (meaning, guess) in enumerate(menus)
                if meaning != guess and meaning in ("", *known_meanings())
            },
            fee_words=dict(fees),
            with_doubles="doubles" in data,
            capitals="capitals" in data or "small" not in data,
        )


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """An order of first name and surname. examples: names of the list read in this order, in full and short."""

    order: NameOrder
    label: Promise
    examples: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """An imported list before it is saved.

    bad: line number, text and error of each line that cannot be read. doubles: lines whose name exists,
    each with the text that says where. orders: to choose from, if the order makes a difference. kinds: of fees.
    registered: start numbers of the players searched for doubles. digest: hash of the text and of what becomes of its lines, so
    that only a previewed list is saved.
    """

    people: PeopleList
    choices: ListChoices
    bad: list[tuple[int, str, str]]
    doubles: list[tuple[GoodLine, str]]
    orders: list[OrderChoice]
    kinds: tuple[FeeKind, ...]
    registered: frozenset[int]
    digest: str

    @property
    def new(self) -> list[tuple[GoodLine, str]]:
        """The lines of new players, each with the name of the kind of fee."""
        return [(line, word_fee(kind_of(self.kinds, line.newcomer.fee))) for line in self.people.new]

    @property
    def dropped(self) -> list[str]:
        """The ignored columns, in words."""
        return [
            _("Spalte %(number)s") % {"number": column} if isinstance(column, int) else f"„{column}“"
            for column in self.people.dropped
        ]

    @property
    def paid(self) -> int:
        """The number of players who are announced and have paid."""
        return sum(line.newcomer.paid_cents > 0 for line in self.people.good if not line.is_known)

    @property
    def meanings(self) -> list[tuple[str, object]]:
        return _word_meanings()


@never_cache
@cashier_view("GET", "POST")
def import_list(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Paste or upload a list, preview every line, save. Only a previewed list is saved."""
    if request.method != "POST":
        return _import_page(request, tournament)
    text, choices = request.POST.get("text", ""), ListChoices.of(request.POST)
    try:
        text = posted_list(request)
        preview = _preview(tournament, text, choices)
        if "enter" in request.POST and request.POST.get("seen") == preview.digest:
            return _enter(request, tournament, preview)
    except Refusal as refusal:
        # Another desk was faster: a new preview asks about these names.
        again = _preview(tournament, text, choices) if refusal.code == "same_name" else None
        return _import_page(request, tournament, text, preview=again, error=message(refusal))
    mark_unchanged(request)
    return _import_page(request, tournament, text, preview=preview)


def _preview(tournament: Tournament, text: str, choices: ListChoices) -> ImportPreview:
    registration = door_queries.door(tournament)
    context = ListContext(
        people=registration.rows,
        kinds=registration.fee_kinds,
        sign_ups=registration.sign_ups,
        order=next((name_order for name_order in NAME_ORDERS if name_order == choices.order), None),
        columns=choices.columns,
        fee_words=choices.fee_words,
        capitals=choices.capitals,
    )
    people = read_people(text, context)
    if not people.good and not people.bad:
        raise Refusal("list_empty")
    # Line ends of a file differ from those that a browser sends back.
    seen = "\n".join([repr(people.good), *text.splitlines()])
    return ImportPreview(
        people=people,
        choices=choices,
        bad=[(line.line, line.text, message(line.refusal)) for line in people.bad],
        doubles=[(line, _double_of(line, registration)) for line in people.doubles],
        orders=[_choice(text, context, each) for each in NAME_ORDERS] if people.asks_order else [],
        kinds=registration.fee_kinds,
        registered=frozenset(row.start_number for row in registration.rows),
        digest=blake2b(seen.encode(errors="replace"), digest_size=12).hexdigest(),
    )


def _choice(text: str, context: ListContext, order: NameOrder) -> OrderChoice:
    good = read_people(text, replace(context, order=order)).good
    names = [line.newcomer.name for line in good if " " in line.newcomer.name][:_EXAMPLES]
    return OrderChoice(order, ORDERS[order], [(name, public_name(name, 0, "short")) for name in names])


def _double_of(line: GoodLine, registration: Door) -> str:
    """Say who has the name of a line already: a player, an open sign-up, or an earlier line."""
    if line.same_number is not None:
        row = next(row for row in registration.rows if row.start_number == line.same_number)
        sentence = _("wie Nr. %(number)s, schon in der Liste der Spieler: %(who)s")
        return sentence % {"number": row.start_number, "who": _with_club(row)}
    if line.same_sign_up is not None:
        entry = next(entry for entry in registration.sign_ups if entry.number == line.same_sign_up)
        sentence = _("wie A%(number)s, hat sich schon selbst angemeldet: %(who)s")
        return sentence % {"number": entry.number, "who": _with_club(entry)}
    return _("wie Zeile %(line)s") % {"line": line.same_line}


def _with_club(person: DoorRow | SignUpRow) -> str:
    return ", ".join(filter(None, (person.name, person.club)))


def _enter(request: StaffRequest, tournament: Tournament, preview: ImportPreview) -> HttpResponse:
    new, updates = (
        preview.people.newcomers(with_doubles=preview.choices.with_doubles),
        preview.people.updates,
    )
    if not new and not updates:
        mark_unchanged(request)
        messages.info(request, _("In der Liste steht niemand Neues. Es ist alles geblieben, wie es war."))
        return redirect("door:desk", tournament.slug)
    # Money paid before the evening is in no till: it gets a line of its own in the cash book.
    desk = _("Vorab bezahlt")
    signature = signed(request)
    announce(tournament, new, updates=updates, others=preview.registered, desk=desk, **signature)
    # A list that changes nothing is not kept, and has no way back.
    link = (
        format_html(
            ' <a href="{}#lists">{}</a>',
            reverse("door:import_list", args=[tournament.slug]),
            _("Diese Liste wieder herausnehmen"),
        )
        if tournament.imported_lists.filter(at=signature["at"]).exists()
        else ""
    )
    count = len(new)
    sentence = ngettext(
        "Ein Spieler ist angekündigt. Wer kommt, wird mit „Ist da“ eingelassen.",
        "%(count)s Spieler sind angekündigt. Wer kommt, wird mit „Ist da“ eingelassen.",
        count,
    )
    if new:
        messages.success(request, format_html("{}{}", sentence % {"count": count}, link))
    if updates:
        again = ngettext(
            "Einer war schon eingetragen und ist auf dem Stand der Liste.",
            "%(count)s waren schon eingetragen und sind auf dem Stand der Liste.",
            len(updates),
        )
        messages.success(request, format_html("{}{}", again % {"count": len(updates)}, "" if new else link))
    return redirect("door:desk", tournament.slug)


def _import_page(
    request: StaffRequest,
    tournament: Tournament,
    text: str = "",
    *,
    preview: ImportPreview | None = None,
    error: str = "",
    list_error: str = "",
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "text": text.replace("\0", "\ufffd"),
        "preview": preview,
        "error": error,
        "list_error": list_error,
        "lists": []
        if preview
        else [(row, list(map(message, row.staying))) for row in imported_lists(tournament)],
        "most": MOST_AT_ONCE,
    }
    is_refused = bool(error or list_error)
    return render(request, "tournaments/door/import.html", context, status=422 if is_refused else 200)


@cashier_view("POST")
def take_list_out(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Take out the people of an imported list: all, or those of whom nothing else is known."""
    if not tournament.imported_lists.filter(number=number).exists():
        raise Http404
    try:
        count, kept = take_out_list(
            tournament, number, only_untouched="untouched" in request.POST, **signed(request)
        )
    except Refusal as refusal:
        return _import_page(request, tournament, list_error=message(refusal))
    sentence = ngettext(
        "Ein Eintrag der Liste ist zurückgenommen.",
        "%(count)s Einträge der Liste sind zurückgenommen.",
        count,
    )
    messages.success(request, sentence % {"count": count})
    if kept:
        stays = ngettext("Einer bleibt, wie er ist.", "%(count)s bleiben, wie sie sind.", kept)
        messages.info(request, stays % {"count": kept})
    return redirect("door:import_list", tournament.slug)


@never_cache
@cashier_view("GET")
def download_participants(request: StaffRequest, tournament: Tournament, kind: str) -> HttpResponse:
    headings = [
        _("Teiln.-Nr."),
        _("Name"),
        _("Verein"),
        pgettext("eines Spielers", "Stand"),
        _("Bezahlt"),
        _("Angemeldet am"),
        *[str(detail.name) for detail in PERSON_DETAILS.values()],
        _("Beitrag"),
        _("Offen"),
    ]
    rows: list[Sequence[Cell]] = [
        (
            row.start_number,
            row.name,
            row.club,
            word_state(row.state),
            _paid(tournament, row.paid_cents),
            row.registered_at,
            *[text for _key, text in row.details],
            word_fee(kind_of(tournament.fee_kinds, row.fee)),
            _paid(tournament, row.owed_cents),
        )
        for row in sorted(door_queries.door(tournament).rows, key=lambda row: row.start_number)
    ]
    return _file(request, kind, tournament, _("Teilnehmer"), headings, rows)


@never_cache
@cashier_view("GET", of_cash=True)
def download_payments(request: StaffRequest, tournament: Tournament, kind: str) -> HttpResponse:
    headings = [
        _("Zeit"), _("Teiln.-Nr."), _("Name"), _("Art"), _("Betrag"), _("Kassenstand"), _("Kasse"), _("Wer"),
        _("Grund"), _("Gezählt"),
    ]  # fmt: skip
    rows: list[Sequence[Cell]] = [
        (
            line.at,
            line.start_number,
            line.name,
            word_payment(line.kind),
            _in_euros(line.cents),
            _in_euros(line.total_cents),
            line.desk,
            line.by,
            line.reason,
            _in_euros(line.counted_cents) if line.kind == CashEntry.CashKind.COUNT else None,
        )
        for line in ledger(tournament).lines
    ]
    return _file(request, kind, tournament, _("Kassenbuch"), headings, rows)


def _file(
    request: StaffRequest,
    kind: str,
    tournament: Tournament,
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[Cell]],
) -> HttpResponse:
    if kind not in CONTENT_TYPES:
        raise Http404
    content = file_of(kind, title, headings, rows)
    return download(request, f"{tournament.slug}-{title.lower()}.{kind}", content, CONTENT_TYPES[kind])


def _paid(tournament: Tournament, cents: int) -> Cell:
    """Return an amount, or only whether there is one."""
    if tournament.hides_amounts:
        return _("ja") if cents else _("nein")
    return _in_euros(cents)


def _in_euros(cents: int) -> Decimal:
    return Decimal(cents) / 100
