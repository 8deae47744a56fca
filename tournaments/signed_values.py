"""Values that the program signs for itself, each with the moment at which it was signed, and cookies, which hold most of them."""

import time
from typing import Any, Literal

from django.conf import settings
from django.core.signing import BadSignature, SignatureExpired, TimestampSigner, b62_decode
from django.http import HttpResponse

from tournaments.current_club import signing_key


class _Signer(TimestampSigner):
    """Refuses what is older than `max_age`, and what is as far in the future: it was signed while the clock was ahead."""

    def unsign(self, value: str, max_age: Any = None) -> str:
        plain: str = super().unsign(value, max_age)
        signed_at = b62_decode(value.rsplit(self.sep, 2)[-2])
        if max_age is not None and signed_at - time.time() > max_age:
            raise SignatureExpired(f"Signed {signed_at - time.time():.0f} seconds ahead.")
        return plain


def sign(value: Any, *, salt: str, compress: bool = False) -> str:
    """Return a value as text that only this installation, for this club, can have made."""
    return _signer(salt).sign_object(value, compress=compress)


def read(text: str, *, salt: str, seconds: int) -> Any:
    """Return the value in a text of `sign`; None for any other text, and for one that is older than so many seconds."""
    try:
        return _signer(salt).unsign_object(text, max_age=seconds)
    except BadSignature:
        return None


def _signer(salt: str) -> _Signer:
    return _Signer(key=signing_key(), salt=salt)


def set_cookie(
    response: HttpResponse,
    name: str,
    value: str,
    *,
    seconds: int,
    path: str = "/",
    same_site: Literal["Lax", "Strict"] = "Lax",
) -> None:
    """Store a value in the browser, out of the reach of scripts."""
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path=path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite=same_site,
    )
