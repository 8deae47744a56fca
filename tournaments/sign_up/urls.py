"""URLs of the sign-up, under /t/."""

from django.urls import path

from tournaments.sign_up import calendar, views

app_name = "sign_up"
urlpatterns = [
    path("<slug:slug>/sign-up/", views.sign_up, name="form"),
    path("<slug:slug>/sign-up/calendar.ics", calendar.calendar, name="calendar"),
    path("<slug:slug>/sign-up/mine/", views.mine, name="mine"),
    path("<slug:slug>/sign-up/mine/<number:sign_up>/", views.change, name="change"),
    path("<slug:slug>/sign-up/mine/<number:sign_up>/<slug:step>/", views.take_step, name="step"),
]
