"""Portability: what differs between operating systems stands in three modules, and the encoding of a text is always named."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import ROOT, Module, modules, plant

LOCKS, POSIX, WINDOWS = (
    "tournaments/file_locks.py",
    "schnauz_turnier/systems/posix.py",
    "schnauz_turnier/systems/windows.py",
)
ONLY_IN = {
    "fcntl": {LOCKS},
    "grp": {POSIX},
    "msvcrt": {LOCKS, WINDOWS},
    "pwd": {POSIX},
    "resource": {POSIX},
    "termios": {POSIX},
    "winreg": {WINDOWS},
    "_winapi": {WINDOWS},
}
POSIX_NAMES = {
    *("SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1", "SIGUSR2", "add_signal_handler", "alarm", "setitimer"),
    *(
        "O_DIRECTORY",
        "O_NOFOLLOW",
        "chown",
        "fchmod",
        "fork",
        "getegid",
        "geteuid",
        "getgid",
        "getuid",
        "killpg",
    ),
    *("mkfifo", "setsid", "statvfs", "tzset", "pass_fds", "preexec_fn", "start_new_session"),
    *("SO_REUSEADDR", "SO_REUSEPORT"),
}
POSIX_PATHS = ("/dev/", "/proc/")
OPENS_TEXT = {"open", "read_text", "write_text", "fdopen", "NamedTemporaryFile", "TextIOWrapper"}


NO_TEXTS = (
    "Image.open",
    "_opener().open",
    "archive.open",
    "os.open",
    "webbrowser.open",
    "parts.open",
    "self.open",
    "subscriber.open",
)
MODE = re.compile("[abrwx+]{1,3}")


def in_the_wrong_module(root: Path) -> Iterator[str]:
    for module in modules(root):
        path = module.path.as_posix()
        for line, name in module.imports():
            if path not in ONLY_IN.get(name.split(".")[0], {path}):
                yield f"{module.at(line)} imports {name}"
        if path in (POSIX, WINDOWS):
            continue
        for line, name in names(module):
            if name in POSIX_NAMES:
                yield f"{module.at(line)} {name}"
        for line, text in module.strings():
            if text.startswith(POSIX_PATHS):
                yield f"{module.at(line)} {text}"


def names(module: Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.value.lineno, node.arg


def test_what_differs_between_operating_systems_stands_in_three_modules() -> None:
    assert list(in_the_wrong_module(ROOT)) == []


def test_what_stands_elsewhere_is_found(tmp_path: Path) -> None:
    plant(tmp_path, POSIX, "import pwd, resource\nos.geteuid()\n")
    plant(tmp_path, LOCKS, "import fcntl\n")
    text = "import fcntl\nfrom pwd import getpwall\nos.kill(1, signal.SIGKILL)\nPopen([], preexec_fn=print)\nopen('/dev/stdin')\n"
    plant(tmp_path, "scoring/wrong.py", text)
    assert sorted(in_the_wrong_module(tmp_path)) == [
        "scoring/wrong.py:1 imports fcntl",
        "scoring/wrong.py:2 imports pwd.getpwall",
        "scoring/wrong.py:3 SIGKILL",
        "scoring/wrong.py:4 preexec_fn",
        "scoring/wrong.py:5 /dev/stdin",
    ]


def without_encoding(root: Path) -> Iterator[str]:
    for module in modules(root):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and opens_text(node):
                yield f"{module.at(node.lineno)} {ast.unparse(node.func)}"


def opens_text(call: ast.Call) -> bool:
    """Whether a call opens a file as text, and leaves its encoding to the operating system."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    words = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    is_binary = any(
        isinstance(word, ast.Constant) and MODE.fullmatch(str(word.value)) and "b" in str(word.value)
        for word in words
    )
    if name == "NamedTemporaryFile" and not words:
        is_binary = True  # as it is where nothing is said
    is_said = any(keyword.arg == "encoding" for keyword in call.keywords)
    if ast.unparse(function) in NO_TEXTS:
        return False
    return name in OPENS_TEXT and not is_binary and not is_said


def test_the_encoding_of_a_text_is_named() -> None:
    """On Windows it would be that of the country."""
    assert list(without_encoding(ROOT)) == []


def test_texts_without_an_encoding_are_found(tmp_path: Path) -> None:
    right = "a.open('rb')\nb.read_text(encoding='utf-8')\nopen(c, mode='wb')\nNamedTemporaryFile()\n"
    plant(tmp_path, "scoring/right.py", right)
    plant(
        tmp_path, "scoring/wrong.py", "a.open()\nb.read_text()\nos.fdopen(c, 'w')\nNamedTemporaryFile('w')\n"
    )
    assert list(without_encoding(tmp_path)) == [
        "scoring/wrong.py:1 a.open",
        "scoring/wrong.py:2 b.read_text",
        "scoring/wrong.py:3 os.fdopen",
        "scoring/wrong.py:4 NamedTemporaryFile",
    ]
