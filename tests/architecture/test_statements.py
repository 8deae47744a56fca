"""Statements: no text from outside becomes part of one. Values are parameters, names go through psycopg.sql.Identifier.

The pages send none of their own, so their tests need not be run again with another PostgreSQL.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGES, ROOT, Module, modules, plant

TAKES_A_STATEMENT = {
    *("execute", "executemany", "copy", "stream", "mogrify", "raw", "extra"),
    *("SQL", "RawSQL", "RunSQL"),
}
BEGINS = re.compile(
    r"\s*(?:ALTER|COPY|CREATE|DELETE|DROP|EXPLAIN|GRANT|INSERT|LISTEN|LOCK|NOTIFY|RESET|REVOKE|SELECT|SET|TRUNCATE|UPDATE"
    r"|WITH)\s"
)
PAGES = (
    "scoring/organiser",
    "scoring/phone",
    "scoring/public",
    "tournaments/accounts",
    "tournaments/door",
    "tournaments/organiser",
    "tournaments/public",
    "tournaments/sign_up",
)
KNOWN = {
    # in front of what Django sends
    ("schnauz_turnier/postgresql/base.py", "entering + text"),
    # what migrations have sent
    ("schnauz_turnier/clubs/schemas.py", "';\\n'.join([*statements, _APPLIED_NOW])"),
}


def sources(root: Path) -> Iterator[Module]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            yield Module(path.relative_to(root), text, ast.parse(text))


def made_statements(root: Path) -> Iterator[str]:
    """Yield each statement that is put together from anything but constants, and each use of Django's quoting."""
    for module in sources(root):
        for node in ast.walk(module.tree):
            if "quote_name" in (getattr(node, "attr", ""), getattr(node, "id", "")):
                yield f"{module.at(getattr(node, 'lineno', 0))} quote_name doubles no quotes"
            elif is_put_together(node) and BEGINS.match(beginning(node)):
                yield f"{module.at(getattr(node, 'lineno', 0))} {ast.unparse(node)}"
            elif isinstance(node, ast.Call) and name_of(node.func) in TAKES_A_STATEMENT:
                for given in [*node.args[:1], *(word.value for word in node.keywords)]:
                    if is_put_together(given) and (module.path.as_posix(), ast.unparse(given)) not in KNOWN:
                        yield f"{module.at(node.lineno)} {ast.unparse(given)}"


def statements_of_pages(root: Path) -> Iterator[str]:
    """Yield each place where a page sends a statement that is not made by Django's models."""
    for module in modules(root, *PAGES):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and name_of(node.func) in TAKES_A_STATEMENT | {"cursor"}:
                yield f"{module.at(node.lineno)} {ast.unparse(node)}"


def is_put_together(node: ast.AST) -> bool:
    """Whether a text is made from others at run time; those of constants, which are written in capitals, do not count."""
    match node:
        case ast.JoinedStr():
            return any(
                isinstance(part, ast.FormattedValue) and not is_constant(part.value) for part in node.values
            )
        case ast.BinOp(op=ast.Add() | ast.Mod()):
            return not (is_constant(node.left) and is_constant(node.right))
        case ast.Call(func=ast.Attribute(attr="format" | "join" | "replace" | "format_map", value=text)):
            return isinstance(text, ast.Constant | ast.JoinedStr | ast.BinOp) or is_constant(text)
    return False


def is_constant(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        or name_of(node).isupper()
        or (isinstance(node, ast.JoinedStr | ast.BinOp) and not is_put_together(node))
    )


def beginning(node: ast.AST) -> str:
    """Return the constant text with which a text begins."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[first, *_]) | ast.BinOp(left=first):
            return beginning(first)
        case ast.Call(func=ast.Attribute(value=text)):
            return beginning(text)
    return ""


def name_of(node: ast.AST) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def test_statements_are_constants_or_composed_by_psycopg() -> None:
    assert list(made_statements(ROOT)) == []


@pytest.mark.parametrize(
    "planted",
    [
        'cursor.execute(f"{verb} FROM {table}")',
        'cursor.execute("SELECT * FROM " + table)',
        'cursor.execute("SELECT * FROM %s" % table)',
        'cursor.execute("{} FROM {}".format(verb, table))',
        'cursor.executemany(query=f"{verb} {table}", params_seq=rows)',
        'cursor.copy(f"COPY {table} FROM STDIN")',
        'statement = f"LOCK TABLE {table}"',
        'statement = "SELECT {} FROM t".format(column)',
        'statement = "DELETE FROM " + table',
        'sql.SQL(f"{table}")',
        'migrations.RunSQL("; ".join(statements))',
        "connection.ops.quote_name(table)",
    ],
)
def test_a_statement_with_a_name_from_outside_is_found(tmp_path: Path, planted: str) -> None:
    root = plant(tmp_path, "scoring/services/planted.py", f"{planted}\n")
    assert len(list(made_statements(root))) >= 1


@pytest.mark.parametrize(
    "fine",
    [
        'cursor.execute("SELECT * FROM t WHERE a = %s", [value])',
        'cursor.execute(f"SELECT {_COLUMNS} FROM t")',
        'cursor.execute(sql.SQL("SELECT {} FROM t").format(sql.Identifier(column)))',
        'note = f"Set {name} to 1, e.g. {name}=1"',
    ],
)
def test_other_statements_are_fine(tmp_path: Path, fine: str) -> None:
    assert list(made_statements(plant(tmp_path, "scoring/services/fine.py", f"{fine}\n"))) == []


def test_pages_send_no_statement_of_their_own() -> None:
    assert list(statements_of_pages(ROOT)) == []


@pytest.mark.parametrize(
    "planted",
    [
        "with connection.cursor() as cursor: pass",
        'Tournament.objects.raw("SELECT 1")',
        'Tournament.objects.annotate(one=RawSQL("1", []))',
    ],
)
def test_a_statement_of_a_page_is_found(tmp_path: Path, planted: str) -> None:
    assert len(list(statements_of_pages(plant(tmp_path, "scoring/public/planted.py", f"{planted}\n")))) == 1


def test_the_second_run_leaves_out_the_tests_of_pages_and_no_others() -> None:
    left_out = re.findall(r"--ignore=tests/(\S+)", (ROOT / ".ci/run").read_text(encoding="utf-8"))
    assert left_out == list(PAGES)
