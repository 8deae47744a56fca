"""Public records of whole evenings, as texts, for the tests of their verification.

Every text that must not be public is PRIVATE or INITIALS.
"""

from datetime import timedelta
from typing import Any

from django.test import Client

from scoring.documents import dump, export_tournament
from scoring.models import SheetEntry
from scoring.queries.standings import tied_groups
from scoring.services import sheets, standings
from scoring.services.ceremonies import draw_sealed, draw_sealed_lot, seal_draw, seal_lot
from scoring.services.rounds import DrawOptions, close, draw_again, draw_ahead
from scoring.services.seats import leave_seat, substitute
from tests.compared_evenings import evening
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_round
from tests.scoring.core.writing import knock, schnauz
from tests.scoring.test_every_page import parked
from tournaments.core.wishes import KeepApart
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import door, exclusion, rounds
from tournaments.services.door import Newcomer
from tournaments.services.draw_settings import add_wish

PRIVATE = "Zqgeheim"
INITIALS = "Qz"
BY: dict[str, Any] = {"by": PRIVATE, "at": AT}
LATER = AT + timedelta(hours=1)
SEED = "5e" * 32

Draft = tuple[str, dict[str, Any]]


def record_text(tournament: Tournament) -> str:
    answer = Client().get(f"/t/{tournament.slug}/record.json")
    assert answer.status_code == 200
    return answer.content.decode()


def placing() -> dict[str, str]:
    """Return an evening under rule sheet 1: frozen in its second round, and in the third with everything released.

    With them comes the tournament document. The first round was drawn twice, with a wish, and changed by hand. One of its
    sheets was objected to, corrected, and accepted twice.
    """
    made = TournamentFactory.create(slug="placing", names="short", place=PRIVATE)
    ParticipantFactory.create_batch(12, tournament=made, town=PRIVATE)
    door.take_fee(made, 1, desk=PRIVATE, **BY)
    add_wish(made, KeepApart(1, 2, PRIVATE))
    a_round(made, released=False)
    draw_again(made, 1, options=DrawOptions(seed=SEED), reason=PRIVATE, **BY)
    first, second = made.rounds.get().tables.order_by("number")
    pair = [player_on(table, 6) for table in (first, second)]
    rounds.swap(made, 1, a=pair[0], b=pair[1], reason=PRIVATE, **BY)
    rounds.release(made, 1, reason=PRIVATE, at=AT)
    written_by_deals(first)
    a_paper_sheet(second, strokes={1: 2})
    close(made, 1, reason=PRIVATE, at=AT)
    second_round = a_round(made, 2)
    third, fourth = second_round.tables.order_by("number")
    a_paper_sheet(third, strokes={2: 1})
    standings.freeze(made, **BY)
    a_paper_sheet(fourth)
    frozen = record_text(made)
    standings.release(made, **BY)
    close(made, 2, at=AT)
    exclusion.exclude(made, 12, reason=PRIVATE, **BY)
    door.withdraw(made, 11, **BY)
    for group in tied_groups(made)[:1]:
        revoked = standings.decide(made, kind="lot", order=group[::-1], reason=PRIVATE, **BY)
        standings.revoke_decision(made, revoked.pk, **BY)
        standings.decide(made, kind="playoff", order=group, reason=PRIVATE, **BY)
    third_round = a_round(made, 3)
    stroke: Draft = ("stroke", {"seat_number": 1, "mark": "schnauz"})
    sheets.write(third_round.tables.order_by("number")[0], [stroke], **BY)
    return {"frozen": frozen, "placing": record_text(made), "document": dump(export_tournament(made))}


def player_on(table: Table, seat: int) -> int:
    return table.seats.get(seat_number=seat).participant.start_number


def written_by_deals(table: Table) -> None:
    """Write and accept a sheet, reopen and correct it, and accept it again. Seat 1 wins."""
    deals = [schnauz(1, 2, 3, 4, 5, 6), *[knock(2, 3, 4, 5, 6)] * 3]
    sheets.write(table, [(deal.kind, dict(deal.data)) for deal in deals], **BY)
    parked(table, deals[1])
    sheets.write(table, [("objected", {"seat_number": 2, "note": PRIVATE})], initials=INITIALS, **BY)
    objection = SheetEntry.objects.get(sheet__table=table, kind="objected")
    settled: list[Draft] = [
        ("voided", {"entry": str(objection.entry_id), "reason": PRIVATE}),
        ("confirmed", {"seat_number": 3}),
        ("accepted", {"reason": PRIVATE}),
    ]
    sheets.write(table, settled, initials=INITIALS, **BY)
    second = SheetEntry.objects.get(sheet__table=table, sequence=2)
    corrected: list[Draft] = [
        ("reopened", {"reason": PRIVATE}),
        (
            "corrected",
            {"entry": str(second.entry_id), "data": dict(knock(2, 3, 4, 5).data), "reason": PRIVATE},
        ),
        ("deal", dict(knock(6).data)),
        ("accepted", {"reason": PRIVATE}),
    ]
    sheets.write(table, corrected, initials=INITIALS, **BY)


