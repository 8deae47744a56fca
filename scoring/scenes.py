"""Registry of the scenes that the organiser sends to a screen: stored value, name and form derive from it.

A scene is shown by pages (`scoring.public.wall`), each with the template of its kind in templates/scoring/public/wall/.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene. button: of the form in which the organiser fills in more; "" where pressing the name is enough.

    of_strokes: whether only evenings whose sheets have strokes offer it; of_series: only evenings of a series.
    """

    name: Promise
    button: Promise | str = ""
    of_strokes: bool = False
    of_series: bool = False


SCENES: Mapping[str, Scene] = {
    "automatic": Scene(gettext_lazy("Von selbst, was gerade dran ist")),
    "welcome": Scene(gettext_lazy("Begrüßung"), button=gettext_lazy("Begrüßung zeigen")),
    "gather": Scene(gettext_lazy("Alle zum Lostisch")),
    "seating": Scene(gettext_lazy("Wer sitzt wo")),
    "play": Scene(gettext_lazy("Laufende Spielrunde")),
    "standings": Scene(gettext_lazy("Rangliste")),
    "race": Scene(gettext_lazy("Verlauf")),
    "king": Scene(gettext_lazy("Schnauzkönig"), of_strokes=True),
    "series": Scene(gettext_lazy("Jahreswertung"), of_series=True),
    "announcement": Scene(gettext_lazy("Durchsage"), button=gettext_lazy("Durchsage zeigen")),
    "prizes": Scene(gettext_lazy("Siegerehrung"), button=gettext_lazy("Siegerehrung beginnen")),
    "black": Scene(gettext_lazy("Schwarz")),
}
"""By the value that is stored, in the order of the buttons. An additional one needs a migration."""
