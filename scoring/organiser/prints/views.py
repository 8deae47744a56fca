"""Views for printing, and the standings as a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from scoring.core.closing import Closing
from scoring.core.prize_giving import GivenRow
from scoring.organiser.kinds.registry import organiser_kind
from scoring.organiser.prints import sheets as paper
from scoring.organiser.prints.paging import paged
from scoring.organiser.prints.seating import (
    letters,
    place_cards,
    seating_by_name,
    seating_by_table,
)
from scoring.organiser.prints.spreadsheet import standings_file
from scoring.organiser.prints.standings import standings_paper
from scoring.organiser.tables import monitor_or_404, round_or_404
from scoring.queries.bracket import organiser_bracket, public_bracket
from scoring.queries.dashboard import rounds_of
from scoring.queries.marks import public_marks
from scoring.queries.prize_giving import PrizeGivingPage, prize_giving_page
from scoring.queries.prizes import plan_of
from scoring.queries.standings import (
    Leaderboard,
    StandingsRow,
    current_standings,
    is_frozen,
    visible_standings,
)
from scoring.queries.title_holders import title_holders
from scoring.text.prizes import award_gives, prize_of_key, row_name
from tournaments.access import cashier_view, organiser_view
from tournaments.core.fees import FeeKind
from tournaments.core.refusal import Refusal
from tournaments.models import CashEntry, Tournament
from tournaments.queries.club import picture_of_club
from tournaments.queries.desks import desk_lines, desk_rows, sum_of_desks
from tournaments.queries.pictures import has_picture, picture_of, prints_picture
from tournaments.queries.seating import towns_of
from tournaments.requests import StaffRequest, number_in
from tournaments.rulesets.schema import LARGEST_TABLE
from tournaments.security_log import download
from tournaments.services import pictures as services
from tournaments.spreadsheets import CONTENT_TYPES
from tournaments.text.money import euros
from tournaments.text.refusals import message

SIGNS_A_PAGE = 2
FIRST_RANKS = 3
MOST_RANKS = 9999
PORTRAIT, LANDSCAPE = "portrait", "landscape"


class CertificatesForm(forms.Form):
    """Options of the certificates: ranks and layout."""

    first = forms.IntegerField(
        label=gettext_lazy("Bis zu welchem Rang?"),
        help_text=gettext_lazy("leer: für alle, die gespielt haben"),
        min_value=1,
        max_value=MOST_RANKS,
        required=False,
    )
    way = forms.ChoiceField(
        label=gettext_lazy("Papier A4"),
        choices=[(PORTRAIT, gettext_lazy("hoch")), (LANDSCAPE, gettext_lazy("quer"))],
        widget=forms.RadioSelect,
        required=False,
    )
    picture = forms.BooleanField(
        label=gettext_lazy("Oben Platz lassen für ein Bild oder das Wappen des Vereins"), required=False
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, has_picture: bool) -> None:
        initial = {"first": FIRST_RANKS, "way": PORTRAIT, "picture": has_picture}
        super().__init__(data, initial=initial, auto_id="certificates-%s")
        if has_picture:
            self.fields["picture"].label = gettext_lazy("Mit dem Bild des Vereins, oben")

    def certificates(self, leaderboard: Leaderboard) -> dict[str, Any]:
        """Return the certificates of this valid form, best rank first. players: number of players who have played."""
        asked = self.cleaned_data
        played = [row for row in leaderboard.rows if row.has_played]
        return {
            "rows": [row for row in played if row.rank <= (asked["first"] or MOST_RANKS)],
            "players": len(played),
            "is_landscape": asked["way"] == LANDSCAPE,
            "has_picture": asked["picture"],
        }


@organiser_view("GET")
def index(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show everything that can be printed now."""
    return _index(request, tournament)


def _index(
    request: StaffRequest,
    tournament: Tournament,
    form: CertificatesForm | None = None,
    *,
    picture_error: str = "",
    status: int = 200,
) -> HttpResponse:
    picture_exists = has_picture(tournament)
    context = {
        "tournament": tournament,
        "rounds": [line for line in rounds_of(tournament) if line.state != "todo"],
        "blank_sizes": paper.blank_sizes(tournament.rules),
        "is_frozen": is_frozen(tournament),
        "certificates": form or CertificatesForm(has_picture=prints_picture(tournament)),
        "has_picture": picture_exists,
        "picture_error": picture_error,
    }
    return render(request, "scoring/organiser/prints/index.html", context, status=status)


