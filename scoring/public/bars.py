"""Bars as long as the points: in the rows of the standings as SVG, behind those of the wall in steps of the stylesheet.

The content security policy allows no inline styles, so a length is an attribute or a step.
"""

from collections.abc import Iterable
from fractions import Fraction

from django.utils.safestring import SafeString, mark_safe

STEPS = 40
"""Steps of a bar as long as a row of the wall; `data-bar` in static/css/wall/wall.css."""

_ROUND = tuple(map(Fraction, ("1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8", "10")))


def bar_scale(points: Iterable[int]) -> int:
    """Return the points of a full bar; 0 (no bars) if somebody has negative points or nobody has any.

    It is the leader's points, rounded up to a step, so that few results change the bars of all rows.
    """
    all_points = list(points)
    most = max(all_points, default=0)
    if most <= 0 or min(all_points) < 0:
        return 0
    power = 10 ** (len(str(most)) - 1)
    return next(-int(-step * power // 1) for step in _ROUND if step * power >= most)


def bar(points: int, scale: int) -> SafeString:
    """Return the bar of so many points, nothing without a scale. The figures stand beside it."""
    if not scale:
        return mark_safe("")
    return mark_safe(
        '<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<path d="M0 0h{round(100 * points / scale)}v1H0z"/></svg>'
    )


def bar_step(points: int, scale: int) -> int:
    """Return the length of a bar in steps."""
    return STEPS * points // scale
