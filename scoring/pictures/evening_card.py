"""The card of a player's evening: one picture with what is public of it, to keep and to send on."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from tournaments.core.names import without_marks

WIDTH, HEIGHT = 1080, 1350
"""In pixels: the portrait format of pictures on phones."""
ROUNDS_A_LINE = 6
_FRAME, _GAP, _WIDEST = 40, 16, WIDTH - 200
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


@dataclass(frozen=True, slots=True)
class _Block:
    """A text or the rounds, with the space below."""

    tall: int
    below: int
    draw: Callable[[int], None]


class _Sheet:
    """The card being drawn. font: a file with a variable font."""

    def __init__(self, font: str) -> None:
        self.image = Image.new("RGB", (WIDTH, HEIGHT), _TILE)
        self.pen = ImageDraw.Draw(self.image)
        self.font = font
        self.pen.rounded_rectangle(
            (_FRAME, _FRAME, WIDTH - _FRAME, HEIGHT - _FRAME), 32, _CARD, _GOLD, width=6
        )

    def letters(self, size: int, weight: int) -> ImageFont.FreeTypeFont:
        font = ImageFont.truetype(self.font, size)
        font.set_variation_by_axes([weight])
        return font

    def text(self, text: str, size: int, weight: int, colour: str, *, room: int, below: int) -> _Block:
        """Return a text in the middle, in smaller letters until it fits in its width and height (room)."""
        text = _drawable(text)
        font = self.letters(size, weight)
        broken = _broken(text, font)
        while size > 16 and (size * len(broken) > room or max(map(font.getlength, broken)) > _WIDEST):
            size -= 4
            font = self.letters(size, weight)
            broken = _broken(text, font)

        def draw(top: int) -> None:
            for number, line in enumerate(broken):
                self.pen.text((WIDTH / 2, top + number * size * 1.15), line, colour, font, "mt")

        return _Block(int(size * (1.15 * len(broken) - 0.25)), below, draw)

    def rounds(self, rounds: Sequence[tuple[str, str]]) -> _Block:
        """Return a tile for each round, in as many lines as they need."""
        a_line = min(len(rounds), ROUNDS_A_LINE)
        lines = [rounds[start : start + a_line] for start in range(0, len(rounds), a_line)]
        wide, tall = min(210, _WIDEST // a_line - _GAP), min(150, 330 // len(lines) - _GAP)
        small, large = self.letters(tall // 5, 500), self.letters(tall * 2 // 5, 800)

        def draw(top: int) -> None:
            for number, line in enumerate(lines):
                left, y = (WIDTH - len(line) * (wide + _GAP) + _GAP) / 2, top + number * (tall + _GAP)
                for place, (name, points) in enumerate(line):
                    x = left + place * (wide + _GAP)
                    self.pen.rounded_rectangle((x, y, x + wide, y + tall), 16, _TILE)
                    self.pen.text((x + wide / 2, y + 0.3 * tall), name, _SOFT, small, "mm")
                    self.pen.text((x + wide / 2, y + 0.67 * tall), points, _INK, large, "mm")

        return _Block(len(lines) * (tall + _GAP) - _GAP, 0, draw)


def drawn(card: EveningCard, font: str) -> bytes:
    """Return the card as PNG, its blocks one below the other in the middle."""
    sheet = _Sheet(font)
    blocks = [
        sheet.text(card.title, 60, 700, _INK, room=130, below=24),
        sheet.text(card.at, 36, 500, _SOFT, room=72, below=90),
        sheet.text(card.name, 100, 800, _LEAD, room=210, below=80),
        sheet.text(card.rank, 170, 800, _INK, room=170, below=48),
        sheet.text(card.among, 44, 500, _SOFT, room=44, below=70),
        sheet.text(card.score, 56, 700, _LEAD, room=112, below=80),
        sheet.rounds(card.rounds),
    ]
    room, space = (
        HEIGHT - 4 * _FRAME - sum(block.tall for block in blocks),
        sum(block.below for block in blocks),
    )
    share = min(1, room / space)
    top = (HEIGHT - sum(block.tall + block.below * share for block in blocks)) / 2
    for block in blocks:
        block.draw(int(top))
        top += block.tall + block.below * share
    file = BytesIO()
    sheet.image.quantize(64, Image.Quantize.FASTOCTREE).save(file, "PNG")
    return file.getvalue()


def _broken(text: str, font: ImageFont.FreeTypeFont) -> list[str]:
    """Return the lines of a text, broken between words and after hyphens."""
    lines = [""]
    for part in re.split(r"(?<=[\s-])", text):
        if font.getlength((lines[-1] + part).rstrip()) > _WIDEST and lines[-1]:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def _drawable(text: str) -> str:
    """Return the text with the base letter of each that the font lacks: Ł becomes L."""
    return "".join(c if ord(c) < 256 or c in _IN_THE_FONT else _base_letter(c) for c in text)


def _base_letter(character: str) -> str:
    base = without_marks(character.lower())
    return base.upper() if character.isupper() else base
