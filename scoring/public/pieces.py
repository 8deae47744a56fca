"""HTML in pieces: fragments of the public pages, of which the stream sends only what has changed.

A *piece* is an element that can be replaced by itself; its attribute `data-piece` is its key. Pieces whose number and order
change, as rows and cards, stand in a *list*: the element with this name as `data-list`, which contains nothing else. All
other pieces have a fixed place. What surrounds lists and pieces is the *frame*. Marks separate the pieces of a fragment
while it is written. PostgreSQL stores no NUL, so no name contains one.
"""

from django.utils.safestring import SafeString

_MARK, _END_OF_NAME = "\0", "\1"


def marked_piece(key: str, html: str, in_list: str = "") -> str:
    """Return the element with its marks. in_list: the name of its list, "" for a piece with a fixed place."""
    return f"{_MARK}{in_list}{_END_OF_NAME}{key}{_END_OF_NAME}{html}{_MARK}"


class Fragment(SafeString):
    """HTML of a part, together with its pieces by key and the keys of its lists by name."""

    frame: tuple[str, ...]
    pieces: dict[str, str]
    lists: dict[str, list[str]]

    @classmethod
    def of(cls, marked: str) -> "Fragment":
        """Return the fragment of a text with marks. Elements of one key are equal."""
        texts = marked.split(_MARK)
        frame: list[str] = []
        pieces: dict[str, str] = {}
        lists: dict[str, list[str]] = {}
        for index in range(1, len(texts), 2):
            if before := texts[index - 1]:
                frame.append(before)
            in_list, key, html = texts[index].split(_END_OF_NAME, 2)
            texts[index] = pieces[key] = html
            if in_list in lists:
                lists[in_list].append(key)
            elif in_list:
                lists[in_list] = [key]
                frame.append(_MARK + in_list)
            else:
                frame.append(_END_OF_NAME + key)
        fragment = cls("".join(texts))
        fragment.frame, fragment.pieces, fragment.lists = (*frame, texts[-1]), pieces, lists
        return fragment
