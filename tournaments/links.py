"""The secret in a table's QR code, the cookie that a phone gets in exchange, and the links and codes of sign-ups.

Neither secret nor cookie is stored. The secret is derived from the server's key, the table and its link version, so it can be printed
again at any time and is revoked by raising the version. It is sent in the fragment of a URL only.
"""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import date

import segno
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournaments.core.base32 import code_of, typed_code
from tournaments.core.publicity import last_public_day
from tournaments.current_club import origin, signing_key
from tournaments.models import Table
from tournaments.signed_values import read, sign

MOST_IN_A_SLUG = 60
NOT_A_SLUG = frozenset({"new"})
"""Paths below /o/ that are other pages."""

_SALT = "tournaments.links.sheet"
_MAC_BYTES = 16
VERSIONS_TRIED = 10
COOKIE_SECONDS = 2 * 24 * 60 * 60


def sheet_secret(table_id: int, link_version: int) -> str:
    """Return the secret of a table's link: the table id and a 128-bit MAC under the server's key."""
    digest = salted_hmac(_SALT, f"{table_id}:{link_version}", signing_key(), algorithm="sha256").digest()
    return f"{table_id}-{base64.b32encode(digest[:_MAC_BYTES]).decode().rstrip('=').lower()}"


def table_id_of(secret: str) -> int | None:
    """Return the table id in a secret, without checking the MAC; None if the text is malformed."""
    head, _, tail = secret.partition("-")
    if not tail or not head.isascii() or not head.isdigit() or len(head) > 18:
        return None
    return int(head)


def is_secret_of(secret: str, table_id: int, link_version: int) -> bool:
    expected = sheet_secret(table_id, link_version)
    return hmac.compare_digest(secret.encode(errors="replace"), expected.encode())


def table_id_of_own(secret: str) -> int | None:
    """Return the table id in a secret that was made here, whether it is revoked or not; None for any other text.

    The database is not asked. So the secret of a link that was revoked more than VERSIONS_TRIED times is not recognised.
    """
    table_id = table_id_of(secret)
    if table_id is None:
        return None
    versions = range(1, VERSIONS_TRIED + 1)
    return table_id if any(is_secret_of(secret, table_id, version) for version in versions) else None


def has_ended(table: Table, today: date) -> bool:
    """Whether a table's link has ended with the public pages. The table is read with its round and tournament.

    Later rounds do not count, unlike in `public_until`: a phone's cookie is shorter than the days that they would add.
    """
    tournament, played = table.round.tournament, table.round
    moments = (tournament.imported_at, played.drawn_at, played.released_at, played.closed_at)
    days = (timezone.localdate(moment) for moment in moments if moment)
    return today > last_public_day(tournament.played_on, days, tournament.public_until_on, today=today)


@dataclass(frozen=True, slots=True)
class PhonePass:
    """The content of a phone's signed cookie: the table, the version of its link, and the phone's device name."""

    table_id: int
    link_version: int
    device: str

    def to_cookie(self) -> str:
        return sign([self.table_id, self.link_version, self.device], salt=_SALT)

    @classmethod
    def from_cookie(cls, value: str) -> "PhonePass | None":
        """Return the pass in a cookie; None if its signature is invalid or it is too old."""
        content = read(value, salt=_SALT, seconds=COOKIE_SECONDS)
        return cls(*content) if content is not None else None


def new_device() -> str:
    """Return the device name of a new phone: 128 random bits in hex."""
    return secrets.token_hex(16)


def new_code() -> str:
    """Return the code of an invitation: 160 random bits in base 32, in groups of four for reading aloud."""
    code = code_of(secrets.token_bytes(20))
    return "-".join(code[index : index + 4] for index in range(0, 32, 4))


def sign_up_url(slug: str) -> str:
    """Return the public address at which players register themselves."""
    return origin() + reverse("sign_up:form", args=[slug])


def new_sign_up_code() -> str:
    """Return the code of a new sign-up: 60 random bits in base 32 (see `core.sign_up_codes`)."""
    return code_of(secrets.token_bytes(10))[:12]


def code_hash(code: str) -> str:
    """Return the digest of a code, which is stored. Codes are typed from paper: see `typed_code`."""
    return hashlib.sha256(typed_code(code).encode()).hexdigest()


def qr_code(link: str) -> str:
    """Return the QR code of a link as the URL of an image."""
    return str(segno.make(link, micro=False, error="m").svg_data_uri(scale=4, border=2))
