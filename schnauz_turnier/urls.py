"""URLs by audience: /o/ for organisers and the door, /s/ for scribes' phones, /t/ for the public, /account/."""

from functools import partial

from django.urls import include, path

from scoring.organiser import urls as rounds
from scoring.public import readiness, series
from scoring.queries.retention import notices
from scoring.queries.standings import winners_of
from tournaments.organiser import urls as tournaments
from tournaments.organiser.views import home
from tournaments.public import views as public
from tournaments.sign_up import calendar

organiser = [
    path("", home, {"winners_of": winners_of, "notices_of": notices}, name="home"),
    *tournaments.urlpatterns,
    *rounds.urlpatterns,
]

of_the_games = {
    "winners_of": partial(winners_of, full_names=False),
    "pages_of_the_year": series.pages_of_the_year,
}

urlpatterns = [
    path("", public.start, of_the_games, name="start"),
    path("calendar.ics", calendar.all_evenings, name="calendar"),
    path("club.jpg", public.club_picture, name="club_picture"),
    path("imprint", public.imprint, name="imprint"),
    path("privacy", public.privacy, name="privacy"),
    path("healthz", public.healthz, name="healthz"),
    path("healthz/ready", readiness.healthz_ready, name="healthz_ready"),
    path("o/", include("tournaments.door.urls")),
    path("o/", include((organiser, "organiser"))),
    path("account/", include("tournaments.accounts.urls")),
    path("s/", include("scoring.phone.urls")),
    path("t/", include("tournaments.sign_up.urls")),
    path("t/", include("scoring.public.urls")),
    path("honours/", series.honours, name="roll_of_honour"),
    path("series/<slug:series>/", series.page, name="series"),
    path("series/<slug:series>.json", series.document, name="series_json"),
    path("i18n/", public.language, name="set_language"),
]

handler400 = "schnauz_turnier.web.outages.refusal"
handler500 = "schnauz_turnier.web.outages.failure"
