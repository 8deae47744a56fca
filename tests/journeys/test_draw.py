"""The draw in a real browser: latecomer, no-shows, a swap and its cost, redraw, release, report."""

import pytest
from playwright.sync_api import Page, expect

from tests import labels
from tests.factories import ParticipantFactory, a_played_round
from tests.journeys.access import violations
from tests.scoring.pages import Staff
from tournaments.models import SeatChange
from tournaments.queries.seating import round_with_seating

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def desk(committed: None) -> Staff:
    """Create fourteen players, two tables of five and one of four; the first round is played."""
    desk = Staff(14)
    a_played_round(desk.tournament)
    return desk


@pytest.fixture
def laptop(lent_page: Page, live_url: str, desk: Staff) -> Page:
    lent_page.set_viewport_size({"width": 1366, "height": 768})
    session = desk.client.cookies["sessionid"].value
    lent_page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_url}])
    return lent_page


def seating(desk: Staff) -> tuple[tuple[int, ...], ...]:
    found = round_with_seating(desk.tournament, 2)
    assert found is not None
    return found.seating


def look_up(page: Page, player: int) -> None:
    box = page.locator("#latecomers")
    if box.get_attribute("open") is None:
        box.get_by_text("Zu spät oder nicht da?").click()
    page.get_by_label("Teiln.-Nr. oder Name").fill(str(player))
    page.get_by_role("button", name="Platz ansehen").click()


def test_a_draw_changed_by_hand_from_the_wish_to_the_report(laptop: Page, desk: Staff) -> None:
    page = laptop
    page.goto(desk.url("round", 2))

    # a wish, and the draw
    page.get_by_text("Wünsche an die Auslosung").click()
    page.get_by_label("Teiln.-Nr. oder Name").fill("1")
    page.get_by_label("nicht zusammen mit").fill("2")
    page.get_by_label("Begründung").fill("Streit um den Rasen")
    page.get_by_role("button", name="Wunsch vormerken").click()
    expect(page.get_by_text("Der Wunsch gilt für alle Auslosungen von jetzt an.")).to_be_visible()
    page.goto(desk.url("round", 2))
    page.get_by_label("Ja, mit diesen Tischen auslosen").check()
    page.get_by_role("button", name="2. Spielrunde auslosen").click()
    expect(page.get_by_role("heading", name="Tisch 3", exact=True)).to_be_visible()

    # drawn again with a reason
    page.get_by_text("Neu auslosen …").click()
    redraw = page.locator("#redraw")
    redraw.get_by_label("Ja, mit diesen Tischen auslosen").check()
    redraw.get_by_label("Begründung").fill("Der Wirt rückt die Tische")
    redraw.get_by_role("button", name="Diese Auslosung verwerfen").click()
    expect(page.get_by_text("Verworfen, weil: Der Wirt rückt die Tische")).to_be_visible()
    page.wait_for_load_state()  # a script asks for the cost

    # a swap shows its cost before it is made, and is taken back
    (a, *_), (b, *_), _ = before = seating(desk)
    page.locator(f"label[for=swap-{a}]").click()
    page.locator(f"label[for=swap-{b}]").click()
    expect(page.locator("#swap-cost")).to_contain_text("dadurch")
    page.locator("#swap").get_by_label("Begründung").fill("Rollstuhl")
    page.get_by_role("button", name="Plätze tauschen").click()
    expect(page.locator("#changes")).to_contain_text("haben die Plätze getauscht")
    expect(page.get_by_text("von Hand geändert").first).to_be_visible()
    swapped = SeatChange.objects.get(attempt__round__tournament=desk.tournament).data
    assert {swapped["a"], swapped["b"]} == {a, b}
    page.get_by_text("Die letzte Änderung zurücknehmen …").click()
    page.locator("#take-back-reason").fill("doch nicht")
    page.get_by_role("button", name=labels.TAKE_BACK).click()
    expect(page.get_by_text("Zurückgenommen. Beides bleibt festgehalten.")).to_be_visible()
    assert seating(desk) == before

    # released; a latecomer takes a free seat, and nobody else moves
    page.get_by_role("button", name="Freigeben").click()
    expect(page.get_by_text("Freigegeben.").first).to_be_visible()
    late = ParticipantFactory.create(tournament=desk.tournament)
    page.reload()
    page.get_by_text("Zu spät oder nicht da? – 1 ohne Platz").click()
    page.get_by_role("link", name=f"Nr. 15 {late.name}").click()
    expect(page.get_by_role("button", name="Platz geben")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Platz geben").click()
    expect(page.get_by_text(f"{late.name} sitzt jetzt an Tisch 3.")).to_be_visible()
    assert seating(desk) == (*before[:2], (*before[2], 15))

    # no-shows: a table of five plays on with four, a table of four is filled up as proposed
    look_up(page, before[0][1])
    expect(page.get_by_text("Tisch 1 spielt mit 4 weiter")).to_be_visible()
    page.get_by_role("button", name="Vom Tisch nehmen").click()
    expect(page.get_by_text("ist vom Tisch genommen.")).to_be_visible()
    look_up(page, before[0][2])
    expect(page.get_by_text("An Tisch 1 säßen dann nur noch 3. Der kleinste Umbau:")).to_be_visible()
    page.get_by_role("button", name="So umsetzen").click()
    expect(page.locator("#changes")).to_contain_text("ist an Tisch 1 gewechselt")
    assert sorted(map(len, seating(desk))) == [4, 4, 5]

    # the report on the draw is public
    page.goto(f"/t/{desk.tournament.slug}/")
    expect(page.get_by_text(f"Nachgerückt: {late.name}")).to_be_visible()
    page.get_by_role("link", name="Wie ausgelost wurde").click()
    expect(page.get_by_text("Eine Auslosung davor ist verworfen.")).to_be_visible()
    expect(page.get_by_text(f"{late.name} ist an Tisch 3 nachgerückt")).to_be_visible()
    expect(page.get_by_text("Streit um den Rasen")).to_have_count(0)
    assert violations(page) == []
