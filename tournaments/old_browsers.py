"""Our styles, made out of means that browsers since 2018 understand.

The scripts' part is static/js/old_browsers.js. Which browsers: docs/browsers.md.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from zlib import crc32

from lightningcss import process_stylesheet

BROWSERS = ["chrome 68", "safari 13.1", "ios_saf 13.4", "firefox 102"]

# What a selector of a layer is heavier by: two classes, then ids. No rule of reset or base has an id or two classes.
_LAYERS = {
    "reset": "",
    "tokens": "",
    "base": ":not(._):not(._)",
    "components": ":not(#_)",
    "pages": ":not(#_):not(#_)",
}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PART = re.compile(r'"(?:[^"\\]|\\.)*"|url\([^)"]*\)|[{};]')
_GROUP = re.compile(r"@(?:media|supports|layer|container)\b")

# `:is()` in a negation would become a list of which all must be false, and `:where()` has no weight.
_NO_OTHER_FORM = re.compile(r":not\((?:[^()]|\([^()]*\)|\()*:is\(|:where\(")

# A browser that does not know one of these drops the whole rule, so that such selectors stand alone.
_NEW = re.compile(r":has\(|:focus-visible|::(?:details-content|marker|file-selector-button)|:not\([^()]* ")
# Written with a property of ours, as lightningcss would make another condition of the real one. Without gaps between
# flexible boxes, and without grids in buttons, are Chrome < 84 and Safari < 14.1, which know neither of the two.
_NO_GAP, _NO_GAP_WRITTEN = "not (--gap:0)", "not ((appearance:none) or (inset:0))"
_NO_FOCUS_VISIBLE = (
    "not (accent-color:auto)"  # the first with both: Safari 15.4; Chrome 86 has one, 93 the other
)
_VARIABLE_FONTS = "(font-optical-sizing:auto)"  # before Chrome 79 the letters of ours lie over each other
_NO_CONTAINERS = "not (container-type:inline-size)"
_PADDING_OF_PAGE = 2  # rem: how much narrower than the window a container with a name is, about
_INSTEAD = {
    ("overflow", "clip"): ("overflow", "hidden"),
    ("overflow-wrap", "anywhere"): ("word-break", "break-word"),
    ("justify-content", "safe center"): ("justify-content", "flex-start"),
}

# All fields that one types in, as heavy as the `:not()` they stand for.
_UNTYPED = ':not([type="checkbox"], [type="radio"], [type="hidden"], [type="file"])'
_TYPES = ["text", "search", "number", "email", "password", "tel", "url", "date", "time", "datetime-local"]
_TYPED = ":is(:not([type]), " + ", ".join(f'[type="{kind}"]' for kind in _TYPES) + ")"

_BETWEEN = re.compile(r"\b(?:clamp|max)\(([^(),]+),(?:[^()]|\([^()]*\))*\)")  # not before Chrome 79

_SIDES = {"inline": ("left", "right"), "block": ("top", "bottom")}
_PHYSICAL = {
    f"{before}{axis}-size": before + size
    for before in ("", "min-", "max-")
    for axis, size in (("inline", "width"), ("block", "height"))
}
_PHYSICAL |= {
    f"border-{block}-{inline}-radius": f"border-{top}-{left}-radius"
    for block, top in (("start", "top"), ("end", "bottom"))
    for inline, left in (("start", "left"), ("end", "right"))
}
_LOGICAL = re.compile(
    r"(margin|padding|border|scroll-margin|scroll-padding|inset)-(inline|block)(?:-(start|end))?(?:-(width|style|color))?"
)


@dataclass
class _Rule:
    """A rule: what stands before its brace, and in it rules or declarations. Any other rule is a text."""

    prelude: str
    children: "list[_Rule] | None" = None
    body: list[tuple[str, str]] = field(default_factory=list)
    text: str = ""

    def __str__(self) -> str:
        inside = [*map(str, self.children or []), *(f"{key}:{value};" for key, value in self.body)]
        return self.text or f"{self.prelude}{{{''.join(inside)}}}"


def lowered(css: str, name: str = "") -> str:
    """Return a style sheet for the BROWSERS, minified.

    Layers become weight. Logical properties become physical ones (all our languages are written from left to right), lists in
    `:is()` and `:not()` become lists of selectors, and what has no other form gets a fallback that newer browsers do not read.
    Raises ValueError for a rule in none of our layers, `:is()` in `:not()`, `:where()`, and `not` about a container.
    """
    boxes = _Boxes()
    rules = [part for rule in _parsed(_COMMENT.sub("", css)) for part in _lowered(rule, None, boxes)]
    whole = "".join(map(str, [*boxes.fallbacks(), *rules]))
    return process_stylesheet(whole, filename=name, browsers_list=BROWSERS).replace(_NO_GAP, _NO_GAP_WRITTEN)


def _supports(condition: str, *rules: _Rule) -> _Rule:
    return _Rule(f"@supports {condition}", list(rules))


def _lowered(rule: _Rule, weight: str | None, boxes: "_Boxes") -> Iterator[_Rule]:
    """Yield what a rule becomes; its selectors get this weight, which is None outside our layers."""
    kind, _, rest = rule.prelude.partition(" ")
    if rule.text:
        if kind == "@font-face":
            yield _supports(_VARIABLE_FONTS, rule)
        elif kind != "@layer":
            yield rule
    elif kind == "@layer":
        for child in rule.children or []:
            yield from _lowered(child, _LAYERS.get(rest), boxes)
    elif rule.children is not None:
        with boxes.inside(_media(rule.prelude)):
            inside = [part for child in rule.children for part in _lowered(child, weight, boxes)]
        yield _Rule(rule.prelude, inside)
        if kind == "@container":
            yield _supports(_NO_CONTAINERS, _Rule(_media(rule.prelude), inside))
    elif weight is None:
        raise ValueError(f"{rule.prelude} is in no layer")
    else:
        yield from _lowered_style(rule, weight, boxes)


def _media(prelude: str) -> str:
    """Return the question about the window that comes close to the one about a container."""
    kind, _, question = prelude.partition(" ")
    if kind != "@container":
        return prelude
    if re.match(r"(?:\w+ )?not\b", question):
        raise ValueError(f"{prelude} is no question about a window")
    named = re.match(r"\w+ ", question)
    more = _PADDING_OF_PAGE if named else 0
    widths = re.sub(r"([\d.]+)(r?em)", lambda width: f"{float(width[1]) + more:g}{width[2]}", question)
    return f"@media {widths[named.end() if named else 0 :]}"


def _lowered_style(rule: _Rule, weight: str, boxes: "_Boxes") -> Iterator[_Rule]:
    body = [declaration for key, value in rule.body for declaration in _physical(key, value)]
    if _NO_OTHER_FORM.search(rule.prelude):
        raise ValueError(f"{rule.prelude} has no other form")
    written = [plain for selector in _split(rule.prelude, ",") for plain in _expanded(selector)]
    selectors = [_heavier(selector, weight) for selector in written]
    boxes.look_at(selectors, dict(body))
    old = [selector for selector in selectors if not _NEW.search(selector)]
    new = [selector for selector in selectors if _NEW.search(selector)]
    for prelude in [",".join(old), *new]:
        if prelude:
            yield _Rule(prelude, body=body)
    for selector in new:
        yield from _without_has(selector, body)
    for key, value in body:
        if instead := _INSTEAD.get((key, value)):
            yield _supports(f"not ({key}:{value})", _Rule(",".join(selectors), body=[instead]))
    focused = [selector.replace(":focus-visible", ":focus") for selector in new]
    focused = [selector for selector in focused if not _NEW.search(selector)]
    if focused:
        yield _supports(_NO_FOCUS_VISIBLE, _Rule(",".join(focused), body=body))


def _without_has(selector: str, body: list[tuple[str, str]]) -> Iterator[_Rule]:
    """Yield the rule with an attribute in place of each `:has()`, which static/js/has.js sets."""
    inside = []
    while call := _call(selector, "has"):
        start, arguments, end = call
        inside.append(selector[arguments:end].replace(":focus-visible", ":focus"))
        before, after, state = selector[:start], selector[end + 1 :], "yes"
        if before.endswith(":not("):
            before, after, state = before.removesuffix(":not("), after[1:], "no"
        selector = f"{before}[data-has-{crc32(inside[-1].encode()):x}={state}]{after}"
    if inside and not _NEW.search(selector):
        yield _Rule(selector, body=[*body, ("--has", " ".join(map(json.dumps, inside)))])


# Declarations


def _physical(key: str, value: str) -> Iterator[tuple[str, str]]:
    """Yield a declaration in terms of left, right, top and bottom."""
    logical = _LOGICAL.fullmatch(key)
    important = " !important" if value.endswith("!important") else ""
    value = value.removesuffix("!important").strip()
    simpler = _BETWEEN.sub(r"\1", value.replace("cqi", "vw"))
    if simpler != value and not key.startswith("--"):
        yield from _physical(key, simpler + important)
    if key == "inset":
        for side, of_side in zip(("top", "right", "bottom", "left"), _four(value), strict=True):
            yield side, of_side + important
    elif logical is None:
        yield _PHYSICAL.get(key, key), value + important
    else:
        property_, axis, end, part = logical.groups("")
        is_whole = end or (property_ == "border" and not part)  # its parts are no two sides
        values = [value] * 2 if is_whole else (_split(value, " ") * 2)[:2]
        for side, of_side in zip(_SIDES[axis], values, strict=True):
            if not end or side == _SIDES[axis][end == "end"]:
                name = side if property_ == "inset" else f"{property_}-{side}"
                yield (f"{name}-{part}" if part else name), of_side + important


def _four(value: str) -> list[str]:
    """Return the values for top, right, bottom and left."""
    top, right, bottom, left = (_split(value, " ") + [""] * 3)[:4]
    return [top, right or top, bottom or top, left or right or top]


class _Boxes:
    """The flexible boxes of a style sheet, with margins in place of their gaps."""

    def __init__(self) -> None:
        self._said: dict[str, dict[str, str]] = {}
        self._groups: tuple[str, ...] = ()
        self._rules: list[_Rule] = []

    @contextmanager
    def inside(self, group: str) -> Iterator[None]:
        """Note that what follows holds in a group of rules such as a media query, and in those around it."""
        before, self._groups = self._groups, (*self._groups, group)
        yield
        self._groups = before

    def look_at(self, selectors: list[str], body: dict[str, str]) -> None:
        """Note what a rule says about its boxes."""
        if not body.keys() & {"display", "gap", "row-gap", "flex-direction", "flex-flow", "flex-wrap"}:
            return
        for selector in selectors:
            said = self._said.setdefault(selector, {})
            before = _margins(selector, said)
            said.update(body)
            after = _margins(selector, said)
            if after != before and "::" not in selector:
                self._add([_Rule(f"{selector}>*", body=[("margin", "0")])] if before else [])
                self._add(after)

    def fallbacks(self) -> list[_Rule]:
        """Return what stands first in the style sheet, so that margins that it says itself are stronger."""
        return [_supports(_NO_GAP, *self._rules)] if self._rules else []

    def _add(self, rules: list[_Rule]) -> None:
        if rules:
            for group in reversed(self._groups):
                rules = [_Rule(group, rules)]
            self._rules += rules


def _margins(box: str, says: dict[str, str]) -> list[_Rule]:
    """Return margins of what lies in a flexible box, as wide as its gap; none where it has no gap, or is no such box."""
    gap = _split(says.get("gap", says.get("row-gap", "")), " ")
    if "flex" not in says.get("display", "") or not gap[0]:
        return []
    flow = " ".join(says.get(key, "") for key in ("flex-direction", "flex-flow", "flex-wrap"))
    row, column = gap[0], gap[-1] if "gap" in says else "0"
    if "column" in flow:
        return [_Rule(f"{box}>*+*", body=[("margin-top", row)])]
    if re.search(r"\bwrap", flow):
        return [_Rule(f"{box}>*", body=[("margin", f"calc({row}/2) calc({column}/2)")])]
    before_text = f"{box}::before,{box}>.icon:only-child"  # a sign before mere text
    return [
        _Rule(f"{box}>*+*", body=[("margin-left", column)]),
        _Rule(before_text, body=[("margin-right", column)]),
    ]


# Reading


def _parsed(css: str) -> list[_Rule]:
    rules, _ = _parsed_from(css, 0)
    return rules


def _parsed_from(css: str, start: int) -> tuple[list[_Rule], int]:
    """Return the rules up to the brace that closes them, and the place behind it."""
    rules: list[_Rule] = []
    at = start
    while part := _PART.search(css, at):
        at = part.end()
        prelude = css[start : part.start()].strip()
        if part[0] == ";":
            rules.append(_Rule(prelude, text=f"{prelude};"))
        elif part[0] == "}":
            return rules, at
        elif part[0] == "{":
            rule, at = _parsed_rule(prelude, css, at)
            rules.append(rule)
        else:
            continue
        start = at
    return rules, at


def _parsed_rule(prelude: str, css: str, at: int) -> tuple[_Rule, int]:
    if _GROUP.match(prelude):
        children, end = _parsed_from(css, at)
        return _Rule(prelude, children), end
    end, depth = at, 1
    while depth:
        part = _PART.search(css, end)
        if part is None:
            raise ValueError(f"{prelude} is not closed")
        end = part.end()
        depth += {"{": 1, "}": -1}.get(part[0], 0)
    text = css[at : end - 1]
    if prelude.startswith("@"):
        return _Rule(prelude, text=f"{prelude}{{{text}}}"), end
    declarations = [line.partition(":") for line in _split(text, ";") if line]  # ours are not nested
    return _Rule(prelude, body=[(key.strip(), value.strip()) for key, _, value in declarations]), end


def _split(text: str, separator: str) -> list[str]:
    """Return the parts of a text between separators that stand in no brackets or quotes, without spaces around them."""
    parts, depth, quote = [""], 0, ""
    for sign in text:
        if quote or sign in "\"'":
            quote = "" if sign == quote else quote or sign
        depth += (sign in "([") - (sign in ")]") if not quote else 0
        if sign == separator and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


# Selectors


def _call(selector: str, names: str) -> tuple[int, int, int] | None:
    """Return where the first such function begins, its arguments begin, and they end."""
    beginning = re.search(rf":(?:{names})\(", selector)
    if beginning is None:
        return None
    depth, at = 1, beginning.end()
    while depth:
        depth += {"(": 1, ")": -1}.get(selector[at], 0)
        at += 1
    return beginning.start(), beginning.end(), at - 1


def _classes(selector: str) -> int:
    """Return how many classes, attributes and states a selector names: the middle one of the numbers of its weight."""
    count = 0
    while call := _call(selector, "is|not|has"):
        start, arguments, end = call
        count += max(_classes(choice) for choice in _split(selector[arguments:end], ","))
        selector = selector[:start] + selector[end + 1 :]
    return count + len(re.findall(r"\.[\w-]+|\[[^]]*\]|(?<!:):[\w-]+", re.sub(r"\([^()]*\)", "", selector)))


def _expanded(selector: str) -> list[str]:
    """Return the selectors that a selector with `:is()` stands for, none lighter than it is."""
    selector = selector.replace(_UNTYPED, _TYPED)
    call = _call(selector, "is")
    if call is None:
        return [_singly_negated(selector)]
    start, arguments, end = call
    choices = _split(selector[arguments:end], ",")
    most = max(map(_classes, choices))
    plain = []
    for choice in choices:
        lacking = ":not(._)" * (most - _classes(choice))
        plain += _expanded(selector[:start] + choice + lacking + selector[end + 1 :])
    return plain


def _singly_negated(selector: str) -> str:
    """Return the selector with each `:not()` of several as several."""
    call = _call(selector, "not")
    if call is None:
        return selector
    start, arguments, end = call
    several = "".join(f":not({_singly_negated(choice)})" for choice in _split(selector[arguments:end], ","))
    return selector[:start] + several + _singly_negated(selector[end + 1 :])


def _heavier(selector: str, by: str) -> str:
    """Return the selector with a weight, before its pseudo-element."""
    place = re.search(r"::[\w-]+(?:\([^)]*\))?$|:(?:before|after)$", selector)
    at = place.start() if place else len(selector)
    return selector[:at] + by + selector[at:]
