"""URLs of the installation, for requests without a club."""

from django.urls import path

from schnauz_turnier.clubs import changes, measures, own_pages, registering, views
from schnauz_turnier.clubs.texts import Kind
from scoring.public import readiness
from tournaments.public import views as public

urlpatterns = [
    path("", views.clubs, name="start"),
    path("register/", registering.register_club, name="register"),
    path("register/address/", registering.address, name="register_address"),
    path("register/open/", registering.open_link, name="register_open"),
    *(path(f"{kind}", views.text, {"kind": kind}, name=f"text_{kind}") for kind in Kind),
    *(path(f"{kind}.txt", views.text_file, {"kind": kind}, name=f"text_file_{kind}") for kind in Kind),
    path("closed/<slug:state>", views.closed, name="closed"),
    path("closed/moved/<slug:slug>/", views.moved, name="moved"),
    path("open/", own_pages.open_again, name="open_again"),
    path("healthz", public.healthz, name="healthz"),
    path(
        "healthz/ready",
        readiness.healthz_ready,
        {
            "clubs_are_current": changes.clubs_are_current,
            "backups_have_failed": measures.backups_have_failed,
        },
        name="healthz_ready",
    ),
    path("i18n/", public.language, name="set_language"),
]

handler400 = "schnauz_turnier.web.outages.refusal"
handler500 = "schnauz_turnier.web.outages.failure"
