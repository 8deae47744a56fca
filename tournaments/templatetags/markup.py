"""Markup that many pages repeat: notices."""

from django import template
from django.template.loader import render_to_string

register = template.Library()

_ICONS = {"info": "info", "success": "check", "warning": "warning", "error": "warning"}


@register.simple_block_tag
def notice(content: str, kind: str, *, icon: str = "", role: str = "", look: str = "") -> str:
    """Return a notice. Its content is the text of one paragraph, or begins with a paragraph and is left as it is.

    icon: instead of the icon of the kind; look: a further class.
    """
    values = {"kind": kind, "icon": icon or _ICONS[kind], "role": role, "look": look, "content": content}
    return render_to_string("_notice.html", {**values, "is_text": not content.lstrip().startswith("<p")})
