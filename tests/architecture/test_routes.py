"""Routes: each names its methods and who may; tournaments name no address of scoring."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver, include, path

from tests.architecture.sources import ROOT, modules, plant, templates
from tournaments.access import public_view

KINDS_OF_ACCESS = {"public", "account", "maker", "owner", "organiser", "cashier", "scribe"}
ACCESS_DECORATORS = {f"{kind}_view" for kind in KINDS_OF_ACCESS}
Routes = list[URLPattern | URLResolver]


def routes(
    patterns: Routes | None = None, prefix: str = "", namespace: str = ""
) -> Iterator[tuple[str, str, URLPattern]]:
    """Yield address, name with namespace and pattern of each route."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        address = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from routes(pattern.url_patterns, address, inner)
        else:
            yield address, f"{namespace}{pattern.name}", pattern


def test_there_are_routes_to_look_at() -> None:
    assert len(list(routes())) > 20


# --- who may, and by which methods ----------------------------------------------------------------------------------


def unguarded(patterns: Routes | None = None) -> Iterator[str]:
    for address, _name, pattern in routes(patterns):
        if getattr(pattern.callback, "access", None) not in KINDS_OF_ACCESS:
            yield f"{address} does not say who may"
        if not getattr(pattern.callback, "methods", ()):
            yield f"{address} does not say which methods it answers"


def covered(root: Path) -> Iterator[str]:
    """Yield the views between whose access decorator and `def` there is another decorator."""
    for module in modules(root):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names = [decorator_name(decorator) for decorator in node.decorator_list]
                if ACCESS_DECORATORS & set(names[:-1]):
                    yield f"{module.at(node.lineno)} {node.name} has {names[-1]} below its access decorator"


def decorator_name(decorator: ast.expr) -> str:
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(call).rpartition(".")[2]


def test_every_route_says_who_may() -> None:
    """By a decorator of tournaments.access; without one a page is open by oversight."""
    assert list(unguarded()) == []


def test_routes_that_do_not_say_who_may_are_found() -> None:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    inner: Routes = [path("bare/", view), path("guarded/", public_view("GET")(view))]
    assert list(unguarded([path("t/", include((inner, "public")))])) == [
        "t/bare/ does not say who may",
        "t/bare/ does not say which methods it answers",
    ]
    assert list(unguarded([path("none/", public_view()(view))])) == [
        "none/ does not say which methods it answers"
    ]


def test_the_access_decorator_stands_directly_above_the_view() -> None:
    assert list(covered(ROOT)) == []


def test_access_decorators_further_up_are_found(tmp_path: Path) -> None:
    text = (
        '@never_cache\n@public_view("GET")\ndef right(request): ...\n\n'
        '@access.scribe_view("GET")\n@never_cache\ndef wrong(request): ...\n'
    )
    plant(tmp_path, "scoring/phone/views.py", text)
    assert list(covered(tmp_path)) == [
        "scoring/phone/views.py:7 wrong has never_cache below its access decorator"
    ]


# --- addresses ------------------------------------------------------------------------------------------------------


def addresses_of(package: str) -> set[str]:
    """Return the names of the routes that lead to views of a package, with their namespaces."""
    return {
        name for _address, name, pattern in routes() if pattern.callback.__module__.startswith(f"{package}.")
    }


def named_by_tournaments(root: Path, addresses: set[str]) -> Iterator[str]:
    for module in modules(root, "tournaments"):
        yield from (f"{module.at(line)} names {text}" for line, text in module.strings() if text in addresses)
    for template, text in templates(root):
        if template.startswith("tournaments/"):
            for number, line in enumerate(text.splitlines(), 1):
                named = re.findall(r"""["'](\w+:\w+)["']""", line)
                yield from (f"{template}:{number} names {name}" for name in named if name in addresses)


def test_the_addresses_of_both_apps_are_told_apart() -> None:
    scoring, tournaments = addresses_of("scoring"), addresses_of("tournaments")
    assert {"organiser:overview", "phone:page", "public:players"} <= scoring
    assert {"organiser:home", "door:desk", "account:login", "start"} <= tournaments
    assert scoring & tournaments == set()


def test_tournaments_name_no_address_of_scoring() -> None:
    assert list(named_by_tournaments(ROOT, addresses_of("scoring"))) == []


@pytest.mark.parametrize("name", ["organiser:overview", "phone:page", "public:players"])
def test_addresses_of_scoring_in_tournaments_are_found(tmp_path: Path, name: str) -> None:
    plant(tmp_path, "tournaments/door/views.py", f'redirect("organiser:home")\nredirect("{name}", slug)\n')
    plant(
        tmp_path,
        "templates/tournaments/door/desk.html",
        f"{{% url 'door:desk' %}}\n<a href=\"{{% url '{name}' slug %}}\">\n",
    )
    assert list(named_by_tournaments(tmp_path, addresses_of("scoring"))) == [
        f"tournaments/door/views.py:2 names {name}",
        f"tournaments/door/desk.html:2 names {name}",
    ]
