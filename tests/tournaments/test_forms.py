"""Refusals that end a block of a view, and are shown at their field or as a message."""

import pytest
from django import forms

from tournaments.core.refusal import Refusal
from tournaments.forms import RefusableForm
from tournaments.text.refusals import message


class DeskForm(RefusableForm):
    field_of = {"desk_twice": "desk"}

    desk = forms.CharField()


def answer(form: DeskForm, error: Exception | None) -> str:
    if form.is_valid():
        with form.refusal_at_field():
            if error is not None:
                raise error
            return "done"
    return "again"


def test_without_a_refusal_the_view_returns_from_the_block() -> None:
    form = DeskForm({"desk": "Kasse 1"})
    assert (answer(form, None), form.errors) == ("done", {})


@pytest.mark.parametrize(("code", "field"), [("desk_twice", "desk"), ("desk_is_open", "__all__")])
def test_a_refusal_ends_the_block_and_stands_at_its_field_or_above_the_form(code: str, field: str) -> None:
    form, refusal = DeskForm({"desk": "Kasse 1"}), Refusal(code, desk="Kasse 1")
    assert answer(form, refusal) == "again"
    assert form.errors == {field: [message(refusal)]}
    assert form["desk"].value() == "Kasse 1"


def test_other_exceptions_propagate() -> None:
    with pytest.raises(KeyError):
        answer(DeskForm({"desk": "Kasse 1"}), KeyError("name"))
