"""Views for printing, and the standings as a file."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from scoring.organiser.kinds.registry import organiser_kind
from scoring.organiser.prints import sheets as paper
from scoring.organiser.prints.certificates import CertificatesForm
from scoring.organiser.prints.closing import open_prizes
from scoring.organiser.prints.receipts import list_pages, receipt_pages, receipts_of
from scoring.organiser.prints.seating import (
    letters,
    place_cards,
    seating_by_name,
    seating_by_table,
    table_signs,
)
from scoring.organiser.prints.spreadsheet import standings_file
from scoring.organiser.prints.standings import decisions_in_force, standings_paper
from scoring.queries.bracket import organiser_bracket, public_bracket
from scoring.queries.dashboard import rounds_of
from scoring.queries.marks import public_marks
from scoring.queries.prize_giving import prize_giving_page
from scoring.queries.standings import current_standings, is_frozen, visible_standings
from scoring.queries.table_monitor import table_monitor
from tournaments.access import cashier_view, organiser_view
from tournaments.core.refusal import Refusal
from tournaments.models import CashEntry, Tournament
from tournaments.queries.desks import desk_lines, desk_rows
from tournaments.queries.pictures import has_picture, picture_of
from tournaments.queries.seating import RoundRow, round_with_seating, towns_of
from tournaments.requests import StaffRequest, number_in
from tournaments.rulesets.schema import LARGEST_TABLE
from tournaments.security_log import download
from tournaments.services import pictures as services
from tournaments.spreadsheets import CONTENT_TYPES
from tournaments.text.refusals import message


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
        "certificates": form or CertificatesForm(has_picture=picture_exists),
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
    round_row = _round(tournament, number)
    drawn = paper.drawn_sheets(tournament, round_row, table_number=_table_number(request))
    if not drawn:
        raise Http404
    context = {"tournament": tournament, "round": round_row, "pages": paper.sheet_pages(drawn)}
    return render(request, "scoring/organiser/prints/sheets.html", context)


def _filled_sheets(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    monitor = table_monitor(tournament, number)
    if monitor is None:
        raise Http404
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
    round_row = _round(tournament, number)
    context = {"tournament": tournament, "round": round_row, "at": timezone.now()}
    if request.GET.get("by") == "table":
        context["pages"] = seating_by_table(round_row)
        return render(request, "scoring/organiser/prints/seating_by_table.html", context)
    context["pages"] = [(page, *letters(page)) for page in seating_by_name(round_row)]
    return render(request, "scoring/organiser/prints/seating_by_name.html", context)


@organiser_view("GET")
def cards(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Print a card for each seat of a round, to cut out and put on the tables."""
    round_row = _round(tournament, number)
    context = {"tournament": tournament, "round": round_row, "pages": place_cards(round_row)}
    return render(request, "scoring/organiser/prints/cards.html", context)


@organiser_view("GET")
def signs(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Print a sign with its number for each table of a round, to fold and put up."""
    round_row = _round(tournament, number)
    context = {"tournament": tournament, "round": round_row, "pages": table_signs(round_row)}
    return render(request, "scoring/organiser/prints/signs.html", context)


@organiser_view("GET")
def certificates(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Print certificates for the first ranks, or for all who have played, with their full names."""
    picture_exists = has_picture(tournament)
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
    """Return the picture of the club for the printed pages."""
    jpeg = picture_of(tournament)
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
        listed = {"pages": list_pages(slips), "all_cents": sum(receipt.cents for receipt in slips)}
        return render(request, "scoring/organiser/prints/receipt_list.html", {**context, **listed})
    return render(
        request, "scoring/organiser/prints/receipts.html", {**context, "pages": receipt_pages(slips)}
    )


@never_cache
@cashier_view("GET")
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
        "paper": standings_paper(leaderboard, decisions_in_force(tournament), bracket),
        "is_secret": leaderboard.is_frozen and not released_only,
        "marks": public_marks(tournament),
        "at": timezone.now(),
    }
    return render(request, "scoring/organiser/prints/standings.html", context)


@organiser_view("GET")
def standings_csv(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    return _standings_file(request, tournament, "csv")


@organiser_view("GET")
def standings_xlsx(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    return _standings_file(request, tournament, "xlsx")


def _standings_file(request: StaffRequest, tournament: Tournament, kind: str) -> HttpResponse:
    content, name = standings_file(kind, current_standings(tournament)), _("rangliste")
    return download(request, f"{tournament.slug}-{name}.{kind}", content, CONTENT_TYPES[kind])


def _round(tournament: Tournament, number: int) -> RoundRow:
    round_row = round_with_seating(tournament, number)
    if round_row is None:
        raise Http404
    return round_row


def _table_number(request: StaffRequest) -> int | None:
    """Return the table of ?table=, None without one; raise Http404 if it is not a number."""
    asked = request.GET.get("table")
    number = number_in(asked or "")
    if asked is not None and number is None:
        raise Http404
    return number
