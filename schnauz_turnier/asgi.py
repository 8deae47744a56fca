"""The ASGI application, from the outside: request ids, outages, forwarded addresses, limits, metrics, kept answers, phones, live stream,
static files, Django. Its companions run beside it: backups, forgetting, address watch, and keeping a laptop awake.

Static files are served by ServeStatic, the fork of WhiteNoise for ASGI. It reads them without blocking the event loop
and without a thread per request, which WhiteNoise's synchronous middleware needs.
"""

import os
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from servestatic import ServeStaticASGI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware


def _no_sniffing(headers: Any, _path: str, _url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")

django = get_asgi_application()

# These modules import models, so they have to be imported after Django is set up.
from schnauz_turnier.background.backup_keeper import BACKUPS, MEASURES, BackupKeeper  # noqa: E402
from schnauz_turnier.background.backup_scheduler import BackupScheduler  # noqa: E402
from schnauz_turnier.background.companion import Companion  # noqa: E402
from schnauz_turnier.background.forgetting import Forgetting, forget  # noqa: E402
from schnauz_turnier.background.keep_awake import KeepAwake  # noqa: E402
from schnauz_turnier.clubs.backups import back_up_clubs  # noqa: E402
from schnauz_turnier.clubs.catalogue import UnknownClub, directory, in_club_of  # noqa: E402
from schnauz_turnier.clubs.measures import measure_those_due  # noqa: E402
from schnauz_turnier.clubs.routing import ClubRouting, below_the_path  # noqa: E402
from schnauz_turnier.live.stream import Hub, LiveStream  # noqa: E402
from schnauz_turnier.start.address_watch import AddressWatch, on_move  # noqa: E402
from schnauz_turnier.start.network import OwnHosts  # noqa: E402
from schnauz_turnier.web.guest_line import GuestLine, GuestRequests  # noqa: E402
from schnauz_turnier.web.kept_answers import KeptAnswers  # noqa: E402
from schnauz_turnier.web.kept_files import KeptFiles  # noqa: E402
from schnauz_turnier.web.metrics import Metrics  # noqa: E402
from schnauz_turnier.web.outages import Outages  # noqa: E402
from schnauz_turnier.web.phone_calls import PhoneCalls  # noqa: E402
from schnauz_turnier.web.preloading import preload  # noqa: E402
from schnauz_turnier.web.request_ids import RequestIds  # noqa: E402
from schnauz_turnier.web.request_limits import RequestLimits  # noqa: E402
from schnauz_turnier.web.slow_refusals import SlowRefusals  # noqa: E402
from scoring.backups import back_up_with_documents  # noqa: E402
from scoring.open_screens import open_screens  # noqa: E402
from scoring.services.backup import make_folder  # noqa: E402
from tournaments.models import Tournament  # noqa: E402
from tournaments.notify import CHANNEL, changes_are_heard  # noqa: E402
from tournaments.own_address import Move  # noqa: E402
from tournaments.page_cache import page_cache  # noqa: E402
from tournaments.queries.publicity import is_public  # noqa: E402
from tournaments.queries.tournaments import is_evening_in_play  # noqa: E402

preload()

guests = GuestLine()
made_anew = SlowRefusals(GuestRequests(below_the_path(django), guests))
site = ServeStaticASGI(
    made_anew,
    root=settings.STATIC_ROOT,
    prefix=settings.STATIC_URL,
    allow_all_origins=False,
    add_headers_function=_no_sniffing,
)


def _write_to() -> dict[str, Any]:
    return connection.get_connection_params()


def _listen_to() -> dict[str, Any]:
    return {"conninfo": settings.LISTEN_URL} if settings.LISTEN_URL else _write_to()


def _back_up(slugs: frozenset[str]) -> bool:
    if settings.BACKUP_DIR is None or not backup_keeper.is_this_process():
        return False
    if settings.CLUBS:
        back_up_clubs(settings.BACKUP_DIR, slugs, at=timezone.now())
    else:
        back_up_with_documents(settings.BACKUP_DIR, slugs, at=timezone.now())
    return True


def _each_day() -> None:
    forget()
    if settings.CLUBS and measures_keeper.is_this_process():
        measure_those_due(at=timezone.now())


def _is_public(name: str) -> bool:
    try:
        with in_club_of(name) as slug:
            return is_public(slug, timezone.localdate())
    except (UnknownClub, Tournament.DoesNotExist):
        return False


backup_keeper = BackupKeeper(_write_to, BACKUPS)
measures_keeper = BackupKeeper(
    _write_to, MEASURES
)  # not that of the backups: this process may have no folder for them


def _behind_proxies(app: Any) -> Any:
    """Return the application with the address of a client that a trusted proxy forwards."""
    return ProxyHeadersMiddleware(app, settings.TRUSTED_PROXIES) if settings.TRUSTED_PROXIES else app


scheduler = BackupScheduler(_back_up, period=settings.BACKUP_PERIOD, idle=settings.BACKUP_IDLE)
hub = Hub(
    channel=CHANNEL,
    listen_to=_listen_to,
    write_to=_write_to,
    is_public=_is_public,
    on_change=[page_cache.invalidate, scheduler.note],
    on_connection=[changes_are_heard.set, page_cache.clear, scheduler.wake],
    on_disconnection=[changes_are_heard.clear],
    screens=open_screens,
)


def _show_new_address(_move: Move) -> None:
    """Make pages and streams anew, as they contain links and codes."""
    page_cache.clear()
    hub.changed_everywhere("address")


on_move.append(_show_new_address)
companions: list[Companion] = [Forgetting(_each_day)]
if settings.BACKUP_DIR is not None:
    make_folder(settings.BACKUP_DIR)
    companions.append(scheduler)
if isinstance(settings.ALLOWED_HOSTS, OwnHosts):
    watch = AddressWatch(settings.DATA_DIR, settings.ALLOWED_HOSTS, follows=settings.FOLLOWS_ADDRESS)
    companions.append(watch)
if not (settings.HTTPS or settings.CLUBS):
    companions.append(KeepAwake(lambda: is_evening_in_play(timezone.localdate())))
live_stream = LiveStream(KeptFiles(site), hub, companions=companions)
phone_calls = frozenset(
    reverse(f"phone:{name}")
    for name in ("enter", "sheet", "pen", "entries", "scribe", "call", "missing", "own", "link")
)
phones = PhoneCalls(
    live_stream,
    guests,
    pages=reverse("phone:page"),
    calls=phone_calls,
    entering=reverse("phone:enter"),
)
kept = KeptAnswers(phones, made_anew, page_cache, guests)
limited = RequestLimits(Metrics(kept, streams=hub.count_streams))
application = RequestIds(
    Outages(_behind_proxies(ClubRouting(limited, directory) if settings.CLUBS else limited))
)
