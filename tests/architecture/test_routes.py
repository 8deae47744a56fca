"""Routes: each names its methods and who may; tournaments name no address of scoring."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, include, path, resolve, reverse
from django.urls.converters import SlugConverter, UUIDConverter

from tests.architecture.sources import ROOT, modules, plant, templates
from tournaments.access import public_view
from tournaments.address_numbers import LARGEST, NumberConverter

KINDS_OF_ACCESS = {"public", "account", "maker", "club", "owner", "organiser", "cashier", "scribe"}
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

CONVERTERS = (NumberConverter, SlugConverter, UUIDConverter)
"""Those by which a value has one spelling; not Django's for int, str and path."""


def with_further_spellings(patterns: Routes | None = None) -> Iterator[str]:
    """Yield the routes that take one page under several addresses."""
    for found in get_resolver().url_patterns if patterns is None else patterns:
        for name, converter in found.pattern.converters.items():
            if type(converter) not in CONVERTERS:
                yield f"{name} of {found.pattern} may be spelled in several ways"
        if isinstance(found, URLResolver):
            yield from with_further_spellings(found.url_patterns)


@pytest.mark.parametrize(
    "urlconf", ["schnauz_turnier.urls", "schnauz_turnier.clubs.urls", "schnauz_turnier.clubs.urls_of_a_club"]
)
def test_every_page_has_one_address(urlconf: str) -> None:
    assert list(with_further_spellings(get_resolver(urlconf).url_patterns)) == []


def test_addresses_with_further_spellings_are_found() -> None:
    view = public_view("GET")(HttpResponse)
    inner: Routes = [path("a/<int:number>/", view), path("b/<slug:slug>/<number:number>/", view)]
    assert list(with_further_spellings([path("t/<text>/", include((inner, "public")))])) == [
        "text of t/<text>/ may be spelled in several ways",
        "number of a/<int:number>/ may be spelled in several ways",
    ]


TOO_LARGE = str(LARGEST + 1)


@pytest.mark.parametrize("number", [0, 7, 10, 32_768, LARGEST])
def test_a_number_in_an_address_leads_to_itself(number: int) -> None:
    address = reverse("public:me", args=["abend", number])
    assert resolve(address).kwargs == {"slug": "abend", "number": number}


@pytest.mark.parametrize(
    "spelling",
    [
        "01",
        "00",
        "0001",
        "+1",
        "-1",
        "1.0",
        "1e3",
        "1_0",
        " 1",
        "1 ",
        "\u0661",
        "\uff11",
        "\u00b2",
        "1\n",
        TOO_LARGE,
        "9" * 5000,
    ],
)
def test_other_spellings_of_numbers_are_no_address(spelling: str) -> None:
    for address in ("/t/abend/me/{}/", "/t/abend/rounds/{}.json", "/o/abend/rounds/{}/"):
        with pytest.raises(Resolver404):
            resolve(address.format(spelling))


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
