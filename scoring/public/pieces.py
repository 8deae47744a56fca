"""HTML in pieces: fragments of the public pages, of which the stream sends only what has changed.

A *piece* is an element that can be replaced by itself; its attribute `data-piece` is its key. Pieces whose number and order
change, as rows and cards, stand in a *list*: the element with this name as `data-list`, which contains nothing else. All
other pieces have a fixed place. What surrounds lists and pieces is the *frame*. A piece may contain an *inner* piece, as a
row its rank, which changes more often than the rest of it.

Where `data-piece` is empty, as keys of many rows make a page long, the key is the id of the element, or for an inner piece
`inner_key` of the piece around it.

While a fragment is written, marks separate its texts: NUL, which PostgreSQL does not store, so no name contains one.
"""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from django.utils.safestring import SafeString

_MARK = "\0"


def inner_key(key: str) -> str:
    """Return the key of the inner piece of a piece."""
    return f"{key}+"


def marked_piece(
    key: str, html: str, in_list: str = "", *, inner: tuple[str, str] = ("", ""), after: str = ""
) -> str:
    """Return the element with its marks. in_list: the name of its list, "" for a piece with a fixed place.

    inner: key and HTML of the piece that it contains, between `html` and `after`.
    """
    return _MARK.join(("", in_list, key, html, *inner, after, ""))


class Fragment(SafeString):
    """HTML of a part, together with its pieces.

    bodies: by key, the HTML of a piece before and after its inner piece, and the key of that, if any. outer: the key of the
    piece around an inner piece. lists: the keys by name.
    """

    frame: tuple[str, ...]
    bodies: dict[str, tuple[str, str, str]]
    outer: dict[str, str]
    lists: dict[str, list[str]]

    @classmethod
    def of(cls, marked: str) -> "Fragment":
        """Return the fragment of a text with marks. Elements of one key are equal."""
        first, *texts = marked.split(_MARK)
        frame, html = [first], [first]
        bodies: dict[str, tuple[str, str, str]] = {}
        outer: dict[str, str] = {}
        lists: dict[str, list[str]] = {}
        rest = iter(texts)
        for in_list, key, before, inner_key, inner, after, between in zip(*[rest] * 7, strict=True):
            bodies[key] = (before, inner_key, after)
            if inner_key:
                bodies[inner_key] = (inner, "", "")
                outer[inner_key] = key
            if in_list in lists:
                lists[in_list].append(key)
            elif in_list:
                lists[in_list] = [key]
                frame.append(_MARK + in_list)
            else:
                frame.append(_MARK + _MARK + key)
            if between:
                frame.append(between)
            html += (before, inner, after, between)
        fragment = cls("".join(html))
        fragment.frame, fragment.bodies, fragment.outer, fragment.lists = tuple(frame), bodies, outer, lists
        return fragment

    def piece(self, key: str) -> str:
        """Return the HTML of a piece, with its inner piece."""
        before, inner, after = self.bodies[key]
        return before + self.bodies[inner][0] + after if inner else before


def digest_of(parts: Mapping[str, Any]) -> str:
    """Return a digest of the parts of a page, the same in every process."""
    digest = blake2b(digest_size=6)
    for name, part in parts.items():
        digest.update(f"{name}:{part if isinstance(part, str) else json.dumps(part)}\n".encode())
    return digest.hexdigest()
