"""The card of a player's evening: one picture with what is public of it, to keep and to send on."""

import re
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from tournaments.core.names import without_marks

WIDTH, HEIGHT = 1080, 1350
"""In pixels: the portrait format of pictures on phones."""
_FRAME, _EDGE, _GAP = 40, 100, 16
_ROUNDS_A_LINE, _ROUNDS_TOP, _ROUNDS_TALL = 6, 1040, 220
_CARD, _INK, _SOFT, _LEAD, _GOLD, _TILE = "#17402d", "#fbf4e2", "#c3d8c8", "#ffdc73", "#e9b93f", "#0c1510"
_IN_THE_FONT = "–—‘’“”„…−"
"""What the font has beside the letters of western Europe."""


@dataclass(frozen=True, slots=True)
class EveningCard:
    """The texts of the card. at: date and place. score: points and strokes. rounds: the name of each and its points."""

    title: str
    at: str
    name: str
    rank: str
    among: str
    score: str
    rounds: tuple[tuple[str, str], ...]


def drawn(card: EveningCard, font: str) -> bytes:
    """Return the card as PNG. font: a file with a variable font."""
    image = Image.new("RGB", (WIDTH, HEIGHT), _TILE)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((_FRAME, _FRAME, WIDTH - _FRAME, HEIGHT - _FRAME), 32, _CARD, _GOLD, width=6)
    for text, size, weight, colour, top, bottom in (
        (card.title, 60, 700, _INK, 80, 220),
        (card.at, 36, 500, _SOFT, 225, 315),
        (card.name, 100, 800, _LEAD, 350, 580),
        (card.rank, 170, 800, _INK, 600, 790),
        (card.among, 44, 500, _SOFT, 805, 865),
        (card.score, 56, 700, _LEAD, 890, 1020),
    ):
        _write(pen, text, font, size, weight, colour, (_EDGE, top, WIDTH - _EDGE, bottom))
    a_line = min(len(card.rounds), _ROUNDS_A_LINE)
    lines = [card.rounds[start : start + a_line] for start in range(0, len(card.rounds), a_line)]
    wide, tall = min(210, (WIDTH - 2 * _EDGE) // a_line - _GAP), min(150, _ROUNDS_TALL // len(lines) - _GAP)
    above = _ROUNDS_TOP + (_ROUNDS_TALL - len(lines) * (tall + _GAP)) // 2
    for number, line in enumerate(lines):
        left, top = (WIDTH - len(line) * (wide + _GAP) + _GAP) / 2, above + number * (tall + _GAP)
        for place, (name, points) in enumerate(line):
            x, middle = left + place * (wide + _GAP), top + 0.45 * tall
            pen.rounded_rectangle((x, top, x + wide, top + tall), 16, _TILE)
            _write(pen, name, font, tall // 5, 500, _SOFT, (x + 4, top + 4, x + wide - 4, middle))
            _write(pen, points, font, tall * 2 // 5, 800, _INK, (x + 4, middle, x + wide - 4, top + tall - 8))
    file = BytesIO()
    image.quantize(64, Image.Quantize.FASTOCTREE).save(file, "PNG")
    return file.getvalue()


def _write(
    pen: ImageDraw.ImageDraw,
    text: str,
    font: str,
    size: int,
    weight: int,
    colour: str,
    box: tuple[float, ...],
) -> None:
    """Write a text in the middle of a box, in smaller letters until it fits. box: left, top, right, bottom."""
    left, top, right, bottom = box
    while True:
        letters = ImageFont.truetype(font, size)
        letters.set_variation_by_axes([weight])
        broken = _broken(_drawable(text), letters, right - left)
        from_x, from_y, to_x, to_y = pen.multiline_textbbox((0, 0), broken, letters)
        if size <= 12 or (to_x - from_x <= right - left and to_y - from_y <= bottom - top):
            break
        size -= 2
    middle = ((left + right) / 2, (top + bottom) / 2)
    pen.multiline_text(middle, broken, colour, letters, "mm", align="center")


def _broken(text: str, letters: ImageFont.FreeTypeFont, wide: float) -> str:
    """Return the text in lines, broken between words and after hyphens."""
    lines = [""]
    for part in re.split(r"(?<=[\s-])", text):
        if lines[-1] and letters.getlength((lines[-1] + part).rstrip()) > wide:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _drawable(text: str) -> str:
    """Return the text with the base letter of each that the font lacks: Ł becomes L."""
    bases = {c: without_marks(c.lower()) for c in text if ord(c) > 255 and c not in _IN_THE_FONT}
    return "".join(bases[c].upper() if c in bases and c.isupper() else bases.get(c, c) for c in text)
