"""URLs of the public pages, under /t/."""

from django.urls import path

from scoring.public import offline, tabs, views

app_name = "public"
urlpatterns = [
    path("offline.html", offline.page, name="offline"),  # no slug has a full stop
    path("worker.js", offline.worker, name="worker"),
    *[path(f"<slug:slug>/{tab.path}", tab.view, name=key) for key, tab in tabs.TABS.items()],
    path("<slug:slug>/app.webmanifest", views.manifest, name="manifest"),
    path("<slug:slug>/check/", views.check, name="check"),
    path("<slug:slug>/check/file/", views.check_file, name="check_file"),
    path("<slug:slug>/hand/", views.hand, name="hand"),
    path("<slug:slug>/me/<number:number>/", tabs.me, name="me"),
    path("<slug:slug>/me/<number:number>/card.png", views.evening_card, name="evening_card"),
    path("<slug:slug>/me/<number:number>/row/", tabs.my_row, name="my_row"),
    path("<slug:slug>/screen/", views.screen, name="screen"),
    path("<slug:slug>/screen/<number:number>/", views.screen, name="screen_number"),
    path("<slug:slug>/screen/<number:number>/preview/", views.screen_preview, name="screen_preview"),
    path("<slug:slug>/screen/code/", views.ask_for_code, name="ask_for_code"),
    path("<slug:slug>/screen/hall-code/", views.hall_code_of_now, name="hall_code"),
    path("<slug:slug>/tree/", views.tree, name="bracket"),
    path("<slug:slug>/live", views.live, name="live"),
    path("<slug:slug>/leaderboard.json", views.leaderboard, name="leaderboard"),
    path("<slug:slug>/picture.jpg", views.club_picture, name="club_picture"),
    path("<slug:slug>/reports/", views.reports, name="reports"),
    path("<slug:slug>/record.json", views.record, name="record"),
    path("<slug:slug>/rounds/<number:number>/", views.draw, name="draw"),
    path("<slug:slug>/rounds/<number:number>.json", views.round_json, name="round_json"),
    path("<slug:slug>/rounds/<number:number>/tables/<number:table>/", views.sheet, name="sheet"),
    path("<slug:slug>/rounds/<number:number>/tables/<number:table>/flag/", views.flag, name="flag"),
]
