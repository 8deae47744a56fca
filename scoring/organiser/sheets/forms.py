"""The organiser's forms for one sheet: mark, void, correct."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scoring.forms import ReasonField, RefusableForm
from scoring.organiser.kinds.fact_forms import InitialsField


class MarkForm(RefusableForm):
    """The supervisor's mark on an entry. needs_initials: whether the rule sheet requires initials (RULES 5.3, 5.5)."""

    initials = InitialsField(required=False)

    def __init__(self, *args: Any, needs_initials: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["initials"].required = needs_initials


class SignedReasonForm(MarkForm):
    """The reason for a step of the supervisor on a sheet, with initials if required."""

    reason = ReasonField()

    def __init__(self, *args: Any, needs_initials: bool, **kwargs: Any) -> None:
        super().__init__(*args, needs_initials=needs_initials, **kwargs)
        if not needs_initials:
            del self.fields["initials"]


class AcceptForm(SignedReasonForm):
    """The acceptance of a sheet. A reason is needed only if the sheet was not submitted."""

    reason = ReasonField(required=False)


class AllParkedForm(SignedReasonForm):
    """One reason for all parked entries of a sheet. up_to: the last one that the page showed."""

    up_to = forms.IntegerField(min_value=0, max_value=2**63 - 1)


class CorrectionForm(MarkForm):
    """The reason for a correction, for entries of every kind."""

    reason = ReasonField()
    accept = forms.BooleanField(label=gettext_lazy("danach gleich wieder annehmen"), required=False)
