"""Templates: lines that can be read, and none that nothing uses."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import ROOT, modules, plant, templates

LONGEST_LINE = 160
MOST_TAGS = 5
RENDERED_BY_DJANGO = {"403.html", "403_csrf.html", "404.html", "500.html"}
SENT_TWICE = {
    "_account.html": "logs out",
    "_language.html": "sets the language",
    "clubs/open_link.html": "makes a club, outside of a transaction; the code counts once",
    "clubs/register.html": "belongs to no club, which would keep the receipt; the address is reserved once",
    "scoring/phone/page.html": "sets the language",
    "scoring/public/wall.html": "names the step to reveal, and the one before it",
    "clubs/own/_backup_form.html": "hashes a password, outside of a transaction",
    "clubs/own/agreements.html": "notes each version once, outside of the transactions of a club",
    "clubs/own/end.html": "hashes a password, outside of a transaction",
    "clubs/own/move_out.html": "hashes a password, outside of a transaction",
    "clubs/own/open_again.html": "has a code that is good once",
    "tournaments/accounts/code.html": "logs in",
    "tournaments/accounts/confirm_email.html": "has a code that is good once",
    "tournaments/accounts/email.html": "hashes a password, outside of a transaction",
    "tournaments/accounts/forgotten.html": "sends a mail, and counts them",
    "tournaments/accounts/go_on.html": "has the fields of the form that was interrupted, its id among them",
    "tournaments/accounts/join.html": "hashes a password, outside of a transaction",
    "tournaments/accounts/login.html": "hashes a password, outside of a transaction",
    "tournaments/accounts/new_password.html": "hashes a password, outside of a transaction",
    "tournaments/accounts/password.html": "hashes a password, outside of a transaction",
    "tournaments/accounts/setup.html": "hashes a password, outside of a transaction",
}
"""Templates with a form that has no id, and what it does; see tournaments/once.py."""
COMPOSED_IN = {
    "scoring/organiser/rounds": "scoring/organiser/rounds",
    "scoring/public/wall": "scoring",
    "tournaments/door": "tournaments/door",
}
"""Folders of templates that are rendered as `f"{folder}/{name}.html"`, and the package whose strings name their last part."""


def unreadable(root: Path) -> Iterator[str]:
    for template, text in templates(root):
        for number, line in enumerate(text.splitlines(), 1):
            tags = len(re.findall(r"\{%|\{\{", line))
            if len(line) > LONGEST_LINE:
                yield f"{template}:{number} has {len(line)} characters"
            if tags > MOST_TAGS:
                yield f"{template}:{number} has {tags} tags"


def test_lines_of_templates_can_be_read() -> None:
    assert list(unreadable(ROOT)) == []


def test_unreadable_lines_are_found(tmp_path: Path) -> None:
    lines = ["x" * 160, "{{ a }}" * 5, "x" * 161, "{% if a %}{{ a }}{% endif %}" * 2]
    plant(tmp_path, "templates/base.html", "\n".join(lines))
    assert list(unreadable(tmp_path)) == ["base.html:3 has 161 characters", "base.html:4 has 6 tags"]


def adding_values(root: Path) -> Iterator[str]:
    """Yield the lines where `add` gets anything but a literal number: of two texts of digits it makes an integer."""
    for template, text in templates(root):
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(r"\|\s*add:(?!-?\d)", line):
                yield f"{template}:{number} adds a value"


def test_templates_add_only_literal_numbers() -> None:
    assert list(adding_values(ROOT)) == []


def test_added_values_are_found(tmp_path: Path) -> None:
    plant(tmp_path, "templates/base.html", "{{ row|add:1 }}\n{{ row|add:-1 }}\n{{ name|add:club }}\n")
    assert list(adding_values(tmp_path)) == ["base.html:3 adds a value"]


def unused(root: Path) -> list[str]:
    """Return the templates that cannot be reached from a name in Python, by include or extends."""
    texts = dict(templates(root))
    reached: set[str] = set()
    named = {*RENDERED_BY_DJANGO, *named_in_python(root)}
    while new := (named & set(texts)) - reached:
        reached |= new
        named = {
            name
            for template in new
            for tag in re.findall(r"\{%\s*(?:include|extends)\s.*?%\}", texts[template])
            for name in re.findall(r"""["']([^"']+\.html)["']""", tag)
        }
    return sorted(set(texts) - reached)


def named_in_python(root: Path) -> Iterator[str]:
    yield from (text for module in modules(root) for _line, text in module.strings())
    for folder, package in COMPOSED_IN.items():
        yield from (
            f"{folder}/{text}.html" for module in modules(root, package) for _line, text in module.strings()
        )


def test_every_template_is_used() -> None:
    assert unused(ROOT) == []


def test_unused_templates_are_found(tmp_path: Path) -> None:
    plant(tmp_path, "scoring/public/views.py", 'render(request, "scoring/public/hand.html")\n')
    plant(tmp_path, "tournaments/door/views.py", 'fragments(request, context, "_panel")\n')
    plant(tmp_path, "templates/scoring/public/hand.html", '{% extends "base.html" %}\n')
    plant(
        tmp_path, "templates/base.html", '{% if a %}{% include "_icon.html" with name="pen" %}{% endif %}\n'
    )
    plant(tmp_path, "templates/tournaments/door/_panel.html", "")
    plant(tmp_path, "templates/_icon.html", "")
    plant(tmp_path, "templates/404.html", "")
    assert unused(tmp_path) == []
    plant(tmp_path, "templates/tournaments/door/_note.html", '{% include "_part.html" %}')
    plant(tmp_path, "templates/_part.html", '{% include "_part.html" %}')
    assert unused(tmp_path) == ["_part.html", "tournaments/door/_note.html"]


def without_id(root: Path) -> Iterator[str]:
    """Yield the forms that change something, and that the server could not tell from another one of the same content."""
    for template, text in templates(root):
        for form in re.finditer(r"<form\b[^>]*>.*?(?=</form>|<form\b|\Z)", text, re.DOTALL):
            if re.match(r"<form\b[^>]*\bmethod\s*=\s*[\"']?post\b", form[0], re.IGNORECASE) and not re.search(
                r'\{%\s*once\s*%\}|<input type="hidden" name="once">', form[0]
            ):
                yield f"{template}:{text.count(chr(10), 0, form.start()) + 1}"


def test_every_form_has_an_id() -> None:
    """With it, a form that is sent twice changes something once."""
    found = [form for form in without_id(ROOT) if form.partition(":")[0] not in SENT_TWICE]
    assert found == []


def test_every_template_that_is_named_has_a_form_without_an_id() -> None:
    assert {form.partition(":")[0] for form in without_id(ROOT)} == SENT_TWICE.keys()


def test_forms_without_an_id_are_found(tmp_path: Path) -> None:
    text = (
        '<form method="get"></form>\n'
        '<form class="a"\n      method="post">{% csrf_token %}{% once %}<button></form>\n'
        '<form method="post"><input type="hidden" name="once"></form>\n'
        "<form method=post>{% csrf_token %}</form>{% once %}\n"
        '<form action="{% url a %}" method="POST">{% csrf_token %}\n<form method="post">{% once %}</form>\n'
    )
    plant(tmp_path, "templates/base.html", text)
    assert list(without_id(tmp_path)) == ["base.html:5", "base.html:6"]


WITHOUT_TOURNAMENT = {
    "500.html",
    "503.html",
    "scoring/phone/history.html",
    "scoring/phone/no_table.html",
    "scoring/phone/page.html",
    "scoring/public/_screen_page.html",
    "tournaments/public/start.html",
}
"""Pages of no tournament, those of a table, and one that adds to its title elsewhere."""


def titles_of_other_form(root: Path) -> Iterator[str]:
    """Find titles that are not „Seite – Turnier“, or „Seite – Schnauz-Turnier“ where there is none. Scenes of the wall say what they show."""
    for template, text in templates(root):
        title = re.search(r"\{% block title %\}(.*?)\{% endblock(?!trans)", text, re.DOTALL)
        if not title or "/wall/" in template or template.startswith("base") or template in WITHOUT_TOURNAMENT:
            continue
        whole = " ".join(title[1].split())
        if not re.search(r" – (?:Schnauz-Turnier|\{\{ tournament(?:\.name)? \}\})$", whole):
            yield f"{template}: {whole}"


def test_all_titles_have_one_form() -> None:
    assert sorted(titles_of_other_form(ROOT)) == []


def test_titles_of_another_form_are_found(tmp_path: Path) -> None:
    for name, title in (("a", "Stand – {{ tournament.name }}"), ("b", "Stand · {{ tournament.name }}")):
        plant(tmp_path, f"templates/{name}.html", f"{{% block title %}}{title}{{% endblock %}}\n")
    assert list(titles_of_other_form(tmp_path)) == ["b.html: Stand · {{ tournament.name }}"]


NOTICES_BY_HAND = {
    "_notice.html": "is the tag's own",
    "_new_address.html": "is folded, with its title as the summary",
    "tournaments/door/_note.html": "is taken for its kind by the script of the door, with buttons in its line",
    "scoring/public/_check.html": "stands in one file, without the sprite of icons",
    "scoring/phone/no_table.html": "has the style of the phone, which has no icons",
    "scoring/phone/page.html": "has the style of the phone, which has no icons",
}


def test_notices_are_written_by_their_tag() -> None:
    pages = (ROOT / "templates").rglob("*.html")
    by_hand = {
        page.relative_to(ROOT / "templates").as_posix()
        for page in pages
        if re.search(r'class="(?:[^"]* )?notice[ "{]', page.read_text())
    }
    assert by_hand == NOTICES_BY_HAND.keys()
