"""Mutations of files that come in from outside. Each follows from the chance that it is given."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.security.tampered import MANIFEST, Dump

TEXTS = (
    *(
        "",
        " ",
        "x",
        "1",
        "id",
        "\x00",
        "\x1b[2J\x07",
        "\u202eA\u200b",
        "ä" * 300,
        "a" * 6000,
        "%s",
        "{0}",
        "NaN",
    ),
    *(
        'id") FROM PROGRAM $$true$$ --',
        'x"; COMMIT; DROP SCHEMA catalogue CASCADE; --',
        "'; SELECT 1; --",
        "$$",
        "\\",
    ),
    *(
        'pg_catalog"."pg_authid',
        "catalogue.club",
        "django_session",
        "../../etc/passwd",
        "http://[",
        "2026-02-30",
    ),
    *("2026-11-21T19:30:00+99:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "\ud800", "00000000"),
)
NUMBERS = (
    0,
    1,
    -1,
    2,
    7,
    1000,
    2**31 - 1,
    2**31,
    2**53,
    2**63 - 1,
    2**63,
    -(2**63),
    10**30,
    0.5,
    -0.0,
    1e300,
)
VALUES: tuple[Any, ...] = (
    *TEXTS,
    *NUMBERS,
    None,
    True,
    False,
    [],
    {},
    [[]],
    {"": None},
    [1, 2],
    ["a", "b"],
    [[[[[[]]]]]],
)
FIELDS = (
    *(
        b"",
        b"\\N",
        b"x",
        b"t",
        b"f",
        b"0",
        b"1",
        b"-1",
        b"2",
        b"9223372036854775807",
        b"99999999999999999999",
        b"NaN",
    ),
    *(
        b"{}",
        b"[]",
        b"null",
        b"{",
        b'[{"a": 1}]',
        b"\\.",
        b"\\\\x00",
        b"\\\\xzz",
        b"\\x00",
        b"\xff",
        b"a\\tb",
        b"'; --",
    ),
    *(
        b"2026-11-21 18:30:00+00",
        b"infinity",
        b"294277-01-01 00:00:00+00",
        b"x" * 5000,
        b"\x1b[2J",
        b"[" * 9000,
    ),
    *(b"00000000-0000-0000-0000-000000000000", b"given", b"closed", b"released", b"drawn", b"deal", b"1e400"),
)
Place = tuple[Any, Any]
"""An object or list, and a key or index of it."""


def places(value: Any) -> Iterator[Place]:
    """Yield the place of each value inside of another one."""
    keys = range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def changed(value: Any, chance: Random) -> None:
    """Change a value of JSON in place, at one place or several."""
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        found = list(places(value))
        if not found:
            return
        at, key = chance.choice(found)
        match chance.randrange(8):
            case 0:
                del at[key]
            case 1 if isinstance(at, list):
                at.insert(key, at[chance.randrange(len(at))])
            case 2 if isinstance(at, dict):
                at[str(chance.choice(TEXTS))] = at[key]
            case 3 if type(at[key]) is int:
                at[key] += chance.choice((-1, 1, 1000))
            case 4 if isinstance(at[key], str):
                at[key] = at[key][: chance.randrange(len(at[key]) + 1)] + chance.choice(TEXTS)
            case 5:
                elsewhere, other = chance.choice(found)
                at[key] = json.loads(json.dumps(elsewhere[other])) if _has(elsewhere, other) else None
            case 6 if isinstance(at, list):
                chance.shuffle(at)
            case _:
                at[key] = chance.choice(VALUES)


def _has(value: Any, key: Any) -> bool:
    return key in value if isinstance(value, dict) else key < len(value)


def with_changed_bytes(content: bytes, chance: Random) -> bytes:
    made = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        begin = chance.randrange(len(made) + 1)
        end = min(len(made), begin + chance.choice((1, 1, 2, 30)))
        match chance.randrange(4):
            case 0:
                made[begin:end] = bytes(chance.randrange(256) for _ in range(end - begin))
            case 1:
                del made[begin:end]
            case 2:
                made[begin:begin] = made[begin:end]
            case _:
                made[begin:begin] = chance.choice(TEXTS).encode("utf-8", "surrogatepass")
    return bytes(made)


def changed_manifest(dump: Dump, file: Path, chance: Random) -> None:
    """Write the dump with another manifest."""
    if chance.random() < 0.2:
        dump.members[MANIFEST] = with_changed_bytes(json.dumps(dump.manifest).encode(), chance)
    else:
        changed(dump.manifest, chance)
        for name in {str(table.get("name")) for table in _tables(dump)} - dump.rows.keys():
            dump.rows[name[:1000].encode("utf-8", "replace").decode()] = b""
    dump.write(file)


def _tables(dump: Dump) -> list[dict[str, Any]]:
    tables = dump.manifest.get("tables") if isinstance(dump.manifest, dict) else None
    return [table for table in tables if isinstance(table, dict)] if isinstance(tables, list) else []


def changed_rows(dump: Dump, file: Path, chance: Random) -> None:
    """Write the dump with other rows, or with other bytes anywhere in the file."""
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        name = chance.choice([name for name, text in dump.rows.items() if text])
        lines = [line.split(b"\t") for line in dump.rows[name].splitlines()]
        line = chance.choice(lines)
        place = chance.randrange(len(line))
        match chance.randrange(8):
            case 0:
                lines.remove(line)
            case 1:
                lines.append(list(line))
            case 2:
                line.append(chance.choice(FIELDS))
            case 3:
                line[place] = chance.choice(chance.choice(lines))
            case 4 if line[place].isdigit():
                line[place] = str(int(line[place]) + chance.choice((-1, 1, 1000))).encode()
            case 5:
                line[place] = with_changed_bytes(line[place], chance)
            case _:
                line[place] = chance.choice(FIELDS)
        dump.rows[name] = b"".join(b"\t".join(line) + b"\n" for line in lines)
        if chance.random() < 0.9:
            dump.table(name)["rows"] = len(lines)
    dump.write(file)
    if chance.random() < 0.1:
        file.write_bytes(with_changed_bytes(file.read_bytes(), chance))


def changed_document(document: str, chance: Random) -> str:
    if chance.random() < 0.1:
        return with_changed_bytes(document.encode(), chance).decode("utf-8", "surrogateescape")
    value = json.loads(document)
    changed(value, chance)
    return json.dumps(value)
