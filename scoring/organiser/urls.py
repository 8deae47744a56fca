"""URLs of the organiser's rounds, sheets and standings, under /o/. The project joins them with those of `tournaments`."""

from django.urls import path

from scoring.organiser.copies import again, club
from scoring.organiser.copies import views as copies
from scoring.organiser.dashboard import views as dashboard
from scoring.organiser.flags import views as flags
from scoring.organiser.paper import views as paper
from scoring.organiser.people import members
from scoring.organiser.people import views as people
from scoring.organiser.prints import views as prints
from scoring.organiser.prizes import giving as prize_giving
from scoring.organiser.prizes import views as prizes
from scoring.organiser.rounds import views as rounds
from scoring.organiser.screens import views as screens
from scoring.organiser.search import views as search
from scoring.organiser.seats import views as seats
from scoring.organiser.series import honours
from scoring.organiser.series import views as series
from scoring.organiser.sheets import views as sheets
from scoring.organiser.standings import views as standings
from scoring.organiser.words import views as words

PERSON = "+/people/<uuid:person>/"
ROUND = "<slug:slug>/rounds/<number:number>/"
TABLE = ROUND + "tables/<number:table>/"
SEAT = ROUND + "seats/<number:start_number>/"
STANDINGS = "<slug:slug>/standings/"
PRINT = "<slug:slug>/print/"
SCREENS = "<slug:slug>/screens/"

