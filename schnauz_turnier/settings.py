"""Settings, read from the environment. Invalid values raise ImproperlyConfigured. Defaults are those of production.

DATABASE_URL      postgres://user:password@host/name, also with several hosts; unset: the embedded PostgreSQL under DATA_DIR
LISTEN_URL        the direct address of the same database, where DATABASE_URL is a transaction pooler; unset: DATABASE_URL
CLUBS             hosts or paths: whether many clubs share this installation, at CLUB.example.org or at /c/CLUB/; unset: one club
CLUB_MOST_TOURNAMENTS, CLUB_MOST_PEOPLE, CLUB_MOST_MEGABYTES
                  what each club may have at most: tournaments, players on their lists, room on disk; unset: any number
CITUS             0 or 1: whether DATABASE_URL is a Citus cluster, over whose machines the clubs are spread
DATA_DIR          the folder of all files that the program writes (default: data/ beside manage.py, or the user's data folder)
HOST              the address at which the server answers; 0.0.0.0 or ::, every one of this machine: then Host headers may name each
PUBLIC_URL        the address of the program for its users: https://..., or http:// in a local network; unset: found at the start, and
                  anew when this machine gets another one
HTTPS             0 or 1: whether `make run` also answers https, for the devices of the staff in the hall's own network
SECRET_KEY        signs cookies; required in production, made and stored in DATA_DIR by `make run`
TRUSTED_PROXIES   addresses or networks of the proxies in front, whose X-Forwarded-For and -Proto are trusted; unset: none
DEFAULT_LANGUAGE  one of LANGUAGES, for browsers that request none of them
DEBUG             0 or 1
LOG_LEVEL         DEBUG, INFO, WARNING or ERROR
EMAIL_URL         smtp://user:password@host:587?from=turnier@example.org, or smtps://; unset: nothing is sent by mail
TEXTS_DIR         with CLUBS: the folder of the operator's texts (terms.de.txt and others); unset: none, and no club can register
METRICS_TOKEN     whoever sends it reads /metrics; unset: nobody
LOG_FORMAT        text, or json: one JSON object a line, and a line for each request
BACKUP_DIR        the folder of the backups (a USB stick, a synced folder), one a minute at most; unset: the latest three in
                  DATA_DIR/backups, beside the embedded PostgreSQL, and none with DATABASE_URL
BACKUP_WITH_KEY   0 or 1: whether backups contain SECRET_KEY; default: 1 for the key in DATA_DIR, 0 for a given one
PAGE_MEMORY_MB    the memory for public pages of a process, in megabytes
PROCESSES         the processes of this machine that share its limits; `serve --processes` sets it for those that it starts
STATIC_ROOT       the folder of collectstatic's output (default: .static/ beside manage.py; installed: below DATA_DIR)
"""

import ipaddress
import os
import secrets
import tempfile
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from schnauz_turnier import __version__
from schnauz_turnier.environment import FOUND, env, env_choice, env_most, env_number, env_path
from schnauz_turnier.mail import env_mail
from schnauz_turnier.place import IS_INSTALLED, RESOURCES, own_data_dir
from schnauz_turnier.postgresql.databases import env_citus, env_clubs, env_database, env_listen_url
from schnauz_turnier.start.catalogues import compile_catalogues
from schnauz_turnier.start.network import EVERYWHERE, OwnHosts, host_in_url, https_port, is_address, is_local

# --- reading the environment ---------------------------------------------------------------------------------------


def kept(name: str) -> str | None:
    """Return a value that `make run` stored in DATA_DIR, so that later commands agree with the running server."""
    with suppress(OSError):
        return (DATA_DIR / name).read_text(encoding="utf-8").strip() or None
    return None


def env_public_url() -> str:
    """Return scheme and host, e.g. https://turnier.example.org, without a trailing slash."""
    value = env("PUBLIC_URL") or FOUND.get("PUBLIC_URL") or kept("public_url") or NOWHERE_YET
    url = urlsplit(value)
    try:
        readable = url.scheme in ("http", "https") and url.hostname and (url.port or True)
    except ValueError:  # invalid port
        readable = False
    if not readable or url.path.strip("/") or url.query or url.fragment or url.username:
        raise ImproperlyConfigured(
            f"PUBLIC_URL={value!r} is not understood. Set it to scheme and host, e.g. https://turnier.example.org"
        )
    if url.scheme == "http" and not is_local(url.hostname or ""):
        raise ImproperlyConfigured(
            f"PUBLIC_URL={value!r}: plain http is for this computer and the hall's own network only. "
            "Put a proxy with a certificate in front (docker-compose.yml does) and use https://."
        )
    return f"{url.scheme}://{url.netloc}"


NOWHERE_YET = "https://localhost"  # no server runs here; without an address be as strict as in production


