from django.urls import path

from scoring import views_scribe

app_name = "scribe"
urlpatterns = [
    path("", views_scribe.page, name="page"),
    path("enter", views_scribe.enter, name="enter"),
    path("sheet", views_scribe.sheet, name="sheet"),
    path("pen", views_scribe.pen, name="pen"),
    path("entries", views_scribe.entries, name="entries"),
    path("link", views_scribe.link, name="link"),
    path("history", views_scribe.history, name="history"),
    path("worker.js", views_scribe.worker, name="worker"),
]
