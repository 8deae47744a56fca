"""The mail server that the environment names, for the settings; docs/operations.md explains the variable."""

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from schnauz_turnier.environment import env
from schnauz_turnier.start.network import is_local

_EXAMPLE = (
    "Set it to smtp://user:password@host:587?from=turnier@example.org (smtps:// for port 465; special characters as %XX), or leave it "
    "unset: then nothing is sent by mail."
)
_BACKENDS = {
    "smtp": "django.core.mail.backends.smtp.EmailBackend",
    "smtps": "django.core.mail.backends.smtp.EmailBackend",
    "file": "django.core.mail.backends.filebased.EmailBackend",
}


def env_mail() -> dict[str, Any] | None:
    """Return Django's settings of the mail server, by their names; None without one.

    EMAIL_URL: smtp:// is encrypted with STARTTLS except on this machine, smtps:// from its first byte; file:///FOLDER writes there.
    """
    value = env("EMAIL_URL")
    if value is None:
        return None
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError:
        raise ImproperlyConfigured(f"EMAIL_URL is not understood. {_EXAMPLE}") from None
    sender = parse_qs(url.query).get("from", [""])[0]
    if url.scheme not in _BACKENDS or not (url.hostname or url.scheme == "file"):
        raise ImproperlyConfigured(f"EMAIL_URL is not understood. {_EXAMPLE}")
    if "@" not in sender:
        raise ImproperlyConfigured(f"EMAIL_URL must name the sender. {_EXAMPLE}")
    host = url.hostname or ""
    return {
        "EMAIL_BACKEND": _BACKENDS[url.scheme],
        "EMAIL_FILE_PATH": unquote(url.path) if url.scheme == "file" else None,
        "EMAIL_HOST": host,
        "EMAIL_PORT": port or (465 if url.scheme == "smtps" else 587),
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_SSL": url.scheme == "smtps",
        "EMAIL_USE_TLS": url.scheme == "smtp" and not is_local(host),
        "EMAIL_TIMEOUT": 10,
        "DEFAULT_FROM_EMAIL": sender,
    }