def schafkopf() -> dict[str, str]:
    """Return an evening whose rounds are drawn ahead, with a substitute in the second, and a lot between equals."""
    made = TournamentFactory.create(slug="schafkopf", ruleset=preset("schafkopf").to_dict())
    ParticipantFactory.create_batch(8, tournament=made)
    a_round(made)
    a_round(made, 2, released=False)
    of_paper(made, 1)
    close(made, 1, at=AT)
    substitute(made, 3, Newcomer("Zita Ersatz"), reason=PRIVATE, **BY)
    rounds.release(made, 2, reason=PRIVATE, at=AT)
    of_paper(made, 2)
    close(made, 2, at=AT)
    tied = max(tied_groups(made), key=len)
    standings.draw_lot(made, tied, seed=SEED, **BY)
    return {"schafkopf": record_text(made)}


def of_paper(tournament: Tournament, number: int) -> None:
    """Type in the tables of a round: nobody has won anything."""
    nothing = dict.fromkeys(map(str, range(1, 5)), 0)
    totals = dict.fromkeys(("points", "tout_won", "tout_played", "solo_won", "solo_played"), nothing)
    for table in Table.objects.filter(round__tournament=tournament, round__number=number):
        sheets.write(table, [("totalled", totals), ("accepted", {"reason": PRIVATE})], **BY)


def knockout() -> dict[str, str]:
    made = TournamentFactory.create(slug="knockout", ruleset=preset("knockout").to_dict())
    evening(made, "knockout", "decided")
    return {"knockout": record_text(made)}


def private_wish() -> dict[str, str]:
    """Return a round with a public and a private wish, one player less after the draw."""
    made = TournamentFactory.create(slug="wish")
    ParticipantFactory.create_batch(11, tournament=made)
    add_wish(made, KeepApart(1, 2, PRIVATE, private=True))
    add_wish(made, KeepApart(3, 4, PRIVATE))
    a_round(made)
    leaver = player_on(Table.objects.get(round__tournament=made, seats__seat_number=6), 6)
    leave_seat(made, 1, player=leaver, moves=[], reason=PRIVATE, **BY)
    return {"wish": record_text(made)}


def ceremony() -> dict[str, str]:
    """Return an evening with commitments. The first was replaced for a latecomer; the first draw was abandoned.

    The second round was sealed with words and is in play.
    """
    made = TournamentFactory.create(slug="ceremony")
    ParticipantFactory.create_batch(12, tournament=made)
    options = DrawOptions(exceptions=True)
    seal_draw(made, 1, options=options, **BY)
    ParticipantFactory.create(tournament=made)
    seal_draw(made, 1, options=options, **BY)
    draw_sealed(made, 1, words="Eichel sieben", **BY)
    draw_again(made, 1, options=options, reason=PRIVATE, **BY)
    rounds.release(made, 1, at=AT)
    for table in made.rounds.get().tables.all():
        a_paper_sheet(table)
    close(made, 1, at=AT)
    written = made.rounds.get().tables.order_by("number")[0]
    sheets.write(written, [("reopened", {"reason": PRIVATE}), ("accepted", {"reason": PRIVATE})], **BY)
    seal_draw(made, 2, options=options, **BY)
    waiting = record_text(made)
    draw_sealed(made, 2, words="", **BY)
    rounds.release(made, 2, at=AT)
    return {"sealed": waiting, "ceremony": record_text(made)}


def lot_of_the_hall() -> dict[str, str]:
    """Return an evening whose lot between equals followed from words of the hall."""
    made = TournamentFactory.create(slug="lot", ruleset=preset("schafkopf").to_dict())
    ParticipantFactory.create_batch(8, tournament=made)
    draw_ahead(made, number=1, options=DrawOptions(exceptions=True), **BY)
    for number in (1, 2):
        rounds.release(made, number, reason=PRIVATE, at=AT)
        of_paper(made, number)
        close(made, number, at=AT)
    seal_lot(made, max(tied_groups(made), key=len), **BY)
    draw_sealed_lot(made, words="Schelln", **BY)
    return {"lot": record_text(made)}


def all_records() -> dict[str, str]:
    return placing() | schafkopf() | knockout() | private_wish() | ceremony() | lot_of_the_hall()
