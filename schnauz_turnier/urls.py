"""Addresses by audience: /o/ organisers, /s/ scribes' phones, /t/ the public, /account/ everybody with an account."""

from django.urls import include, path
from django.views.i18n import set_language

from tournaments import views_public
from tournaments.access import public_view

urlpatterns = [
    path("", views_public.start, name="start"),
    path("healthz", views_public.healthz, name="healthz"),
    path("o/", include("tournaments.urls_organiser")),
    path("o/", include("scoring.urls_organiser")),
    path("account/", include("tournaments.urls_account")),
    path("s/", include("scoring.urls_scribe")),
    path("t/", include("tournaments.urls_public")),
    path("t/", include("scoring.urls_public")),
    path("i18n/", public_view(set_language), name="set_language"),
]
