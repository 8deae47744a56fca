"""Form data as a browser sends it for a form as it is shown."""

from typing import Any

from django import forms
from django.http import QueryDict

from tournaments.organiser.ruleset_form import RulesForm
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset


def as_shown(form: forms.Form) -> dict[str, Any]:
    """Return field -> value, under the names in the page."""
    sent: dict[str, Any] = {}
    for field in form:
        value = field.value()
        if isinstance(field.field, forms.MultiValueField):
            sent |= {f"{field.html_name}_{place}": one for place, one in enumerate(value) if one}
        elif isinstance(field.field, forms.BooleanField):
            sent |= {field.html_name: "on"} if value else {}
        elif value not in (None, ""):
            sent[field.html_name] = value
    return sent


def typed_rules(rules: Ruleset | str = "schnauz-placing", **changed: Any) -> dict[str, Any]:
    """Return the fields of a ruleset as shown, with changes: `tables_sizes="4"`; None empties a field."""
    shown = as_shown(RulesForm(base=preset(rules) if isinstance(rules, str) else rules))
    return shown | {f"rules-{name}": "" if value is None else value for name, value in changed.items()}


def sent(typed: dict[str, Any]) -> QueryDict:
    query = QueryDict(mutable=True)
    for name, value in typed.items():
        query.setlist(name, value if isinstance(value, list) else [value])
    return query
