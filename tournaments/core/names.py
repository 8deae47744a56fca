"""Names and other single lines of text that people type or paste: cleaning, sorting, comparison.

Letters of every script are accepted. Markup and formulas are plain text here; output escapes them. Characters that
are invisible or distort other text are refused: control and format characters (direction marks, zero-width
characters), private use, halves of surrogate pairs.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from tournaments.core.refusal import Refusal

MOST_IN_A_NAME = 80

# Control, format, surrogate, private use, not a character: all invisible.
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
# Letters, marks and a symbol by category, but invisible: Hangul and Khmer fillers, empty Braille.
_UNSEEN_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_BETWEEN_DIGITS = str.maketrans("", "", " .,-–/")
_WORD = re.compile(r"[^\W\d_]+")
_SMALL_WORDS = frozenset(
    [
        "am",
        "auf",
        "d",
        "da",
        "de",
        "del",
        "der",
        "di",
        "dos",
        "im",
        "la",
        "van",
        "vom",
        "von",
        "zu",
        "zum",
        "zur",
    ]
)
_LINE_WHITESPACE = frozenset("\t\n\r")

# Letters that Unicode does not decompose into a base letter and a mark, in the alphabet of DIN 5007.
_BASE_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "\u0131": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
_SPELT_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def clean_name(text: str, *, most: int = MOST_IN_A_NAME) -> str:
    """Return the name in NFC, with single spaces and none at the ends.

    `most` counts characters after cleaning. Raises Refusal `name_empty`, `name_too_long` (most) and
    `name_bad_characters` (character, "U+202E").
    """
    return _clean(text, most=most, required=True, code="name")


def clean_person_name(text: str) -> str:
    """Return a player's name, cleaned as `clean_name` does. Refuses name_is_number: a number is never a name."""
    name = clean_name(text)
    if name.translate(_BETWEEN_DIGITS).isdecimal():
        raise Refusal("name_is_number")
    return name


def in_capitals(name: str) -> str:
    """Return a name that is typed in small letters with capitals: „Sepp von Huber-Maier“; "" for any other name."""
    if name != name.lower():
        return ""
    plain, remark = split_remark(name)
    written = _WORD.sub(
        lambda word: word[0] if word[0] in _SMALL_WORDS else word[0][0].upper() + word[0][1:], plain
    )
    return written + remark if written != plain else ""


def clean_text(text: str, *, most: int, required: bool = False) -> str:
    """Return a reason, note, club or place, cleaned like a name; "" is valid unless `required`.

    Raises Refusal `text_empty`, `text_too_long` (most) and `text_bad_characters` (character, "U+202E").
    """
    return _clean(text, most=most, required=required, code="text")


def sort_key(name: str) -> tuple[str, str]:
    """Return a key for the order of a German dictionary (DIN 5007-1): ä as a, ß as ss, capitals as small letters.

    The whole name counts, as typed. Names that differ only in marks or capitals have a fixed order.
    """
    return without_marks(name.casefold()), name


@lru_cache(maxsize=16384)
def same_name_key(name: str) -> str:
    """Return a key that different spellings of one name have in common.

    It ignores capitals, punctuation, spacing and the order of the words; ä, ö, ü, ß are ae, oe, ue, ss. Cached: each
    registration is compared with every player.
    """
    spelt = unicodedata.normalize("NFC", name.casefold()).translate(_SPELT_UMLAUTS)
    words = "".join(" " if unicodedata.category(c)[0] in "ZPC" else c for c in without_marks(spelt)).split()
    return " ".join(sorted(words)) or name.strip()


def namesakes(names: Iterable[str]) -> frozenset[str]:
    """Return the names that several have: those are told apart by their start numbers, wherever a person is looked for."""
    return frozenset(name for name, several in Counter(names).items() if several > 1)


def public_name(name: str, start_number: int, names: str) -> str:
    """Return a player's name as shown in public. names: "full", "short" ("Sepp H."), or "number" ("Nr. 7")."""
    if names == "number":
        return f"Nr. {start_number}"
    return _short(name) if names == "short" else name


def cut_name(name: str, most: int) -> str:
    """Truncate the name to `most` characters, keeping its beginning."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip(' -,.(')}…"


def _short(name: str) -> str:
    """Shorten „Sepp Huber“ and „Dr. Huber, Sepp“ to „Sepp H.“; a single word stays."""
    last, _comma, first = (split_remark(name)[0] or name).partition(",")
    words = f"{first} {last}".split() if first.strip() else last.split()
    without_titles = [word for word in words if not is_title(word)]
    if len(without_titles) > 1:
        words = without_titles
    surname = next((word for word in reversed(words[1:]) if word[0].isalpha()), "")
    return f"{words[0]} {surname[0]}." if surname else name


def split_remark(name: str) -> tuple[str, str]:
    """Return a name and the remark in brackets behind it, which is no part of it: „Sepp Huber“, „ (kommt später)“."""
    plain = name.partition("(")[0].rstrip()
    return plain, name[len(plain) :]


def is_initial(word: str) -> bool:
    return len(word) == 2 and word.endswith(".")


def is_title(word: str) -> bool:
    """Whether the word is abbreviated and longer than an initial: „Dr.“, „jun.“, „B.A.“."""
    return word.endswith(".") and len(word) > 2 and "-" not in word


def _clean(text: str, *, most: int, required: bool, code: str) -> str:
    for character in text:
        if _is_unseen(character):
            raise Refusal(f"{code}_bad_characters", character=f"U+{ord(character):04X}")
    spaced = " ".join(text.split())
    # Normalising takes quadratic time on thousands of marks. It makes at most four characters one.
    if len(spaced) > 4 * most:
        raise Refusal(f"{code}_too_long", most=most)
    cleaned = " ".join(unicodedata.normalize("NFC", spaced).split())
    is_blank = all(unicodedata.category(character)[0] in "MZ" for character in cleaned)
    if is_blank and (cleaned or required):
        raise Refusal(f"{code}_empty")
    if len(cleaned) > most:
        raise Refusal(f"{code}_too_long", most=most)
    return cleaned


def _is_unseen(character: str) -> bool:
    if character in _LINE_WHITESPACE:
        return False
    return character in _UNSEEN_LETTERS or unicodedata.category(character) in _UNSEEN_CATEGORIES


def without_marks(text: str) -> str:
    """Remove marks: é becomes e. Vowel signs that are letters in their own script stay (combining class 0)."""
    apart = unicodedata.normalize("NFKD", text.translate(_BASE_LETTERS))
    return "".join(character for character in apart if not unicodedata.combining(character))
