"""The baseline of a page: its statements, and its bytes by f-strings. In a process of its own, without a web server.

    python -m common.bare_page FILE

FILE is JSON: the parameters of a connection, the statements of the page, and the page as the program wrote it. After each
line of the standard input the page is written once; then its milliseconds are printed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape, unescape
from pathlib import Path
from typing import Any

import psycopg

from common import ROOT

_ROW = re.compile(r"(?=<tr|<li)")
_VALUE = re.compile(r"(?<=>)[^<]*[^<\s][^<]*(?=<)|\d+")

Row = tuple[Callable[[list[str]], str], list[str]]


def rows_of(page: str) -> list[Row]:
    """Return the rows of a page, each with its template, an f-string, and its values: texts and numbers.

    Rows that differ only in their values share a template. Texts are escaped by it, numbers in attributes are not.
    """
    templates: dict[str, Callable[[list[str]], str]] = {}
    rows = []
    for piece in _ROW.split(page):
        source, values, at = [], [], 0
        for found in _VALUE.finditer(piece):
            is_text = piece[found.start() - 1] == ">" and not found[0].isdecimal()
            values.append(unescape(found[0]) if is_text else found[0])
            value = f"values[{len(values) - 1}]"
            source += [
                _literal(piece[at : found.start()]),
                f"{{escape({value})}}" if is_text else f"{{{value}}}",
            ]
            at = found.end()
        written = "".join([*source, _literal(piece[at:])])
        if written not in templates:
            templates[written] = eval(f"lambda values: f'''{written}'''", {"escape": escape})
        rows.append((templates[written], values))
    return rows


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'").replace("{", "{{").replace("}", "}}")


def page_of(connection: psycopg.Connection[Any], statements: list[str], rows: list[Row]) -> bytes:
    for statement in statements:
        found = connection.execute(statement.encode())
        if found.description:
            found.fetchall()
    return "".join([template(values) for template, values in rows]).encode()


def main(given: dict[str, Any]) -> None:
    rows = rows_of(given["page"])
    with psycopg.connect(autocommit=True, **given["parameters"]) as connection:
        for _ in range(10):
            written = page_of(connection, given["statements"], rows)
        if abs(len(written) / len(given["page"].encode()) - 1) > 0.01:
            raise AssertionError("the baseline does not write the same bytes")
        for _ in sys.stdin:
            started = time.perf_counter()
            page_of(connection, given["statements"], rows)
            print((time.perf_counter() - started) * 1000, flush=True)


@contextmanager
def bare_page(parameters: dict[str, Any], statements: list[str], page: str) -> Iterator[Callable[[], float]]:
    """Run the baseline. Yield a function that writes the page once and returns its milliseconds."""
    with tempfile.NamedTemporaryFile("w") as file:
        json.dump({"parameters": parameters, "statements": statements, "page": page}, file)
        file.flush()
        process = subprocess.Popen(
            [sys.executable, "-m", "common.bare_page", file.name],
            env=os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'bench'}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        writer, reader = process.stdin, process.stdout

        def write() -> float:
            writer.write("\n")
            writer.flush()
            return float(reader.readline())

        try:
            write()
            yield write
        finally:
            writer.close()
            process.wait()


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text()))