def env_staff_url() -> str | None:
    """Return the https address beside a PUBLIC_URL of plain http, where the staff log in; None without one."""
    url = urlsplit(PUBLIC_URL)
    if env_choice("HTTPS", ("0", "1"), "0") == "0" or url.scheme == "https":
        return None
    host = host_in_url(url.hostname or "")
    port = https_port(url.port or 80)
    return f"https://{host}" if port == 443 else f"https://{host}:{port}"


def env_proxies() -> list[str]:
    """Return addresses and networks. `*` is refused: then clients could choose the address that limits count by."""
    proxies = [proxy.strip() for proxy in (env("TRUSTED_PROXIES") or "").split(",") if proxy.strip()]
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise ImproperlyConfigured(
                f"TRUSTED_PROXIES={proxy!r} is no address or network. "
                "Name the proxies, with commas in between, e.g. 172.30.0.2 or 172.30.0.0/24"
            ) from None
    return proxies


def env_secret_key() -> str:
    if value := env("SECRET_KEY"):
        if len(value) < 50:
            raise ImproperlyConfigured(f"SECRET_KEY is too short to be secret. {MAKE_A_KEY}")
        return value
    if PUBLIC_URL.startswith("https://") and PUBLIC_URL != NOWHERE_YET:
        raise ImproperlyConfigured(f"SECRET_KEY is not set. {MAKE_A_KEY}")
    return kept("secret_key") or make_secret_key()


MAKE_A_KEY = "Make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"


def make_secret_key() -> str:
    """Make a key for this DATA_DIR. If two processes start at once, one key is stored and both use it."""
    try:
        DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, draft = tempfile.mkstemp(dir=DATA_DIR)  # mode 0600
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as out:
                out.write(secrets.token_urlsafe(50))
            with suppress(FileExistsError):
                os.link(draft, DATA_DIR / "secret_key")
        finally:
            Path(draft).unlink()
    except OSError as error:
        raise ImproperlyConfigured(
            f"DATA_DIR={DATA_DIR} cannot be written to ({error.strerror}). "
            "Set DATA_DIR to a folder of yours, or set SECRET_KEY and DATABASE_URL."
        ) from error
    return (DATA_DIR / "secret_key").read_text(encoding="utf-8")


def env_metrics_token() -> str | None:
    value = env("METRICS_TOKEN")
    if value is not None and (len(value) < 32 or not value.isascii()):
        raise ImproperlyConfigured("METRICS_TOKEN is too short to be secret, or not ASCII. " + MAKE_A_KEY)
    return value


# --- this installation ---------------------------------------------------------------------------------------------

VERSION = __version__
DATA_DIR = env_path("DATA_DIR") or own_data_dir()
PUBLIC_URL = env_public_url()
STAFF_URL = env_staff_url()
SECRET_KEY = env_secret_key()
SECRET_KEY_FILE = None if env("SECRET_KEY") else DATA_DIR / "secret_key"
DEBUG = env_choice("DEBUG", ("0", "1"), "0") == "1"
LOG_LEVEL = env_choice("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
METRICS_TOKEN = env_metrics_token()
LOG_FORMAT = env_choice("LOG_FORMAT", ("text", "json"), "text")
TRUSTED_PROXIES = env_proxies()
CLUBS = env_clubs()
TEXTS_DIR = env_path("TEXTS_DIR")
CLUB_MOST_TOURNAMENTS = env_most("CLUB_MOST_TOURNAMENTS")
CLUB_MOST_PEOPLE = env_most("CLUB_MOST_PEOPLE")
CLUB_MOST_MEGABYTES = env_most("CLUB_MOST_MEGABYTES")
CITUS = env_citus()
DATABASES = {"default": env_database()}
LISTEN_URL = env_listen_url()
PAGE_MEMORY_MB = env_number("PAGE_MEMORY_MB", 128, least=1)
PROCESSES = env_number("PROCESSES", 1, least=1)
OWN_BACKUP_DIR = DATA_DIR / "backups"
BACKUP_DIR = env_path("BACKUP_DIR") or (None if env("DATABASE_URL") else OWN_BACKUP_DIR)
BACKUP_WITH_KEY = env_choice("BACKUP_WITH_KEY", ("0", "1"), "1" if SECRET_KEY_FILE else "0") == "1"
BACKUP_PERIOD = timedelta(minutes=1)  # minimum time between two backups
BACKUP_IDLE = timedelta(minutes=10)  # time without NOTIFY until a backup; a new account sends none

# --- apps and middleware -------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "tournaments",
    "scoring",
    "schnauz_turnier.clubs",
    "schnauz_turnier.doctor",
]
MIDDLEWARE = [
    "schnauz_turnier.clubs.middleware.pages_of_the_installation",
    "schnauz_turnier.web.middleware.connection_for_the_answer_only",
    "schnauz_turnier.web.middleware.route_is_named",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "tournaments.access.staff_pages_are_not_stored",
    "schnauz_turnier.web.middleware.session_stays_encrypted",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "schnauz_turnier.web.middleware.one_thread",
]
ROOT_URLCONF = "schnauz_turnier.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [RESOURCES / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
            "builtins": ["tournaments.templatetags.markup", "tournaments.templatetags.once"],
            "libraries": {
                "addresses": "schnauz_turnier.start.addresses",
                "installation": "schnauz_turnier.start.installation",
                "operator": "schnauz_turnier.clubs.operator_tags",
                "public_pictures": "scoring.public.pictures",
                "public_rows": "scoring.public.rows",
                "public_tabs": "scoring.public.tabs",
            },
        },
    },
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- language and time ---------------------------------------------------------------------------------------------

