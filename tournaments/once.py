"""A form changes something once, however often it is sent: receipts of answered forms.

A form has an id in its field `once`, made when it was rendered; see `templatetags/once.py`. The view runs in one transaction
with the receipt of id, account, address and content. The same form sent again waits for that transaction and gets its
answer. A form that was refused, or only looked at, leaves no receipt. Receipts are forgotten after a day.

An answer may show a code of which the database otherwise has only a hash. It is encrypted with a key that follows from the
form: nobody without the form's id reads it.
"""

import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, cast

from cryptography.fernet import Fernet
from django.contrib import messages
from django.contrib.messages.storage.base import BaseStorage
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.safestring import SafeData, mark_safe

from tournaments.models import Receipt
from tournaments.requests import Request

FIELD = "once"
KEPT_FOR = timedelta(days=1)
_LONGEST_ID = 64
_NOT_CONTENT = {"csrfmiddlewaretoken"}
_CHUNK = 1 << 16


def answer_once(request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the answer to a request. A form that was answered before gets that answer again, and changes nothing."""
    if not _has_id(request):
        return answer()
    key, secret = _key_and_secret(request)
    with transaction.atomic():
        receipt, is_new = Receipt.objects.get_or_create(key=key, defaults={"at": timezone.now()})
        if not is_new and receipt.answer is not None:
            return _unpacked(request, secret.decrypt(bytes(receipt.answer)))
        response = answer()
        if response.streaming or response.status_code >= 400 or getattr(request, "is_unchanged", False):
            Receipt.objects.filter(key=key).delete()
        else:
            Receipt(key=key, at=receipt.at, answer=secret.encrypt(_packed(request, response))).save()
        return response


def answer_again(request: HttpRequest) -> HttpResponse | None:
    """Return the answer to a form that was answered before; None for any other request."""
    if not _has_id(request):
        return None
    key, secret = _key_and_secret(request)
    receipt = Receipt.objects.filter(key=key).first()
    if receipt is None or receipt.answer is None:
        return None
    return _unpacked(request, secret.decrypt(bytes(receipt.answer)))


def mark_unchanged(request: HttpRequest) -> None:
    """Say of a form that it changed nothing, though it is answered with a page or a redirect: it leaves no receipt."""
    cast(Request, request).is_unchanged = True


def forget_receipts(*, at: datetime) -> None:
    """Delete the receipts of more than a day ago, and those that a clock has dated more than a day ahead."""
    Receipt.objects.exclude(at__range=(at - KEPT_FOR, at + KEPT_FOR)).delete()


def _has_id(request: HttpRequest) -> bool:
    return request.method == "POST" and 0 < len(request.POST.get(FIELD, "")) <= _LONGEST_ID


def _key_and_secret(request: HttpRequest) -> tuple[bytes, Fernet]:
    """Return a digest of who sends the form, to which address, with what content; and the cipher for its answer."""
    digest = blake2b()
    for part in _content(request):
        digest.update(len(part).to_bytes(8, "big") + part)
    hashed = digest.digest()
    return hashed[:32], Fernet(urlsafe_b64encode(hashed[32:]))


def _content(request: HttpRequest) -> Iterator[bytes]:
    yield str(request.user.pk or "").encode()
    yield request.get_full_path().encode()
    for name in sorted(request.POST.keys() - _NOT_CONTENT):
        for value in request.POST.getlist(name):
            yield f"{name}={value}".encode(errors="surrogatepass")
    for name in sorted(request.FILES):
        for file in request.FILES.getlist(name):
            yield f"{name}={file.name}".encode(errors="surrogatepass")
            yield from file.chunks(_CHUNK)
            file.seek(0)


def _packed(request: HttpRequest, response: HttpResponse) -> bytes:
    fields = {
        "status": response.status_code,
        "headers": dict(response.items()),
        "cookies": [cookie.OutputString() for cookie in response.cookies.values()],
        "messages": [
            [entry.level, str(entry.message), entry.extra_tags, isinstance(entry.message, SafeData)]
            for entry in _messages(request)
        ],
        "body": response.content.decode(),
    }
    return zlib.compress(json.dumps(fields).encode())


def _messages(request: HttpRequest) -> list[Any]:
    """Return the messages for the next page, without taking them."""
    storage = messages.get_messages(request)
    if not isinstance(storage, BaseStorage) or storage.used:
        return []  # the answer shows them itself
    entries = list(storage)
    storage.used = False
    return entries


def _unpacked(request: HttpRequest, answer: bytes) -> HttpResponse:
    fields = json.loads(zlib.decompress(answer))
    response = HttpResponse(fields["body"], status=fields["status"])
    for name, value in fields["headers"].items():
        response[name] = value
    for cookie in fields["cookies"]:
        response.cookies.load(cookie)
    waiting = [str(entry.message) for entry in _messages(request)]
    for level, text, tags, is_safe in fields["messages"]:
        if text not in waiting:
            messages.add_message(request, level, mark_safe(text) if is_safe else text, tags)
    return response
