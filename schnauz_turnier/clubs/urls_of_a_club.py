"""URLs of a club in an installation of many: those of a laptop, and pages about its place here."""

from django.urls import include, path

from schnauz_turnier import urls
from schnauz_turnier.clubs import own_agreements, own_pages
from schnauz_turnier.urls import handler400, handler500  # noqa: F401 (as Django reads them)

about_itself = [
    path("", own_pages.home, name="home"),
    path("backup/", own_pages.backup, name="backup"),
    path("move/", own_pages.move, name="move"),
    path("end/", own_pages.end, name="end"),
    path("agreements/", own_agreements.club_agreements, name="agreements"),
    path("agreements/<slug:sha256>.txt", own_agreements.agreed_text, name="agreed_text"),
]

urlpatterns = [*urls.urlpatterns, path("account/club/here/", include((about_itself, "here")))]
