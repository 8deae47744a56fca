"""The digests of a sheet's log and of closed rounds, and marks: the beginning of a digest, for people to compare.

The digest of an entry is SHA-256 over the 32 bytes of the digest before it and the canonical text of the entry; that before
the first is over the sheet's place and players. The last digest therefore stands for the whole log: any change of the
log, even in the database, gives another one. Free text and initials are not in it: erasing them leaves
it valid.

The marks of the rounds are one more chain: each is over the digest before it, the draw of its round, and the last digests of the
sheets that count. A round gets one when it is closed, and another one after each change of a sheet that counts. So the latest mark
vouches for everything before it.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from scoring.core.entries import FREE_TEXT, Entry
from tournaments.core.base32 import letters_of
from tournaments.core.canonical import canonical, canonical_moment

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


def round_value(*, round_number: int, draw: str | None, sheets: Mapping[int, str]) -> dict[str, Any]:
    """Return the content that the mark of a round is made from. draw: the digest of its draw; sheets: that of each sheet that counts, by table."""
    listed = [{"table": table, "digest": sheets[table]} for table in sorted(sheets)]
    return {"round": round_number, "draw": draw, "sheets": listed}


def round_digest(before: str, value: Mapping[str, Any]) -> str:
    """Return the digest of a mark of a round, in hexadecimal. before: that of the mark before it in the tournament, or ""."""
    return sha256(bytes.fromhex(before) + canonical(value)).hexdigest()


def mark_of(digest: str) -> str:
    """Return the mark of a digest: its first 40 bits as eight letters and digits (base 32 after Crockford, without I L O U)."""
    return letters_of(digest, _LETTERS)
