"""Bars behind the rows of the standings on the wall, as long as the points.

Their length goes in steps, since each is a rule of the stylesheet: the pages allow no style of their own. They are measured by a round
figure and not by the points of the leader, so that a result does not change the bars of all others.
"""

_ROUND = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100)

STEPS = 40
"""Steps of a bar as long as the row; `data-bar` in static/css/screen.css."""


def bar_scale(most: int) -> int:
    """Return the points of the longest possible bar: the next of 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120 ...; 0 for none."""
    if most <= 0:
        return 0
    tens = 1
    while most > 10 * tens:
        tens *= 10
    return next(part * tens // 10 for part in _ROUND if part * tens >= 10 * most)


def bar_step(points: int, scale: int) -> int:
    """Return the length of a bar; 0 where there are no points, or fewer."""
    return max(STEPS * points // scale, 0)
