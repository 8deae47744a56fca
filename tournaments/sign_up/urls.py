"""URLs of the sign-up, under /t/."""

from django.urls import path

from tournaments.sign_up import calendar

app_name = "sign_up"
urlpatterns = [
    path("<slug:slug>/sign-up/calendar.ics", calendar.calendar, name="calendar"),
]