urlpatterns = [
    path("+/copy/", copies.read_copy, name="read_copy"),
    path("+/club/", club.read_club, name="read_club"),
    path("+/club.json", club.club_file, name="club_file"),
    path("<slug:slug>/again/", again.again, name="again"),
    # People of the club, over all evenings
    path("+/people/", people.people, name="club_people"),
    path("+/people/doubles/", people.all_doubles, name="club_doubles"),
    path("+/people/members/", members.members, name="club_members"),
    path("+/people/members.<slug:kind>", members.download_members, name="club_members_file"),
    path(PERSON, people.person, name="club_person"),
    path(PERSON + "consent/", people.consent, name="club_person_consent"),
    path(PERSON + "merge/<uuid:into>/", people.merge, name="merge_people"),
    path(PERSON + "split/", people.split, name="split_person"),
    path(PERSON + "person.json", people.person_file, name="club_person_file"),
    path(PERSON + "erase/", people.erase, name="erase_from_club"),
    path("+/honours/", honours.honours, name="roll_of_honour"),
    path("+/series/", series.all_series, name="all_series"),
    path("+/series/<slug:series>/", series.series, name="series"),
    path("+/series/<slug:series>/evening/", series.type_evening, name="type_evening"),
    path("+/series/<slug:series>/certificates/", series.certificates, name="series_certificates"),
    path("+/series/<slug:series>/final/", series.make_final, name="make_final"),
    path("+/series/<slug:series>/lot/", series.draw_lot, name="draw_series_lot"),
    path("+/series/<slug:series>/delete/", series.delete_series, name="delete_series"),
    # The evening and its rounds
    path("<slug:slug>/", dashboard.overview, name="overview"),
    path("<slug:slug>/backup/", dashboard.backup_fragment, name="backup"),
    path("<slug:slug>/strip/", dashboard.strip_fragment, name="strip"),
    path("<slug:slug>/search/", search.search, name="search"),
    path("<slug:slug>/rounds/", rounds.rounds, name="rounds"),
    path("<slug:slug>/export.json", dashboard.export, name="export"),
    path("<slug:slug>/delete/", dashboard.delete_practice, name="delete_practice"),
    path("<slug:slug>/settings/delete/", dashboard.delete, name="delete"),
    path("<slug:slug>/end/", dashboard.end, name="end"),
    path("<slug:slug>/resume/", dashboard.resume, name="resume"),
    path("<slug:slug>/tree/", rounds.tree, name="bracket"),
    path("<slug:slug>/people/<number:start_number>/erase/", dashboard.erase_person, name="erase_person"),
    path("<slug:slug>/people/<number:start_number>/exclude/", dashboard.exclude, name="exclude"),
    path("<slug:slug>/people/<number:start_number>/readmit/", dashboard.readmit, name="readmit"),
    path(ROUND, rounds.round_page, name="round"),
    path(ROUND + "board/", rounds.monitor_fragment, name="table_monitor"),
    path(ROUND + "draw/", rounds.draw, name="draw"),
    path(ROUND + "redraw/", rounds.redraw, name="redraw"),
    path(ROUND + "draw-sealed/", rounds.draw_sealed, name="draw_sealed"),
    path(ROUND + "swap/", rounds.swap, name="swap"),
    path(ROUND + "swap/cost/", rounds.swap_cost, name="swap_cost"),
    path(ROUND + "take-back/", seats.take_back, name="take_back"),
    path(ROUND + "seats/", seats.find_seat, name="find_seat"),
    path(ROUND + "seats/draw/", seats.draw_seats, name="draw_seats"),
    path(SEAT, seats.seat, name="seat"),
    path(SEAT + "join/", seats.join, name="join"),
    path(SEAT + "leave/", seats.leave, name="leave"),
    path(ROUND + "release/", rounds.release, name="release"),
    path(ROUND + "start/", rounds.start, name="start_round"),
    path(ROUND + "take-back-release/", dashboard.take_back_release, name="take_back_release"),
    path(ROUND + "close/", rounds.close, name="close"),
    path(ROUND + "accept/", sheets.accept_submitted, name="accept_submitted"),
    path(ROUND + "scribes/", seats.scribes, name="scribes"),
    path("<slug:slug>/people/<number:start_number>/substitute/", seats.substitute, name="substitute"),
    path("<slug:slug>/wishes/", rounds.wishes, name="wishes"),
    path("<slug:slug>/wishes/remove/", rounds.remove_wish, name="remove_wish"),
    # Sheets
    path(ROUND + "paper/", paper.paper, name="paper"),
    path(TABLE, sheets.sheet, name="sheet"),
    path(TABLE + "paper/", paper.paper_line, name="paper_line"),
    path(TABLE + "paper/check/", paper.paper_check, name="paper_check"),
    path(TABLE + "accept/", sheets.accept, name="accept"),
    path(TABLE + "reopen/", sheets.reopen, name="reopen"),
    path(TABLE + "write/<slug:kind>/", sheets.write, name="write"),
    path(TABLE + "entries/<uuid:entry>/void/", sheets.void, name="void"),
    path(TABLE + "entries/<uuid:entry>/correct/", sheets.correct, name="correct"),
    path(TABLE + "entries/<uuid:entry>/approve/", sheets.approve, name="approve"),
    path(TABLE + "exclude/", sheets.exclude_table, name="exclude_table"),
    path(TABLE + "revoke/", sheets.revoke, name="revoke"),
    path(TABLE + "parked/", sheets.decide_all_parked, name="decide_all_parked"),
    path(TABLE + "come/", sheets.come, name="come"),
    path(TABLE + "missing/", sheets.report_missing, name="report_missing"),
    path(TABLE + "found/", sheets.end_missing, name="end_missing"),
    path(TABLE + "free-pen/", sheets.free_pen, name="free_pen"),
    path("<slug:slug>/parked/<number:parked>/", sheets.decide_parked, name="decide_parked"),
    path("<slug:slug>/flags/", flags.flags, name="flags"),
    path("<slug:slug>/flags/<number:flag>/look/", flags.mark_flag, name="look_at_flag"),
    path("<slug:slug>/flags/<number:flag>/close/", flags.close, name="close_flag"),
    # Standings
    path(STANDINGS, standings.standings, name="standings"),
    path(STANDINGS + "pictures/", standings.pictures, name="pictures"),
    path(STANDINGS + "freeze/", standings.freeze, name="freeze"),
    path(STANDINGS + "show/", standings.show, name="show"),
    path(STANDINGS + "release/", standings.release, name="release_standings"),
    path(STANDINGS + "decide/", standings.decide, name="decide"),
    path(STANDINGS + "lot/", standings.draw_lot, name="draw_lot"),
    path(STANDINGS + "lot/sealed/", standings.draw_sealed_lot, name="draw_sealed_lot"),
    path(
        STANDINGS + "decisions/<number:decision>/revoke/", standings.revoke_decision, name="revoke_decision"
    ),
    # Prizes
    path("<slug:slug>/prizes/", prizes.prize_plan, name="prize_plan"),
    path("<slug:slug>/prizes/list/", prize_giving.prize_list, name="prize_list"),
    path("<slug:slug>/prizes/give/", prize_giving.give_prize, name="give_prize"),
    path("<slug:slug>/prizes/absent/", prize_giving.mark_absent, name="mark_absent"),
    path("<slug:slug>/prizes/back/", prize_giving.take_prize_back, name="take_prize_back"),
    # Words
    path("<slug:slug>/announce/", words.announce, name="announce"),
    path(STANDINGS + "report/", words.report, name="report"),
    # Screens
    path(SCREENS, screens.screens, name="screens"),
    path(SCREENS + "list/", screens.screens_fragment, name="screens_list"),
    path(SCREENS + "show/", screens.show, name="show_scene"),
    path(SCREENS + "reveal/", screens.reveal, name="reveal"),
    path(SCREENS + "picture/", screens.show_picture, name="show_picture"),
    path(SCREENS + "clock/start/", screens.start_clock, name="start_clock"),
    path(SCREENS + "clock/stop/", screens.stop_clock, name="stop_clock"),
    path(SCREENS + "pair/", screens.confirm_code, name="confirm_code"),
    path(SCREENS + "pairings/<number:pairing>/end/", screens.end_pairing, name="end_pairing"),
    # Paper and files
    path(PRINT, prints.index, name="print"),
    path(PRINT + "rounds/<number:number>/sheets/", prints.sheets, name="print_sheets"),
    path(PRINT + "rounds/<number:number>/seating/", prints.seating, name="print_seating"),
    path(PRINT + "sheets/<number:seats>/", prints.blank_sheets, name="print_blank"),
    path(PRINT + "rounds/<number:number>/cards/", prints.cards, name="print_cards"),
    path(PRINT + "rounds/<number:number>/signs/", prints.signs, name="print_signs"),
    path(PRINT + "certificates/", prints.certificates, name="print_certificates"),
    path(PRINT + "picture.jpg", prints.picture, name="print_picture"),
    path(PRINT + "picture/", prints.set_picture, name="set_picture"),
    path(PRINT + "picture/remove/", prints.remove_picture, name="remove_picture"),
    path(PRINT + "receipts/", prints.receipts, name="print_receipts"),
    path(PRINT + "desks/", prints.closing_of_desks, name="closing_of_desks"),
    path(PRINT + "desks/<number:desk>/", prints.closing_sheet, name="closing_sheet"),
    path(PRINT + "standings/", prints.standings, name="print_standings"),
    path("<slug:slug>/standings.csv", prints.download_standings, {"kind": "csv"}, name="standings_csv"),
    path("<slug:slug>/standings.xlsx", prints.download_standings, {"kind": "xlsx"}, name="standings_xlsx"),
]
