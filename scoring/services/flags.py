"""Flags: reports of errors on a sheet by the public, and the organiser's answers."""

from datetime import datetime, timedelta

from django.db import transaction

from scoring.models import Flag
from scoring.sheet_log import open_sheet
from tournaments.clocks import within
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import Round, Table, Tournament
from tournaments.notify import notify
from tournaments.page_cache import STANDINGS
from tournaments.senders import sender_digest

LONGEST_NOTE = 300
LONGEST_NAME = 80
WINDOW = timedelta(minutes=10)
MOST_OF_A_BROWSER = 3
MOST_OF_AN_ADDRESS = 60  # all visitors may share one address
MOST_OPEN = 10  # per table


def raise_flag(
    tournament: Tournament,
    number: int,
    table_number: int,
    *,
    note: str,
    name: str,
    address: str,
    browser: str,
    at: datetime,
    deal: int | None = None,
) -> Flag:
    """Report an error on the sheet of a table of a released round to the organiser.

    address: the network address. browser: value that distinguishes browsers behind one address; "" for one without a
    flag so far, which counts for the address alone. deal: the number of the wrong deal, None for the whole sheet.
    Repeating the same text from the same sender returns the existing flag. Refuses an empty or too long note,
    unknown_table, complaint_closed (deal, written), flags_too_many and flags_enough.

    Only the table is locked, so the door does not wait for the public. Two simultaneous flags of one browser may
    both pass the limit, which does no harm.
    """
    note = clean_text(note, most=LONGEST_NOTE, required=True)
    name = clean_text(name, most=LONGEST_NAME)
    origin, phone = (sender_digest(tournament, value) for value in (address, browser))
    with transaction.atomic():
        table = _table(tournament, number, table_number)
        said = {"note": note, "deal": deal, "name": name, "origin": origin}
        same = table.flags.filter(**said, phone__in={phone, ""}, closed_at=None).first()
        if same is not None:
            return same
        _check_in_time(tournament, table, deal)
        _check_not_too_many(tournament, table, origin, phone, at)
        return tournament.flags.create(table=table, **said, phone=phone, raised_at=at)


def _table(tournament: Tournament, number: int, table_number: int) -> Table:
    """Return a table of a released round, locked so that no redraw deletes it before the transaction ends."""
    tables = Table.objects.filter(round__tournament=tournament, round__number=number, number=table_number)
    released = tables.exclude(round__state=Round.State.DRAWN)
    table = released.select_for_update(of=("self",), no_key=True).first()
    if table is None:
        raise Refusal("unknown_table", table=table_number)
    return table


def _check_in_time(tournament: Tournament, table: Table, deal: int | None) -> None:
    """Refuse a complaint about a deal once a later one is written, if the ruleset says so (RULES 5.5).

    Complaints about the whole sheet are in time. A deal that is not on the sheet yet may be on paper.
    """
    if deal is None or tournament.rules.objections_end != "next_deal":
        return
    written = max((fact.deal_number or 0 for fact in open_sheet(table.pk).log.facts), default=0)
    if deal < written:
        raise Refusal("complaint_closed", deal=deal, written=written)


def _check_not_too_many(tournament: Tournament, table: Table, origin: str, phone: str, at: datetime) -> None:
    lately = Flag.objects.filter(within("raised_at", WINDOW, at), tournament=tournament, origin=origin)
    if phone and lately.filter(phone=phone).count() >= MOST_OF_A_BROWSER:
        raise Refusal("flags_too_many")
    if lately.count() >= MOST_OF_AN_ADDRESS:
        raise Refusal("flags_too_many")
    if table.flags.filter(closed_at=None).count() >= MOST_OPEN:
        raise Refusal("flags_enough")


def mark_in_progress(tournament: Tournament, flag_id: int, *, by: str, at: datetime) -> Flag:
    """Mark a flag as being looked into, visible to its sender and the organisers. Repeating it has no effect.

    Refuses flag_is_closed (by) and flag_is_looked_at (by). Raises Flag.DoesNotExist.
    """
    with transaction.atomic():
        flag = _open_flag(tournament, flag_id)
        if flag.looked_at is not None and flag.looked_by != by:
            raise Refusal("flag_is_looked_at", by=flag.looked_by)
        if flag.looked_at is None:
            flag.looked_at, flag.looked_by = at, by
            flag.save(update_fields=["looked_at", "looked_by"])
            _notify(tournament)
    return flag


def take_mark_back(tournament: Tournament, flag_id: int, *, by: str) -> Flag:
    """Undo `mark_in_progress` of the same organiser. Refuses flag_is_closed (by) and flag_is_looked_at (by). Raises Flag.DoesNotExist."""
    with transaction.atomic():
        flag = _open_flag(tournament, flag_id)
        if flag.looked_at is not None and flag.looked_by != by:
            raise Refusal("flag_is_looked_at", by=flag.looked_by)
        flag.looked_at, flag.looked_by = None, ""
        flag.save(update_fields=["looked_at", "looked_by"])
        _notify(tournament)
    return flag


def reopen_flag(tournament: Tournament, flag_id: int, *, by: str) -> Flag:
    """Undo `close_flag` of the same organiser. Who has sent the flag is not known any more, except to their own phone.

    An open flag stays as it is. Refuses flag_is_closed (by). Raises Flag.DoesNotExist.
    """
    with transaction.atomic():
        flag = tournament.flags.select_for_update().get(pk=flag_id)
        if flag.closed_at is None:
            return flag
        if flag.closed_by != by:
            raise Refusal("flag_is_closed", by=flag.closed_by)
        flag.closed_at, flag.closed_by, flag.closed_word = None, "", ""
        flag.save(update_fields=["closed_at", "closed_by", "closed_word"])
        _notify(tournament)
    return flag


def close_flag(tournament: Tournament, flag_id: int, *, word: str, by: str, at: datetime) -> Flag:
    """Close a flag with the organiser's short answer, and delete the digests of its sender.

    Refuses text_empty and flag_is_closed (by). Raises Flag.DoesNotExist.
    """
    word = clean_text(word, most=500, required=True)
    with transaction.atomic():
        flag = _open_flag(tournament, flag_id)
        flag.closed_at, flag.closed_by, flag.closed_word = at, by, word
        flag.origin = flag.phone = ""
        flag.save()
        _notify(tournament)
    return flag


def _open_flag(tournament: Tournament, flag_id: int) -> Flag:
    """Return a flag, locked. Refuses flag_is_closed (by). Raises Flag.DoesNotExist."""
    flag = tournament.flags.select_for_update().get(pk=flag_id)
    if flag.closed_at is not None:
        raise Refusal("flag_is_closed", by=flag.closed_by)
    return flag


def _notify(tournament: Tournament) -> None:
    """Let phones with flags reload them. Public pages stay valid."""
    notify(tournament.slug, "flags", keeps=(STANDINGS,))