LANGUAGES = [("de", "Deutsch"), ("en", "English")]
FORMAT_MODULE_PATH = "schnauz_turnier.formats"
LANGUAGE_CODE = env_choice("DEFAULT_LANGUAGE", [code for code, _name in LANGUAGES], "de")
LOCALE_PATHS = [RESOURCES / "locale"]
compile_catalogues(RESOURCES / "locale")
TIME_ZONE = "Europe/Berlin"

# --- static files: served by schnauz_turnier/asgi.py ---------------------------------------------------------------

STATIC_URL = "/static/"
COLLECTED_STATIC = RESOURCES / ".static"  # in a wheel: hashed and compressed already
STATIC_ROOT = env_path("STATIC_ROOT") or (DATA_DIR / "static" if IS_INSTALLED else COLLECTED_STATIC)
STATICFILES_DIRS = [RESOURCES / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "schnauz_turnier.web.static_files.StaticFilesStorage"},
}

# --- accounts ------------------------------------------------------------------------------------------------------

LOGIN_URL = "account:login"
LOGIN_REDIRECT_URL = "organiser:home"
LOGOUT_REDIRECT_URL = "start"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "tournaments.accounts.validators.BreachedPasswordValidator"},
]

OTP_TOTP_ISSUER = "Schnauz-Turnier"  # the name of the entry in an authenticator app

# --- mail ----------------------------------------------------------------------------------------------------------

_MAIL = env_mail()
HAS_MAIL = _MAIL is not None
globals().update(_MAIL or {})

# --- hosts, cookies and browser policies ---------------------------------------------------------------------------

HTTPS = PUBLIC_URL.startswith("https://")
_PUBLIC_HOST = urlsplit(PUBLIC_URL).hostname or ""
_ANSWERS_EVERYWHERE = env("HOST") in EVERYWHERE and not HTTPS
# An address that the program found itself, not one that a person has set or a name.
FOLLOWS_ADDRESS = _ANSWERS_EVERYWHERE and env("PUBLIC_URL") is None and is_address(_PUBLIC_HOST)
ALLOWED_HOSTS = [host_in_url(_PUBLIC_HOST), "localhost", "127.0.0.1", "[::1]"]
if FOLLOWS_ADDRESS:
    ALLOWED_HOSTS.pop(0)
if CLUBS == "hosts":
    ALLOWED_HOSTS.append(f".{_PUBLIC_HOST}")
if _ANSWERS_EVERYWHERE:
    ALLOWED_HOSTS = OwnHosts(ALLOWED_HOSTS)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
# With this prefix, browsers accept a cookie only by https and from this host itself, no subdomain of the club's.
# Where clubs share a host, each has cookies for its own paths only.
_HOST_ONLY = "" if not HTTPS else "__Secure-" if CLUBS == "paths" else "__Host-"
SESSION_COOKIE_NAME = f"{_HOST_ONLY}sessionid"
CSRF_COOKIE_NAME = f"{_HOST_ONLY}csrftoken"
LANGUAGE_COOKIE_NAME = f"{_HOST_ONLY}language"
DEVICE_COOKIE_NAME = f"{_HOST_ONLY}device"
PHONE_COOKIE_NAME = f"{_HOST_ONLY}sheet"
SCREEN_COOKIE_NAME = "__Secure-screen" if HTTPS else "screen"  # for one tournament's pages: its path is not /
FLAG_COOKIE_NAME = "__Secure-flag" if HTTPS else "flag"  # the same
SIGN_UP_COOKIE_NAME = "__Secure-sign-up" if HTTPS else "sign-up"  # the same
REPORTS_COOKIE_NAME = "__Secure-reports" if HTTPS else "reports"  # the same
PHONE_COOKIE_PATH = "/" if _HOST_ONLY == "__Host-" else "/s/"  # the prefix requires /
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True  # as that of the session is
LANGUAGE_COOKIE_SAMESITE = "Lax"  # as those of Django are
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz(/ready)?$"]  # requested by the host itself, behind the proxy
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None  # ignored with a warning on plain http
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "worker-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
# W005, W021: HSTS with subdomains or preload would affect hosts of the club that this program does not serve.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# --- limits: docs/operations.md explains each one --------------------------------------------------------------------


