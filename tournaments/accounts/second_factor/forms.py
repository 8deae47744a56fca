"""The form for a code of the second factor."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms import RefusableForm, TextField

MOST_IN_A_CODE = 40


class OneTimeCodeForm(RefusableForm):
    """A code of the authenticator app, or a recovery code where the account has some."""

    default_field = "code"

    code = TextField(
        most=MOST_IN_A_CODE,
        label=_("Code"),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def __init__(self, *args: Any, help_text: Any = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].required = True
        self.fields["code"].help_text = help_text
