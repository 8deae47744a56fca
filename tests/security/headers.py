"""Headers that every answer bears."""

from collections.abc import Iterator
from typing import Any

DIRECTIVES = {
    "default-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
}


def missing_headers(answer: Any, *, is_framed: bool = False) -> Iterator[str]:
    """Yield what is wrong with the headers of an answer. is_framed: it stands in a frame of our own pages."""
    policy = answer.get("Content-Security-Policy", "")
    ancestors, option = ("'self'", "SAMEORIGIN") if is_framed else ("'none'", "DENY")
    wanted = {*DIRECTIVES, f"frame-ancestors {ancestors}"}
    yield from sorted(f"no {one}" for one in wanted - set(policy.split("; ")))
    if "unsafe" in policy or "*" in policy or "http:" in policy:
        yield f"the policy {policy}"
    if answer.get("X-Content-Type-Options") != "nosniff":
        yield "sniffing is allowed"
    if answer.get("X-Frame-Options") != option:
        yield "framing is allowed"
    if answer.get("Referrer-Policy") not in ("same-origin", "no-referrer"):
        yield "the address is sent as a referrer"
    if answer.has_header("Access-Control-Allow-Origin"):
        yield "other origins may read it"
    yield from (
        f"the cookie {name} is open" for name, found in answer.cookies.items() if not _is_closed(found)
    )


def _is_closed(cookie: Any) -> bool:
    """Return whether scripts do not see the cookie and other sites do not send it; a deleted cookie has no value."""
    return not cookie.value or bool(cookie["httponly"] and cookie["samesite"] in ("Lax", "Strict"))
