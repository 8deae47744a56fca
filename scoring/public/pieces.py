"""HTML in pieces: fragments of the public pages, of which the stream sends only what has changed.

A *piece* is an element that can be replaced by itself; its attribute `data-piece` is its key. Pieces whose number and order
change, as rows and cards, stand in a *list*: the element with this name as `data-list`, which contains nothing else. All
other pieces have a fixed place. What surrounds lists and pieces is the *frame*. A piece may contain an *inner* piece, as a
row its rank, which changes more often than the rest of it.

While a fragment is written, marks separate its texts: NUL, which PostgreSQL does not store, so no name contains one.
"""

from django.utils.safestring import SafeString

_MARK = "\0"


def marked_piece(
    key: str, html: str, in_list: str = "", *, inner: tuple[str, str] = ("", ""), after: str = ""
) -> str:
    """Return the element with its marks. in_list: the name of its list, "" for a piece with a fixed place.

    inner: key and HTML of the piece that it contains, between `html` and `after`.
    """
    return "\0".join(("", in_list, key, html, *inner, after, ""))


class Fragment(SafeString):
    """HTML of a part, together with its pieces.

    pieces: by key, with the inner ones. bodies: by key, without what is within; compared to tell what has changed.
    outer: the keys of the pieces that contain others, by the key of these. lists: keys by name.
    """

    frame: tuple[str, ...]
    pieces: dict[str, str]
    bodies: dict[str, tuple[str, str]]
    outer: dict[str, str]
    lists: dict[str, list[str]]

    @classmethod
    def of(cls, marked: str) -> "Fragment":
        """Return the fragment of a text with marks. Elements of one key are equal."""
        first, *texts = marked.split(_MARK)
        frame, html = [first], [first]
        pieces: dict[str, str] = {}
        bodies: dict[str, tuple[str, str]] = {}
        outer: dict[str, str] = {}
        lists: dict[str, list[str]] = {}
        rest = iter(texts)
        for in_list, key, before, inner_key, inner, after, between in zip(*[rest] * 7, strict=True):
            text = pieces[key] = before + inner + after
            bodies[key] = (before, after)
            if inner_key:
                pieces[inner_key] = inner
                bodies[inner_key] = (inner, "")
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
            html += (text, between)
        fragment = cls("".join(html))
        fragment.frame, fragment.pieces, fragment.bodies = tuple(frame), pieces, bodies
        fragment.outer, fragment.lists = outer, lists
        return fragment
