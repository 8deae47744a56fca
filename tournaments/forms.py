"""Form fields that clean with the rules of the core and show its refusals as errors."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.text import format_lazy, slugify
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournaments.core.euros import cents_of
from tournaments.core.names import clean_name, clean_text
from tournaments.core.refusal import Refusal
from tournaments.links import MOST_IN_A_SLUG, NOT_A_SLUG
from tournaments.models import Tournament
from tournaments.once import mark_unchanged
from tournaments.rulesets.schema import Ruleset
from tournaments.text.refusals import level_of, message
from tournaments.text.states import EXCLUSION_REASONS

_DAY_FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%d.%m.%y")
_START = re.compile(
    r"(?:(?P<day>[\d.-]{6,10})[ T,]+)?(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?(?::\d{2})?\s*(?:Uhr|h)?",
    re.IGNORECASE | re.ASCII,
)
_HALVES = re.compile(r"([0-9]{1,4})(?:[,.]([05])0?)?\s*(½?)")

SHORT_TEXT = 100
"""Longer texts have a field as wide as their form."""


HOW_NAMES_ARE_SHOWN = [
    (Tournament.Names.SHORT.value, _("kurz: Sepp H.")),
    (Tournament.Names.FULL.value, _("ganz: Sepp Huber")),
    (Tournament.Names.NUMBER.value, _("nur die Nummer: Nr. 17")),
]


# Lazy, so that the text is in the reader's language. Only for refusals without parameters.
word_lazily: Callable[[str], Any] = lazy(lambda code: message(Refusal(code)), str)


def clean_slug(text: str) -> str:
    """Return a web address as it is stored. Raises Refusal `slug_bad`, and `slug_taken` for a word that is no address."""
    slug = text.strip()
    if slug and (
        slug != slugify(slug) or "_" in slug or len(slug) > MOST_IN_A_SLUG or slug.strip("-") != slug
    ):
        raise Refusal("slug_bad")
    if slug in NOT_A_SLUG:
        raise Refusal("slug_taken", slug=slug)
    return slug


def as_error(refusal: Refusal) -> forms.ValidationError:
    return forms.ValidationError(message(refusal), code=refusal.code)


class RefusalShown:
    """A context manager that ends its block at a refusal and shows it.

    A view returns its success from inside the block; what stands below is the answer to a refusal.
    """

    def __init__(self, show: Callable[[Refusal], object]) -> None:
        self.show = show

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, _trace: object) -> bool:
        if not isinstance(error, Refusal):
            return False
        self.show(error)
        return True


def refusal_as_message(request: HttpRequest, *, word: Callable[[Refusal], str] = message) -> RefusalShown:
    """Show a refusal of the block as a message on the next page."""
    return RefusalShown(lambda refusal: refuse(request, word(refusal), level_of(refusal)))


def refuse(request: HttpRequest, sentence: str, level: int = messages.ERROR) -> None:
    """Show why a form changed nothing, on the next page."""
    messages.add_message(request, level, sentence)
    mark_unchanged(request)


class RefusableForm(forms.Form):
    """A form that shows the refusal of a service.

    field_of: the field for a code of a refusal. default_field: the field for other codes; None: above the form.
    """

    field_of: Mapping[str, str] = {}
    default_field: str | None = None

    def refuse(self, refusal: Refusal) -> None:
        """Add the refusal at the field it is about, or above the form."""
        name = self.field_of.get(refusal.code, self.default_field)
        self.add_error(name if name in self.fields else None, self.error_of(refusal))

    def set_choices(self, name: str, choices: Sequence[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)

    def refusal_at_field(self) -> RefusalShown:
        """Show a refusal of the block with `refuse`."""
        return RefusalShown(self.refuse)

    @staticmethod
    def error_of(refusal: Refusal) -> forms.ValidationError:
        return as_error(refusal)


def form_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *of_forms: forms.Form
) -> HttpResponse:
    """Render a page with forms. The status is 422 if one of them has errors."""
    status = 422 if any(form.errors for form in of_forms) else 200
    return render(request, template, dict(context), status=status)


class OtherPlayersField(forms.RegexField):
    """Hidden start numbers of players whom the page has shown, separated by commas."""

    def __init__(self) -> None:
        super().__init__(
            r"\A\d{1,9}(,\d{1,9})*\Z", required=False, max_length=4000, widget=forms.HiddenInput, strip=True
        )

    def clean(self, value: Any) -> frozenset[int]:
        return frozenset(int(number) for number in super().clean(value).split(",") if number)


class ExclusionForm(RefusableForm):
    """The reason for an exclusion, in the organiser's words. On sheets of plus and minus, usual reasons are offered."""

    default_field = "reason"

    offered = forms.ChoiceField(
        label=_("Warum?"), choices=list(EXCLUSION_REASONS.items()), widget=forms.RadioSelect, required=False
    )
    reason = forms.CharField(
        label=_("Begründung"), max_length=400, required=False, widget=forms.TextInput({"autocomplete": "off"})
    )

    def __init__(self, *args: Any, rules: Ruleset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if rules.sheet.kind != "plus_minus":
            del self.fields["offered"]

    def clean(self) -> dict[str, Any]:
        offered = self.cleaned_data.get("offered")
        typed = self.cleaned_data.get("reason", "")
        words = [str(EXCLUSION_REASONS[offered])] if offered else []
        return {"reason": ": ".join([*words, typed] if typed else words)}


class CleanField(forms.CharField):
    """One line of text. No `maxlength` in the page: a browser would silently truncate what is pasted."""

    def __init__(self, clean_line: Callable[[str], str], **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        super().__init__(strip=False, **kwargs)
        self.clean_line = clean_line
        self.validators = []

    def clean(self, value: Any) -> str:
        try:
            return self.clean_line(str(value or ""))
        except Refusal as refusal:
            raise as_error(refusal) from None


class NameField(CleanField):
    """A name, required."""

    def __init__(self, *, most: int = 80, **kwargs: Any) -> None:
        super().__init__(lambda text: clean_name(text, most=most), **kwargs)
        if most > SHORT_TEXT:
            self.widget.attrs["data-long"] = ""
        self.required = True
        self.widget.is_required = True


class TextField(CleanField):
    """An optional text of one line."""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        super().__init__(lambda text: clean_text(text, most=most), **kwargs)
        if most > SHORT_TEXT:
            self.widget.attrs["data-long"] = ""


class EurosField(CleanField):
    """An amount: „3,00“ gives 300 cents; „3.000“ and „-3“ are errors. With empty=True no input gives None."""

    def __init__(self, *, empty: bool = False, **kwargs: Any) -> None:
        super().__init__(str.strip, **kwargs)
        self.empty = empty
        self.required = not empty
        self.widget.attrs.setdefault("inputmode", "decimal")

    def clean(self, value: Any) -> int | None:  # type: ignore[override]
        text = str(value or "").strip()
        if not text and self.empty:
            return None
        try:
            return cents_of(text)
        except Refusal as refusal:
            raise as_error(refusal) from None

    def prepare_value(self, value: Any) -> Any:
        return f"{value // 100},{value % 100:02}" if isinstance(value, int) else value


class LinesField(CleanField):
    """A text of several lines; gives the list of those that are not empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(str.strip, widget=forms.Textarea(attrs={"rows": 8}), **kwargs)

    def clean(self, value: Any) -> list[str]:  # type: ignore[override]
        return [line for line in (" ".join(row.split()) for row in str(value or "").splitlines()) if line]

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list | tuple) else value


class WholeNumberField(CleanField):
    """A whole number: „3“ gives 3. A text field, as a number field silently drops other input.

    bad: the error, which says what to do. With empty=True no input gives None.
    """

    def __init__(self, *, bad: Any, empty: bool = False, **kwargs: Any) -> None:
        super().__init__(str.strip, **kwargs)
        self.bad, self.empty = bad, empty
        self.required = not empty
        self.widget.attrs.setdefault("inputmode", "numeric")

    def clean(self, value: Any) -> int | None:  # type: ignore[override]
        text = str(value or "").strip().replace("−", "-")
        if not text and self.empty:
            return None
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
            raise forms.ValidationError(self.bad, code="number_bad")
        return int(text)

    def prepare_value(self, value: Any) -> Any:
        return "" if value is None else str(value)


class HalvesField(CleanField):
    """Points that may be halves: „30,5“ and „30½“ give 61 half points, no input gives None."""

    def __init__(self, *, bad: Any, **kwargs: Any) -> None:
        super().__init__(str.strip, **kwargs)
        self.bad = bad
        self.widget.attrs.setdefault("inputmode", "decimal")

    def clean(self, value: Any) -> int | None:  # type: ignore[override]
        text = str(value or "").strip()
        if not text:
            return None
        match = _HALVES.fullmatch(text)
        if match is None or (match[2] and match[3]):
            raise forms.ValidationError(self.bad, code="halves_bad")
        return 2 * int(match[1]) + (1 if match[2] == "5" or match[3] else 0)

    def prepare_value(self, value: Any) -> Any:
        return f"{value // 2}{',5' if value % 2 else ''}" if isinstance(value, int) else value


class OrderWidget(forms.MultiWidget):
    """A select for each place of an order."""

    use_fieldset = True

    def __init__(self, choices: Sequence[tuple[str, Any]]) -> None:
        labels = [format_lazy(_("{place}. Stelle"), place=place) for place in range(1, len(choices) + 1)]
        super().__init__([forms.Select({"aria-label": label}, [("", "–"), *choices]) for label in labels])

    def decompress(self, value: Any) -> list[Any]:
        return list(value or ())


class OrderField(forms.MultiValueField):
    """Some of the choices in an order, best first. Places in between may stay empty."""

    def __init__(self, *, choices: Sequence[tuple[str, Any]], bad: Any, **kwargs: Any) -> None:
        options = [("", "–"), *choices]
        parts = [
            forms.ChoiceField(choices=options, required=False, error_messages={"invalid_choice": bad})
            for _choice in choices
        ]
        widget = OrderWidget(choices)
        super().__init__(parts, widget=widget, required=False, require_all_fields=False, **kwargs)

    def compress(self, data_list: Sequence[str]) -> list[str]:
        return [value for value in data_list if value]


class NumbersField(CleanField):
    """A list of whole numbers: „6, 4, 3, 2“ gives (6, 4, 3, 2)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(str.strip, **kwargs)

    def clean(self, value: Any) -> tuple[int, ...]:  # type: ignore[override]
        parts = (
            str(value or "").replace("−", "-").replace(",", " ").replace(";", " ").replace("/", " ").split()
        )
        if len(parts) > 50 or not all(re.fullmatch(r"[+-]?[0-9]{1,5}", part) for part in parts):
            raise forms.ValidationError(
                _("Bitte ganze Zahlen eingeben, mit Kommas getrennt."), code="numbers_bad"
            )
        return tuple(int(part) for part in parts)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


class DayField(forms.DateField):
    """A day: 21.11.2026 or 2026-11-21.

    A text field, as a browser shows day and month of a picker in the order of its own language, whatever that of the page is.
    """

    def __init__(self, *, earliest: int = 1990, **kwargs: Any) -> None:
        """earliest: the first year."""
        self.earliest = earliest
        missing = word_lazily("date_bad")
        super().__init__(
            input_formats=list(_DAY_FORMATS),
            widget=forms.TextInput(attrs={"autocomplete": "off", "size": 12, "maxlength": 12}),
            error_messages={"invalid": missing, "required": missing},
            **kwargs,
        )

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, date):
            return value
        return f"{value:%d.%m.%Y}" if get_language() == "de" else value.isoformat()

    def clean(self, value: Any) -> Any:
        day = super().clean(value)
        if day is not None and not self.earliest <= day.year <= 2199:
            raise as_error(Refusal("date_bad"))
        return day


class StartField(CleanField):
    """A start: „19:30“, or „21.11.2026 19:30“ for another day than the tournament's. Gives the day, if typed, and the time.

    A text field for the same reason as `DayField`.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(str.strip, **kwargs)

    def clean(self, value: Any) -> tuple[date | None, time] | None:  # type: ignore[override]
        text = str(value or "").strip()
        if not text:
            return None
        match = _START.fullmatch(text)
        try:
            if match is None:
                raise ValueError
            day = _day_of(match["day"]) if match["day"] else None
            return day, time(int(match["hour"]), int(match["minute"] or 0))
        except ValueError:
            raise as_error(Refusal("start_bad")) from None


def start_as_typed(starts_at: datetime, played_on: date) -> str:
    """Return a start as `StartField` reads it, without the day if it is the tournament's."""
    start = timezone.localtime(starts_at)
    return f"{start:%H:%M}" if start.date() == played_on else f"{start:%d.%m.%Y %H:%M}"


def _day_of(text: str) -> date:
    """Return the day of a typed text. Raises ValueError."""
    for day_format in _DAY_FORMATS:
        try:
            day = datetime.strptime(text, day_format).date()  # noqa: DTZ007 (a day has no time zone)
        except ValueError:
            continue
        if 1990 <= day.year <= 2199:
            return day
    raise ValueError
