"""URLs of registration, lists and cash book, under /o/."""

from django.urls import path

from tournaments.door import known as known_people
from tournaments.door import views
from tournaments.door.cash import views as cash
from tournaments.door.desks import views as desks
from tournaments.door.lists import views as lists
from tournaments.door.sign_ups import views as sign_ups

app_name = "door"

DESK = "<slug:slug>/door/desks/<number:desk>/"
PERSON = "<slug:slug>/door/people/<number:start_number>/"

urlpatterns = [
    path("<slug:slug>/door/", views.registration, name="desk"),
    path("<slug:slug>/door/list/", views.listing, name="list"),
    path("<slug:slug>/door/known/", known_people.suggestions, name="known"),
    path("<slug:slug>/door/register/", views.register, name="register"),
    path("<slug:slug>/door/desk/", desks.choose_desk, name="name_desk"),
    path("<slug:slug>/door/roll-call/", views.roll_call, name="roll_call"),
    path(PERSON, views.person, name="person"),
    path(f"{PERSON}pay-part/", cash.pay_part, name="pay_part"),
    path(f"{PERSON}fee/", cash.choose_fee, name="choose_fee"),
    path(f"{PERSON}<slug:action>/", views.act, name="act"),
    path("<slug:slug>/door/sign-ups/<number:number>/<slug:action>/", sign_ups.act_on_sign_up, name="sign_up"),
    path("<slug:slug>/door/import/", lists.import_list, name="import_list"),
    path("<slug:slug>/door/import/<number:number>/take-out/", lists.take_list_out, name="take_list_out"),
    path("<slug:slug>/door/cash/", cash.cash, name="cash"),
    path("<slug:slug>/door/desks/", desks.desks, name="desks"),
    path(DESK, desks.till, name="till"),
    path("<slug:slug>/door/desks/days/", desks.daily_reports, name="daily_reports"),
    path(f"{DESK}move/", desks.move_cash, name="move_cash"),
    path(
        f"{DESK}movements/<number:movement>/take-back/", desks.take_back_movement, name="take_back_movement"
    ),
    path(f"{DESK}name/", desks.rename_till, name="rename_till"),
    path(f"{DESK}close/", desks.close_till, name="close_till"),
    path(f"{DESK}reopen/", desks.reopen_till, name="reopen_till"),
    path("<slug:slug>/door/participants.<slug:kind>", lists.download_participants, name="participants_file"),
    path("<slug:slug>/door/payments.<slug:kind>", lists.download_payments, name="payments_file"),
]
