"""Markup that many pages repeat: notices, heads of pages and forms of one button."""

import re
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from tournaments.text.numbers import listed

register = template.Library()

register.filter(listed)


@register.filter
def with_breaks(name: str) -> SafeString:
    """Return the name of an account, which may be broken behind its dots and at signs."""
    return mark_safe(re.sub("(?<=[.@])", "<wbr>", escape(name)))


_ICONS = {"info": "info", "success": "check", "warning": "warning", "error": "warning"}


@register.simple_block_tag
def notice(
    content: str, kind: str, *, icon: str = "", role: str = "", look: str = "", anchor: str = ""
) -> str:
    """Return a notice. Its content is the text of one paragraph, or begins with a paragraph or box and is left as it is.

    icon: instead of the icon of the kind; look: a further class; anchor: its id.
    """
    values = {"kind": kind, "icon": icon or _ICONS[kind], "role": role, "look": look, "id": anchor}
    is_text = not content.lstrip().startswith(("<p", "<div"))
    return render_to_string("_notice.html", {**values, "content": content, "is_text": is_text})


@register.simple_block_tag
def said(content: str) -> str:
    """Return the content without blanks around it, to keep it under a name: {% said as headline %}…{% endsaid %}."""
    return type(content)(content.strip())  # as safe as it was


@register.simple_tag(takes_context=True)
def page_title(context: dict[str, Any]) -> str:
    """Return the title in the browser: the headline, and the tournament, else the club whose page it is, else the program."""
    whose = (context.get("tournament") or context.get("club")) if context["headline"] else None
    end = getattr(whose, "name", "") or "Schnauz-Turnier"
    return format_html("{} – {}", context["headline"], end) if context["headline"] else end


@register.simple_block_tag(takes_context=True)
def page_head(
    context: dict[str, Any],
    content: str,
    *,
    title: str = "",
    kicker: str = "",
    kicker_url: str = "",
    actions: str = "",
) -> str:
    """Return the head of a page. Its content is the lead, and may be blank.

    title: instead of the page's headline; kicker: the line above the title; kicker_url: where this line leads;
    actions: the buttons, from {% said as actions %}.
    """
    values = {
        "title": title or context["headline"],
        "kicker": kicker,
        "kicker_url": kicker_url,
        "actions": actions,
    }
    return render_to_string("_page_head.html", {**values, "lead": content if content.strip() else ""})


@register.simple_block_tag(takes_context=True)
def post_button(
    context: dict[str, Any], content: str, route: str, *arguments: Any, look: str = "", **sent: Any
) -> str:
    """Return a form of one button, with its content as the label.

    route and arguments: as of {% url %}; look: further classes of the button; sent: hidden fields.
    """
    values = {"request": context["request"], "csrf_token": context["csrf_token"], "content": content}
    values |= {"action": reverse(route, args=arguments), "look": look, "sent": sent.items()}
    return render_to_string("_post_button.html", values)
