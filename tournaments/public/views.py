"""Public views of the installation: start page and health check."""

from django.db import DatabaseError, connection
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from tournaments.access import public_view
from tournaments.queries import tournaments as queries
from tournaments.requests import Request


@public_view("GET")
def start(request: Request) -> HttpResponse:
    today = timezone.localdate()
    tournaments = queries.tournaments_to_watch(today)
    return render(request, "tournaments/public/start.html", {"tournaments": tournaments, "today": today})


@never_cache
@public_view("GET")
def healthz(request: Request) -> HttpResponse:
    """Return 200 if the database answers, else 503. For proxies and monitoring; sets no cookie."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("database does not answer\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")
