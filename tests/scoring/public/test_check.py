"""The page that checks the record, as the server sends it; the file that it can be saved as."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from django.test import Client, override_settings
from django.utils.translation import override
from pytest_django import DjangoAssertNumQueries

from scoring.public.check_file import bundle
from scoring.text.record_words import record_words
from tests.conftest import ROOT
from tests.factories import ParticipantFactory, TournamentFactory, a_played_round

PLACEHOLDER = re.compile(r"%\((\w+)\)s")
SCRIPTS = ROOT / "static/js/check"


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "queries"), [("check/", 2), ("check/file/", 1)])
def test_it_needs_the_tournament_only_and_a_page_the_club_in_its_foot(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, address: str, queries: int
) -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(5, tournament=tournament)
    a_played_round(tournament)
    with django_assert_num_queries(queries):
        answer = client.get(f"/t/{tournament.slug}/{address}")
    assert answer.status_code == 200
    assert answer["X-Robots-Tag"] == "noindex"
    assert client.get(f"/t/nichts/{address}").status_code == 404


@pytest.mark.django_db
def test_players_draw_and_sheet_lead_to_it(client: Client) -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(5, tournament=tournament)
    a_played_round(tournament)
    for address in ("", "rounds/1/", "rounds/1/tables/1/"):
        assert (
            f'href="/t/{tournament.slug}/check/"'
            in client.get(f"/t/{tournament.slug}/{address}").content.decode()
        )


# --- the file ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_file_allows_its_own_script_and_style_and_nothing_else(client: Client, language: str) -> None:
    tournament = TournamentFactory.create(name="</script><b>")
    client.cookies["language"] = language
    answer = client.get(f"/t/{tournament.slug}/check/file/")
    assert answer["Content-Disposition"] == f'attachment; filename="{tournament.slug}-check.html"'
    page = answer.content.decode()
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    [script] = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    policy = policy.replace("&#x27;", "'")
    for name, text in (("script", script), ("style", style)):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r'\b(?:src|href)="', page.replace(style, ""))
    assert "url(" not in style
    assert "@import" not in style


def test_the_bundle_has_every_module_once_and_those_that_it_imports_first() -> None:
    """Of the phone's modules it has the fold, which touches no page."""
    text = bundle("js/check/main.js")
    assert "has.js" not in text  # a page from a disk may load nothing
    names = re.findall(r"^const module_(\w+) = ", text, re.MULTILINE)
    own = [f"check_{path.stem}" for path in SCRIPTS.glob("*.js") if path.stem != "command_line"]
    fold = ["sheet_checks", "sheet_replay", "sheet_survival", "sheet_hand_points", "sheet_plus_minus"]
    assert names[0] == "js_old_browsers"
    assert sorted(names[1:]) == sorted(own + fold)
    for place, name in enumerate(names[1:], 1):
        folder, stem = name.split("_", 1)
        source = (SCRIPTS.parent / folder / f"{stem}.js").read_text()
        for other_folder, other in re.findall(r'from "\.(?:\.(?=/sheet))?/(sheet/)?([\w-]+)\.js"', source):
            assert names.index(f"{other_folder.strip('/') or folder}_{other}") < place


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ('import { b } from "./main.js";\n', "imports itself"),
        ('import { b } from "./missing.js";\n', "no static file"),
        ('import * as b from "./other.js";\n', "import"),
        ("export default 1;\n", "export"),
    ],
)
def test_what_the_bundle_does_not_understand_is_refused(tmp_path: Path, script: str, told: str) -> None:
    (tmp_path / "main.js").write_text(script)
    with override_settings(STATICFILES_DIRS=[tmp_path]), pytest.raises(ValueError, match=told):
        bundle("main.js")


def test_modules_are_bundled_with_names_and_passed_on(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("export const one = 1;\nexport function* two() {}\n")
    (tmp_path / "main.js").write_text(
        'import { one as first } from "./a.js";\nexport { two } from "./a.js";\nfirst;\n'
    )
    with override_settings(STATICFILES_DIRS=[tmp_path]):
        assert bundle("main.js").splitlines() == [
            "(() => {",
            '"use strict";',
            "const module__a = (() => {",
            "const one = 1;",
            "function* two() {}",
            "return { one, two };",
            "})();",
            "const module__main = (() => {",
            "const { one: first } = module__a;",
            "const { two } = module__a;",
            "first;",
            "return { two };",
            "})();",
            "})();",
        ]


# --- the words -----------------------------------------------------------------------------------------------------


def test_every_text_that_the_scripts_name_exists() -> None:
    texts = record_words()
    known = texts["words"].keys() | texts["reasons"].keys()
    source = "".join(path.read_text() for path in SCRIPTS.glob("*.js"))
    said = set(re.findall(r'(?:\bsay|\.wrong)\("(\w+)"', source)) | set(re.findall(r'code: "(\w+)"', source))
    said |= set(re.findall(r'new Contradiction\([^()]*, "(\w+)"', source))
    assert said <= known
    assert len(said) > 60


@pytest.mark.parametrize("language", ["de", "en"])
def test_reasons_come_without_requests(language: str) -> None:
    with override(language):
        reasons = record_words()["reasons"]
    assert len(reasons) > 60
    assert [text for text in reasons.values() if re.search(r"\b(Bitte|Please)\b", str(text))] == []
    assert set(PLACEHOLDER.findall(str(reasons["sizes_do_not_match"]))) == {"players", "seats"}
