"""Tags for markup that many pages repeat."""

import re
from typing import Any

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.urls import reverse


def rendered(template: str, **values: Any) -> str:
    """Return the HTML of a template, without white space beside tags."""
    html = " ".join(Template(template).render(Context(values)).split())
    return re.sub(r" (?=[<>])|(?<=>) ", "", html)


def test_the_text_of_a_notice_is_a_paragraph_beside_the_icon_of_its_kind() -> None:
    html = rendered('{% notice "error" role="alert" %}{{ text }}{% endnotice %}', text="<p>zu spät")
    assert html.startswith('<div class="notice" data-kind="error" role="alert"><svg class="icon"')
    assert "#warning" in html
    assert html.endswith("<p>&lt;p&gt;zu spät</p></div>")


def test_paragraphs_of_a_notice_stay_as_they_are() -> None:
    html = rendered('{% notice "info" icon="lock" look="no-print" %} <p>Eins</p><p>Zwei</p>{% endnotice %}')
    assert html.startswith('<div class="notice no-print" data-kind="info"><svg')
    assert "#lock" in html
    assert html.endswith("<div><p>Eins</p><p>Zwei</p></div></div>")


def test_an_unknown_kind_of_notice_is_an_error() -> None:
    with pytest.raises(KeyError):
        rendered('{% notice "loud" %}Text{% endnotice %}')


def test_a_page_head_has_its_kicker_and_lead_where_there_are_any() -> None:
    assert rendered("{% page_head %} {% endpage_head %}", headline="Stand") == (
        '<header class="page-header"><div><h1>Stand</h1></div></header>'
    )
    html = rendered(
        '{% page_head title=title kicker="Abend" %}Wer führt{% endpage_head %}',
        title="1 < 2",
        headline="Stand",
    )
    assert html == (
        '<header class="page-header"><div><p class="page-header__kicker">Abend</p><h1>1 &lt; 2</h1>'
        '<p class="page-header__lead">Wer führt</p></div></header>'
    )


def test_the_kicker_of_a_page_head_can_lead_back() -> None:
    html = rendered('{% page_head kicker="Abend" kicker_url="/t/" %}{% endpage_head %}', headline="Stand")
    assert '<p class="page-header__kicker"><a href="/t/">Abend</a></p>' in html


def test_a_page_head_has_its_buttons_beside_the_title() -> None:
    html = rendered(
        "{% said as buttons %} <a>Drucken</a> {% endsaid %}{% page_head actions=buttons %}{% endpage_head %}",
        headline="Stand",
    )
    assert html.endswith('</div><div class="page-header__actions"><a>Drucken</a></div></header>')


def test_a_button_is_a_form_with_an_id_and_what_it_sends(rf: RequestFactory) -> None:
    button = (
        '{% post_button "account:close" 7 look="button--small" round=3 %}Konto schließen{% endpost_button %}'
    )
    html = rendered(button, request=rf.get("/"), csrf_token="secret")
    assert re.sub(r'(name="once" value=")[\w-]+', r"\1…", html) == (
        f'<form method="post" action="{reverse("account:close", args=[7])}">'
        '<input type="hidden" name="csrfmiddlewaretoken" value="secret"><input type="hidden" name="once" value="…">'
        '<input type="hidden" name="round" value="3">'
        '<button type="submit" class="button button--small">Konto schließen</button></form>'
    )
