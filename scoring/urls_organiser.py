"""Addresses of the organiser's rounds, sheets and standings, under /o/."""

from django.urls import path

from scoring import (
    views_flags,
    views_organiser,
    views_print,
    views_screens,
    views_seating,
    views_seats,
    views_standings,
    views_supervisor,
    views_wishes,
)

app_name = "sheets"

ROUND = "<slug:slug>/rounds/<int:number>/"
TABLE = ROUND + "tables/<int:table>/"
SEAT = ROUND + "seats/<int:start_number>/"
STANDINGS = "<slug:slug>/standings/"
PRINT = "<slug:slug>/print/"
SCREENS = "<slug:slug>/screens/"

urlpatterns = [
    # The evening and its rounds
    path("<slug:slug>/", views_organiser.overview, name="overview"),
    path("<slug:slug>/backup/", views_organiser.backup_fragment, name="backup"),
    path("<slug:slug>/rounds/", views_organiser.rounds, name="rounds"),
    path("<slug:slug>/export.json", views_organiser.export, name="export"),
    path("<slug:slug>/delete/", views_organiser.delete_practice, name="delete_practice"),
    path("<slug:slug>/tree/", views_organiser.tree, name="tree"),
    path("<slug:slug>/people/<int:start_number>/erase/", views_organiser.erase_person, name="erase_person"),
    path(ROUND, views_organiser.round_page, name="round"),
    path(ROUND + "board/", views_organiser.board_fragment, name="board"),
    path(ROUND + "draw/", views_organiser.draw, name="draw"),
    path(ROUND + "redraw/", views_organiser.redraw, name="redraw"),
    path(ROUND + "swap/", views_organiser.swap, name="swap"),
    path(ROUND + "swap/cost/", views_seating.swap_cost, name="swap_cost"),
    path(ROUND + "take-back/", views_seating.take_back, name="take_back"),
    path(ROUND + "seats/", views_seating.find_seat, name="find_seat"),
    path(SEAT, views_seating.seat, name="seat"),
    path(SEAT + "join/", views_seating.join, name="join"),
    path(SEAT + "leave/", views_seating.leave, name="leave"),
    path(ROUND + "release/", views_organiser.release, name="release"),
    path(ROUND + "close/", views_organiser.close, name="close"),
    path(ROUND + "accept/", views_supervisor.accept_submitted, name="accept_submitted"),
    path(ROUND + "scribes/", views_seats.scribes, name="scribes"),
    path("<slug:slug>/people/<int:start_number>/substitute/", views_seats.substitute, name="substitute"),
    path("<slug:slug>/wishes/", views_wishes.wishes, name="wishes"),
    path("<slug:slug>/wishes/remove/", views_wishes.remove, name="remove_wish"),
    # Sheets
    path(ROUND + "paper/", views_supervisor.paper, name="paper"),
    path(TABLE, views_supervisor.sheet, name="sheet"),
    path(TABLE + "paper/", views_supervisor.paper_line, name="paper_line"),
    path(TABLE + "paper/check/", views_supervisor.paper_check, name="paper_check"),
    path(TABLE + "accept/", views_supervisor.accept, name="accept"),
    path(TABLE + "reopen/", views_supervisor.reopen, name="reopen"),
    path(TABLE + "write/<slug:kind>/", views_supervisor.write, name="write"),
    path(TABLE + "entries/<uuid:entry>/void/", views_supervisor.void, name="void"),
    path(TABLE + "entries/<uuid:entry>/correct/", views_supervisor.correct, name="correct"),
    path(TABLE + "entries/<uuid:entry>/approve/", views_supervisor.approve, name="approve"),
    path(TABLE + "revoke/", views_supervisor.revoke, name="revoke"),
    path(TABLE + "free-pen/", views_supervisor.free_pen, name="free_pen"),
    path("<slug:slug>/parked/<int:parked>/", views_supervisor.decide_parked, name="decide_parked"),
    path("<slug:slug>/flags/", views_flags.flags, name="flags"),
    path("<slug:slug>/flags/<int:flag>/close/", views_flags.close, name="close_flag"),
    # Standings
    path(STANDINGS, views_standings.standings, name="standings"),
    path(STANDINGS + "freeze/", views_standings.freeze, name="freeze"),
    path(STANDINGS + "show/", views_standings.show, name="show"),
    path(STANDINGS + "release/", views_standings.release, name="release_standings"),
    path(STANDINGS + "decide/", views_standings.decide, name="decide"),
    path(STANDINGS + "lot/", views_standings.draw_lot, name="draw_lot"),
    path(
        STANDINGS + "decisions/<int:decision>/revoke/",
        views_standings.revoke_decision,
        name="revoke_decision",
    ),
    # Screens of the hall
    path(SCREENS, views_screens.screens, name="screens"),
    path(SCREENS + "list/", views_screens.screens_fragment, name="screens_list"),
    path(SCREENS + "show/", views_screens.show, name="show_scene"),
    path(SCREENS + "reveal/", views_screens.reveal, name="reveal"),
    # Paper and files
    path(PRINT, views_print.index, name="print"),
    path(PRINT + "rounds/<int:number>/sheets/", views_print.sheets, name="print_sheets"),
    path(PRINT + "rounds/<int:number>/seating/", views_print.seating, name="print_seating"),
    path(PRINT + "sheets/<int:seats>/", views_print.blank_sheets, name="print_blank"),
    path(PRINT + "standings/", views_print.standings, name="print_standings"),
    path("<slug:slug>/standings.csv", views_print.standings_csv, name="standings_csv"),
    path("<slug:slug>/standings.xlsx", views_print.standings_xlsx, name="standings_xlsx"),
]