def of_each_process(most: int, *, least: int = 1) -> int:
    """Return the share of a limit that holds for all processes of this machine.

    Connections are not shared out: when a process ends, those of a whole hall go to another one, and stay there.
    """
    return max(most // PROCESSES, least)


HEADER_BYTES = 32_000
HEADER_SECONDS = 10
CONNECTIONS_PER_ADDRESS = 600
BODY_BYTES = 64_000
PHONE_BODY_BYTES = 1_000_000
IMPORT_BODY_BYTES = 3_000_000
BODY_SECONDS = 60
LARGE_BODIES_PER_ADDRESS = of_each_process(4)
# Entries of one table's sheet. The longest evening of the five rule sheets takes about 45, with every deal taken back once about 125.
MOST_ENTRIES = 1_000
MORE_ENTRIES_OF_ORGANISER = 2_000  # to take back every entry of a full sheet and to type in the paper sheet
MOST_PARKED_ENTRIES = 300
MOST_ENTRIES_AT_ONCE = 1_000  # of one request; the phone sends 100
PHONE_CALLS = 200  # under way: about a second of work
PHONE_CALLS_OF_A_TABLE = 20  # under way; a phone makes one after the other
SECRETS_PER_ADDRESS = 3  # under way, of those that open no table
GUEST_REQUESTS = 2  # in Django at once, of those who are neither a phone at a table nor a device of the staff
GUEST_REQUESTS_PER_ADDRESS = 1
GUEST_SECONDS = 10  # in line before they are refused
# Errors of scripts that phones report in a minute
PHONE_ERRORS = of_each_process(60)
PHONE_ERRORS_OF_AN_ADDRESS = of_each_process(20)
PHONE_ERRORS_OF_A_DEVICE = 5
# Wrong passwords until the next one has to wait: for a name at an address or from a known device; for any names from
# an address, which a whole club may share; for a name from any addresses.
FREE_PASSWORDS = 5
FREE_PASSWORDS_PER_ADDRESS = 30
FREE_PASSWORDS_PER_NAME = 100
LONGEST_PASSWORD_WAIT = 60  # seconds
WRONG_PASSWORD_MINUTES = 15
HASHES_WAITING = of_each_process(4, least=3)  # passwords that are hashed, one after the other, or wait for it
HASHES_WAITING_KNOWN = of_each_process(2)  # further ones, from devices that have logged in before
HASHES_WAITING_PER_ADDRESS = 2  # a form that is sent twice is not refused
SECONDS_UNTIL_REFUSAL = 4  # the answer 429 to a password comes that late, half of it more or less
SESSION_ENGINE = "tournaments.session_store"
SESSION_COOKIE_AGE = 43_200  # seconds of silence, 12 hours; what a page fetches by itself is silence too
SESSION_PROLONGED_EVERY = 600  # seconds; not a write for each page
IMPORT_FILE_BYTES = 1_000_000
IMPORT_UNPACKED_BYTES = 10_000_000
IMPORT_ROWS = 10_000
IMPORT_COLUMNS = 256
IMPORT_CELLS = 100_000
IMPORT_STRINGS = 50_000
IMPORT_STYLES = 50_000
LOG_LINES_ALIKE = 20  # warnings and errors in a minute that differ in their values only
PICTURE_BYTES = 2_000_000
PICTURE_PIXELS = 16_000_000
DOCUMENT_CHARACTERS = 50_000_000

# schnauz_turnier/web/request_limits.py has limited the body before Django reads it. Nothing is written to the disk.
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = IMPORT_BODY_BYTES

# --- logging: to stderr, no bodies, no query strings ---------------------------------------------------------------

_INCIDENTS = {"incidents": {"class": "schnauz_turnier.clubs.incidents.IncidentHandler"}} if CLUBS else {}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {"class": "schnauz_turnier.web.log_lines.JsonFormatter"},
        "text": {
            "class": "schnauz_turnier.web.log_lines.LineFormatter",
            "format": "{asctime} {levelname} {name}{of_request}: {message}",
            "style": "{",
        },
    },
    "filters": {"alike": {"()": "schnauz_turnier.web.log_lines.AlikeLimit", "most": LOG_LINES_ALIKE}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["alike"]},
        **_INCIDENTS,
    },
    "root": {"handlers": ["stderr", *_INCIDENTS], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # caused by scanners
        "django.request": {"level": "ERROR"},  # without 4xx
        "uvicorn": {"level": "DEBUG" if LOG_LEVEL == "DEBUG" else "ERROR"},  # without what it cannot read
        "wakepy": {"level": "ERROR"},  # without what it tries
    },
}
