"""URLs of the scribe's phone, under /s/."""

from django.urls import path

from scoring.phone import views

app_name = "phone"
urlpatterns = [
    path("", views.page, name="page"),
    path("enter", views.enter, name="enter"),
    path("sheet", views.sheet, name="sheet"),
    path("pen", views.pen, name="pen"),
    path("entries", views.entries, name="entries"),
    path("scribe", views.scribe, name="scribe"),
    path("call", views.call, name="call"),
    path("missing", views.missing, name="missing"),
    path("own", views.own_phone, name="own"),
    path("link", views.link, name="link"),
    path("words", views.words, name="words"),
    path("error", views.error, name="error"),
    path("history", views.history, name="history"),
    path("worker.js", views.worker, name="worker"),
]
