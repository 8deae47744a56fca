"""Download of a document for a management command, within limits of time and size."""

from http.client import HTTPException
from time import monotonic
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    UnknownHandler,
)

from django.conf import settings
from django.core.management.base import CommandError

from tournaments.core.printable import printable

SECONDS = 30
_AT_ONCE = 2**16


def downloaded(url: str) -> str:
    """Return the text at a web address. Raises CommandError if there is none, or if it is too large or too slow."""
    until = monotonic() + SECONDS
    most = settings.DOCUMENT_CHARACTERS
    body = bytearray()
    try:
        with _opener().open(url, timeout=SECONDS) as answer:
            while part := answer.read1(_AT_ONCE):
                body += part
                if len(body) > most:
                    raise CommandError(f"{url} has more than {most} bytes. No document is that large.")
                if monotonic() > until:
                    raise CommandError(f"{url} takes longer than {SECONDS} seconds.")
        return body.decode("utf-8-sig")
    except (OSError, ValueError, HTTPException) as error:
        raise CommandError(printable(f"{url}: {error}")) from None


def _opener() -> OpenerDirector:
    """Return an opener that knows no other scheme than http and https, also where it is redirected to."""
    handlers = (
        *(ProxyHandler, HTTPHandler, HTTPSHandler, HTTPRedirectHandler),
        *(HTTPDefaultErrorHandler, HTTPErrorProcessor, UnknownHandler),
    )
    opener = OpenerDirector()
    for handler in handlers:
        opener.add_handler(handler())
    return opener