@never_cache
@organiser_view("GET")
def sheets(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Print the table sheets of a round, or one with ?table=; with ?filled=1 the accepted sheets with their results."""
    if request.GET.get("filled") == "1":
        return _filled_sheets(request, tournament, number)
    round_row = round_or_404(tournament, number)
    drawn = paper.drawn_sheets(tournament, round_row, table_number=_table_number(request))
    if not drawn:
        raise Http404
    context = {"tournament": tournament, "round": round_row, "pages": paper.sheet_pages(drawn)}
    return render(request, "scoring/organiser/prints/sheets.html", context)


def _filled_sheets(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    monitor = monitor_or_404(tournament, number)
    filled = paper.filled_sheets(tournament.rules, monitor, table_number=_table_number(request))
    pages = paper.filled_pages(filled)
    context = {"tournament": tournament, "round": monitor.round, "pages": pages}
    return render(request, "scoring/organiser/prints/filled_sheets.html", context)


@organiser_view("GET")
def blank_sheets(request: StaffRequest, tournament: Tournament, seats: int) -> HttpResponse:
    """Print a page of table sheets without names, as a fallback."""
    only_table = organiser_kind(tournament.rules).only_table
    if not 2 <= seats <= LARGEST_TABLE or only_table not in (None, seats):
        raise Http404
    pages = paper.sheet_pages(paper.blank_sheets(tournament.rules, seats))
    return render(request, "scoring/organiser/prints/sheets.html", {"tournament": tournament, "pages": pages})


@organiser_view("GET")
def seating(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Print the seating plan to be posted, by name; with ?by=table by table."""
    round_row = round_or_404(tournament, number)
    context = {"tournament": tournament, "round": round_row, "at": timezone.now()}
    if request.GET.get("by") == "table":
        context["pages"] = seating_by_table(round_row)
        return render(request, "scoring/organiser/prints/seating_by_table.html", context)
    context |= {
        "pages": [(page, *letters(page)) for page in seating_by_name(round_row)],
        "title_holders": title_holders(tournament),
    }
    return render(request, "scoring/organiser/prints/seating_by_name.html", context)


@organiser_view("GET")
def cards(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Print a card for each seat of a round, to cut out and put on the tables."""
    round_row = round_or_404(tournament, number)
    context = {"tournament": tournament, "round": round_row, "pages": place_cards(round_row)}
    return render(request, "scoring/organiser/prints/cards.html", context)


@organiser_view("GET")
def signs(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Print a sign with its number for each table of a round, to fold and put up."""
    round_row = round_or_404(tournament, number)
    context = {"tournament": tournament, "round": round_row, "pages": paged(round_row.tables, SIGNS_A_PAGE)}
    return render(request, "scoring/organiser/prints/signs.html", context)


@organiser_view("GET")
def certificates(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Print certificates for the first ranks, or for all who have played, with their full names."""
    picture_exists = prints_picture(tournament)
    form = CertificatesForm(request.GET, has_picture=picture_exists)
    if not form.is_valid():
        return _index(request, tournament, form, status=422)
    leaderboard = current_standings(tournament)
    context = {
        "tournament": tournament,
        "leaderboard": leaderboard,
        "certificates": form.certificates(leaderboard),
        "has_picture": picture_exists,
    }
    return render(request, "scoring/organiser/prints/certificates.html", context)


@organiser_view("GET")
def picture(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Return the picture for the printed pages: of the tournament, else of the club."""
    jpeg = picture_of(tournament) or picture_of_club()
    if jpeg is None:
        raise Http404
    return HttpResponse(jpeg, content_type="image/jpeg")


@organiser_view("POST")
def set_picture(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Store an uploaded picture of the club, replacing an earlier one."""
    upload = request.FILES.get("picture")
    try:
        if upload is None:
            raise Refusal("picture_missing")
        services.set_picture(tournament, upload.read())
    except Refusal as refusal:
        return _index(request, tournament, picture_error=message(refusal), status=422)
    messages.success(request, _("Das Bild ist gespeichert. Es steht oben auf den Urkunden."))
    return redirect("organiser:print", tournament.slug)


@organiser_view("POST")
def remove_picture(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    services.remove_picture(tournament)
    messages.success(request, _("Das Bild ist gelöscht."))
    return redirect("organiser:print", tournament.slug)


@never_cache
@organiser_view("GET")
def receipts(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Print a receipt for each player with a prize; with ?list=1 one list for all to sign."""
    page = prize_giving_page(tournament)
    leaderboard = page.leaderboard
    rows = page.giving.rows if page.giving and leaderboard.has_results else ()
    slips = receipts_of(rows, leaderboard.rows, towns_of(tournament))
    context = {
        "tournament": tournament,
        "final": leaderboard.final,
        "open_things": [thing for row in rows for thing in row.loose],
        "at": timezone.now(),
    }
    if request.GET.get("list") == "1":
        context |= {"pages": paged(slips, LINES_A_PAGE), "all_cents": sum(receipt.cents for receipt in slips)}
        return render(request, "scoring/organiser/prints/receipt_list.html", context)
    context["pages"] = paged(slips, RECEIPTS_A_PAGE)
    return render(request, "scoring/organiser/prints/receipts.html", context)


@never_cache
@cashier_view("GET", of_cash=True)
def closing_sheet(request: StaffRequest, tournament: Tournament, desk: int) -> HttpResponse:
    """Print a desk's figures and lines to sign (a draft while it is open), and the unsettled prizes."""
    row = next((row for row in desk_rows(tournament) if row.number == desk), None)
    if row is None:
        raise Http404
    lines = desk_lines(tournament, desk)
    page = prize_giving_page(tournament)
    context = {
        "tournament": tournament,
        "desk": row,
        "lines": lines,
        "count": next((line for line in reversed(lines) if line.kind == CashEntry.CashKind.COUNT), None),
        "prizes": open_prizes(page, tournament.fee_kinds),
        "rest_cents": page.giving.rest_cents if page.giving else 0,
        "at": timezone.now(),
    }
    return render(request, "scoring/organiser/prints/closing_sheet.html", context)


@never_cache
@cashier_view("GET", of_cash=True)
def closing_of_desks(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Print the figures of all desks and their sum, and what the club keeps."""
    rows, page, plan = desk_rows(tournament), prize_giving_page(tournament), plan_of(tournament)
    drawers, every = [row for row in rows if not row.is_in_advance], sum_of_desks(rows)
    context = {
        "tournament": tournament,
        "desks": drawers,
        "sum": sum_of_desks(drawers),
        "in_advance": [row for row in rows if row.is_in_advance],
        "closing": Closing(
            every.fees_cents,
            every.refunds_cents,
            every.payouts_cents,
            open_cents=page.giving.rest_cents if page.giving else 0,
            costs_cents=plan.costs_cents if plan else 0,
        ),
        "at": timezone.now(),
    }
    return render(request, "scoring/organiser/prints/closing_of_desks.html", context)


@organiser_view("GET")
def standings(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Print the current standings to be posted; with ?public=1 only the released part."""
    released_only = request.GET.get("public") == "1"
    if released_only:
        leaderboard = visible_standings(tournament.slug, full_names=True)
        bracket = public_bracket(tournament.slug) if leaderboard.is_knockout else None
    else:
        leaderboard = current_standings(tournament, wall_names=True)
        bracket = organiser_bracket(tournament) if leaderboard.is_knockout else None
    context = {
        "tournament": tournament,
        "paper": standings_paper(
            leaderboard, tournament.decisions.filter(revoked_at=None).order_by("-id"), bracket
        ),
        "is_secret": leaderboard.is_frozen and not released_only,
        "marks": public_marks(tournament),
        "at": timezone.now(),
    }
    return render(request, "scoring/organiser/prints/standings.html", context)


@organiser_view("GET")
def download_standings(request: StaffRequest, tournament: Tournament, kind: str) -> HttpResponse:
    """Return the standings as a file. kind: csv or xlsx."""
    content, name = standings_file(kind, current_standings(tournament)), _("rangliste")
    return download(request, f"{tournament.slug}-{name}.{kind}", content, CONTENT_TYPES[kind])


def _table_number(request: StaffRequest) -> int | None:
    """Return the table of ?table=, None without one; raise Http404 if it is not a number."""
    asked = request.GET.get("table")
    number = number_in(asked or "")
    if asked is not None and number is None:
        raise Http404
    return number


RECEIPTS_A_PAGE = 4
LINES_A_PAGE = 20


@dataclass(slots=True)
class Receipt:
    """A player's prize money and decided things."""

    player: StandingsRow
    town: str
    cents: int = 0
    things: list[str] = field(default_factory=list)

    @property
    def gives(self) -> str:
        """The prize in words: „7,50 € + Pokal“."""
        return " + ".join([*([euros(self.cents)] if self.cents else []), *self.things])


def receipts_of(
    prizes: Iterable[GivenRow], players: Sequence[StandingsRow], towns: dict[int, str]
) -> list[Receipt]:
    """Return a receipt for each player with a prize, best rank first."""
    receipts = {row.start_number: Receipt(row, towns.get(row.start_number, "")) for row in players}
    for award in (award for prize in prizes for award in prize.awards):
        receipts[award.start_number].cents += award.due_cents
        receipts[award.start_number].things += award.due_things
    return [receipt for receipt in receipts.values() if receipt.cents or receipt.things]


def open_prizes(page: PrizeGivingPage, kinds: Sequence[FeeKind]) -> list[tuple[str, str, str, str]]:
    """Return the unsettled prizes once the prize-giving has begun, in its order.

    Each has its name, its player or all candidates for a shared thing, and in words what is left and what is too much.
    """
    giving = page.giving
    if giving is None or not giving.has_begun:
        return []
    unsettled = []
    for prize_row in giving.rows:
        name = row_name(prize_row.row, kinds)
        for award in prize_row.awards:
            if award.has_rest:
                rest = award_gives(award.rest_cents, award.rest_things)
                unsettled.append((name, _named(page, award.start_number), rest, ""))
        if prize_row.loose:
            names = ", ".join(_named(page, award.start_number) for award in prize_row.awards)
            unsettled.append((name, names, award_gives(0, prize_row.loose), ""))
    for award in giving.over:
        over = award_gives(award.over_cents, award.over_things)
        unsettled.append((prize_of_key(award.prize, kinds), _named(page, award.start_number), "", over))
    return unsettled


def _named(page: PrizeGivingPage, start_number: int) -> str:
    return f"{page.names[start_number]} ({start_number})"
