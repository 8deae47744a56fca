"""Signed values with the time of signing, and the cookies that hold most of them."""

import time
from typing import Any, Literal

from django.conf import settings
from django.core.signing import BadSignature, SignatureExpired, TimestampSigner, b62_decode
from django.http import HttpResponse

from tournaments.current_club import signing_key


class _Signer(TimestampSigner):
    """Signer that also refuses values from more than `max_age` in the future: they were signed while the clock was ahead."""

    def unsign(self, value: str, max_age: Any = None) -> str:
        plain: str = super().unsign(value, max_age)
        signed_at = b62_decode(value.rsplit(self.sep, 2)[-2])
        if max_age is not None and signed_at - time.time() > max_age:
            raise SignatureExpired(f"Signed {signed_at - time.time():.0f} seconds ahead.")
        return plain


def sign(value: Any, *, salt: str, compress: bool = False) -> str:
    """Return the value as signed text. The key is that of this installation and club."""
    return _signer(salt).sign_object(value, compress=compress)


def read(text: str, *, salt: str, seconds: int) -> Any:
    """Return the value in a text of `sign`; None if the signature is invalid or older than `seconds`."""
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
    """Set an HttpOnly cookie."""
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path=path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite=same_site,
    )
