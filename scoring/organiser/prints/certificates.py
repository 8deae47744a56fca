"""Certificates: recipients, and the form of the options."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scoring.queries.standings import Leaderboard, StandingsRow

FIRST_RANKS = 3
MOST_RANKS = 9999
PORTRAIT, LANDSCAPE = "portrait", "landscape"


@dataclass(frozen=True, slots=True)
class Certificates:
    """The certificates of a tournament, best rank first. players: number of players who have played.

    has_picture: whether the top has space for the club's picture.
    """

    rows: tuple[StandingsRow, ...]
    players: int
    is_landscape: bool
    has_picture: bool


class CertificatesForm(forms.Form):
    """Options of the certificates: ranks and layout."""

    first = forms.IntegerField(
        label=gettext_lazy("Bis zu welchem Rang?"),
        help_text=gettext_lazy("leer: für alle, die gespielt haben"),
        min_value=1,
        max_value=MOST_RANKS,
        required=False,
    )
    way = forms.ChoiceField(
        label=gettext_lazy("Papier A4"),
        choices=[(PORTRAIT, gettext_lazy("hoch")), (LANDSCAPE, gettext_lazy("quer"))],
        widget=forms.RadioSelect,
        required=False,
    )
    picture = forms.BooleanField(
        label=gettext_lazy("Oben Platz lassen für ein Bild oder das Wappen des Vereins"), required=False
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, has_picture: bool) -> None:
        initial = {"first": FIRST_RANKS, "way": PORTRAIT, "picture": has_picture}
        super().__init__(data, initial=initial, auto_id="certificates-%s")
        if has_picture:
            self.fields["picture"].label = gettext_lazy("Mit dem Bild des Vereins, oben")

    def certificates(self, leaderboard: Leaderboard) -> Certificates:
        """Return the certificates of this valid form."""
        asked = self.cleaned_data
        played = [row for row in leaderboard.rows if row.has_played]
        return Certificates(
            rows=tuple(_up_to(played, asked["first"])),
            players=len(played),
            is_landscape=asked["way"] == LANDSCAPE,
            has_picture=asked["picture"],
        )


def _up_to(rows: Iterable[StandingsRow], first: int | None) -> Iterable[StandingsRow]:
    return (row for row in rows if first is None or row.rank <= first)
