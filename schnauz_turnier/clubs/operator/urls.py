"""URLs of the operator's own schema: accounts, and the operator's pages. It has no pages of tournaments."""

from django.urls import include, path

from schnauz_turnier.clubs.operator import changes, registrations, views
from scoring.public import readiness
from tournaments.accounts import urls as accounts
from tournaments.public import views as public

operator = [
    path("", views.clubs, name="clubs"),
    path("clubs/<slug:slug>/", views.club, name="club"),
    path("clubs/<slug:slug>/archive/", changes.archive, name="archive"),
    path("clubs/<slug:slug>/open/", changes.open_again, name="open"),
    path("clubs/<slug:slug>/end/", changes.end, name="end"),
    path("clubs/<slug:slug>/keep/", changes.keep, name="keep"),
    path("clubs/<slug:slug>/limits/", changes.limits, name="limits"),
    path("registrations/", registrations.registrations, name="registrations"),
    path("registrations/<slug:slug>/confirm/", registrations.confirm, name="confirm"),
    path("registrations/<slug:slug>/refuse/", registrations.refuse, name="refuse"),
    path("incidents/", views.incidents, name="incidents"),
    path("maintenance/", views.maintenance, name="maintenance"),
    path(
        "maintenance/<number:maintenance_id>/withdraw/",
        views.withdraw_maintenance,
        name="withdraw_maintenance",
    ),
]

of_a_club = {"club", "record"}
of_accounts = [page for page in accounts.urlpatterns if page.name not in of_a_club]

urlpatterns = [
    path("", views.home, name="start"),
    path("o/", include(([path("", views.home, name="home")], "organiser"))),
    path("operator/", include((operator, "operator"))),
    path("account/", include((of_accounts, "account"))),
    path("healthz", public.healthz, name="healthz"),
    path("healthz/ready", readiness.healthz_ready, name="healthz_ready"),
    path("i18n/", public.language, name="set_language"),
]

handler400 = "schnauz_turnier.web.outages.refusal"
handler500 = "schnauz_turnier.web.outages.failure"
