"""The digests of a sheet's log, and marks: the beginning of a digest, for people to compare.

The digest of an entry is SHA-256 over the 32 bytes of the digest before it and the canonical text of the entry; that before
the first is over the sheet's place and players. So whoever knows the last digest knows the whole log, and any change
of what was written, also in the database, gives another one. Free text and initials are not in it: erasing them leaves
it valid.
"""

from collections.abc import Sequence
from hashlib import sha256

from scoring.core.entries import FREE_TEXT, Entry
from tournaments.core.canonical import canonical, canonical_moment

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LETTERS = 8


def first_digest(*, round_number: int, table_number: int, start_numbers: Sequence[int]) -> str:
    """Return the digest before the first entry, in hexadecimal. start_numbers: of the players, in the order of the seats."""
    place = {"round": round_number, "table": table_number, "players": list(start_numbers)}
    return sha256(canonical(place)).hexdigest()


def next_digest(before: str, entry: Entry) -> str:
    """Return the digest of an entry, in hexadecimal, after that of the entry before. The entry has a time."""
    assert entry.made_at is not None
    text = FREE_TEXT.get(entry.kind)
    written = {
        "id": entry.id,
        "kind": entry.kind,
        "data": {key: value for key, value in entry.data.items() if key != text},
        "by": entry.by,
        "made_at": canonical_moment(entry.made_at),
    }
    return sha256(bytes.fromhex(before) + canonical(written)).hexdigest()


def mark_of(digest: str) -> str:
    """Return the mark of a digest: its first 40 bits as eight letters and digits (base 32 after Crockford, without I L O U)."""
    bits = int(digest[: _LETTERS * 5 // 4], 16)
    return "".join(_CROCKFORD[bits >> 5 * place & 31] for place in reversed(range(_LETTERS)))
