"""Tests of served static files: names with content hashes, compression, caching for ever, our headers."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import override_settings

from schnauz_turnier.serve import refuse_uncollected_files
from schnauz_turnier.start.launch import collect_static_files

STORAGE = {"staticfiles": {"BACKEND": "schnauz_turnier.web.static_files.StaticFilesStorage"}}


@pytest.fixture
def collected(tmp_path: Path) -> Iterator[Path]:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "js" / "sheet").mkdir(parents=True)
    (source / "js" / "main.js").write_text('import { fold } from "./sheet/replay.js";\n' + "fold();\n" * 200)
    (source / "js" / "sheet" / "replay.js").write_text("export function fold() {}\n")
    with override_settings(STATICFILES_DIRS=[source], STATIC_ROOT=target, STORAGES=STORAGE):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield target


def test_a_module_imports_the_others_by_their_hashed_names(collected: Path) -> None:
    manifest: dict[str, Any] = json.loads((collected / "staticfiles.json").read_text())["paths"]
    main, replay = manifest["js/main.js"], manifest["js/sheet/replay.js"]
    assert replay != "js/sheet/replay.js"
    assert (collected / main).read_text().startswith(f'import{{fold}}from "./{replay[3:]}";fold();')


def test_comments_and_indents_of_our_modules_stay_at_home(collected: Path) -> None:
    source = collected.parent / "source" / "js" / "sheet" / "replay.js"
    source.write_text(
        '/* Why\n   so. */\n// And why not.\n\nexport function fold() {  // now\n  f("; // kept", 10_000);\n'
        "  const a = b.match(/ = [/'] /) ? `: ${c ? `, d` : e} ;` : '( f )'; // it's\n"
        '  return "/* kept */"; // for\n}\n'
    )
    call_command("collectstatic", interactive=False, verbosity=0)
    name = json.loads((collected / "staticfiles.json").read_text())["paths"]["js/sheet/replay.js"]
    assert (collected / name).read_text() == (
        'export function fold(){f("; // kept",10000);'
        "const a=b.match(/ = [/'] /)?`: ${c ? `, d` : e} ;`:'( f )';// it's\n"
        'return "/* kept */";}\n'
    )


def test_components_are_one_file_with_all_of_them(collected: Path) -> None:
    source = collected.parent / "source" / "css"
    (source / "components").mkdir(parents=True)
    (source / "components.css").write_text(
        '/* All. */\n@import url("components/a.css");\n@import url("components/b.css");\n'
    )
    (source / "components" / "a.css").write_text(
        "/* The first.\n *\n * Why. */\n@layer reset {\n  a { color: blue }\n}\n"
    )
    (source / "components" / "b.css").write_text("@layer reset { b { color: green } }\n")
    call_command("collectstatic", interactive=False, verbosity=0)
    first = json.loads((collected / "staticfiles.json").read_text())["paths"]["css/components.css"]
    assert (collected / first).read_text() == "a{color:#00f}b{color:green}"
    (source / "components" / "b.css").write_text("@layer reset { b { color: red } }\n")
    call_command("collectstatic", interactive=False, verbosity=0)
    second = json.loads((collected / "staticfiles.json").read_text())["paths"]["css/components.css"]
    assert second != first
    assert (collected / second).read_text() == "a{color:#00f}b{color:red}"


def test_the_view_of_the_sheet_is_one_file_with_its_parts(collected: Path) -> None:
    source = collected.parent / "source" / "js" / "sheet"
    (source / "view").mkdir()
    (source / "view.js").write_text(
        'import { fold } from "./replay.js";\nimport { Bar } from "./view/bar.js";\nimport { Head } from "./view/head.js";\n'
        "new Bar(new Head(), fold());\n"
    )
    (source / "view" / "bar.js").write_text(
        '/* The bar. */\n\nimport { fold } from "../replay.js";\n\nexport const MS = 1;\nexport class Bar {}\n'
        'fold(import("../replay.js"));\n'
    )
    (source / "view" / "head.js").write_text('import { MS } from "./bar.js";\n\nexport class Head {}\nMS;\n')
    names = []
    for more in ("", "f();\n"):
        with (source / "view" / "head.js").open("a") as part:
            part.write(more)
        call_command("collectstatic", interactive=False, verbosity=0)
        paths = json.loads((collected / "staticfiles.json").read_text())["paths"]
        replay = paths["js/sheet/replay.js"].removeprefix("js/sheet/")
        whole = (collected / paths["js/sheet/view.js"]).read_text()
        assert whole.replace("\n", "") == (
            f'import{{fold}}from "./{replay}";export const MS=1;export class Bar{{}}fold(import("./{replay}"));'
            f"export class Head{{}}MS;{more.strip()}new Bar(new Head(),fold());"
        )
        names.append(paths["js/sheet/view.js"])
    assert names[0] != names[1]


def test_they_are_compressed(collected: Path) -> None:
    name = json.loads((collected / "staticfiles.json").read_text())["paths"]["js/main.js"]
    assert gzip.decompress((collected / f"{name}.gz").read_bytes()) == (collected / name).read_bytes()


def test_they_are_collected_again_only_when_one_has_changed(collected: Path) -> None:
    source = collected.parent / "source" / "js" / "sheet" / "replay.js"
    collect_static_files()
    manifest = collected / "staticfiles.json"
    first = manifest.stat().st_mtime_ns
    collect_static_files()
    assert manifest.stat().st_mtime_ns == first
    source.write_text("export function fold() { return 1; }\n")
    collect_static_files()
    assert manifest.stat().st_mtime_ns > first


def test_a_server_does_not_start_with_a_file_that_is_not_collected(collected: Path) -> None:
    refuse_uncollected_files()
    (collected.parent / "source" / "js" / "later.js").write_text("later();\n")
    with pytest.raises(ImproperlyConfigured, match=r"manage\.py collectstatic"):
        refuse_uncollected_files()


@pytest.mark.browser
def test_the_server_lets_a_browser_keep_hashed_files_for_ever(live_url: str) -> None:
    page = httpx.get(f"{live_url}/static/staticfiles.json", timeout=30).json()["paths"]
    name = next(hashed for plain, hashed in page.items() if plain.startswith("js/"))
    answer = httpx.get(f"{live_url}/static/{name}", headers={"Accept-Encoding": "gzip"}, timeout=30)
    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    assert not answer.headers.keys() & {"etag", "last-modified"}  # which would be asked about
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers
