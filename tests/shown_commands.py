"""Commands that a document shows: the lines of its fenced blocks, and what is set as code in its text."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
OWN = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"])
FENCE = r"^```\w*\n(.*?)^```"


def shown_commands(text: str) -> list[str]:
    """Return the commands of a text as they stand there but for the comments behind them, each once, in their order."""
    return list(dict.fromkeys(re.sub(r"\s+#.*", "", line) for line in _commands(text)))


def _commands(text: str) -> Iterator[str]:
    for block, words in re.findall(rf"{FENCE}|`([^`\n]+)`", text, re.MULTILINE | re.DOTALL):
        if words:
            yield from [words] if is_command(words) else []
        else:
            yield from filter(None, map(str.strip, block.splitlines()))


def is_command(words: str) -> bool:
    """Whether code in a sentence is a command: a program with words behind it, or ours alone. One word else is a name."""
    program, *rest = without_variables(words) or [""]
    return program in OWN or (bool(rest) and re.fullmatch(r"[.\w/-]*[a-z][.\w/-]*", program) is not None)


def without_variables(line: str) -> list[str]:
    """Return the words of a command without comment and redirection, from the program on."""
    words = shlex.split(line.partition(" > ")[0], comments=True)
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words = words[1:]
    return words
