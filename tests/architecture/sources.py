"""Sources of the project, for the checks of this folder.

A check takes the root folder and returns its violations as lines to read, so that a test can show it a folder with a mistake.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("schnauz_turnier", "scoring", "tournaments")


@dataclass(frozen=True, slots=True)
class Module:
    path: Path
    text: str
    tree: ast.Module

    def at(self, line: int) -> str:
        return f"{self.path.as_posix()}:{line}"

    def imports(self) -> Iterator[tuple[int, str]]:
        """Yield line and full name of everything imported: `from a import b` is a.b."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                near = self.path.with_suffix("").parts[: -node.level] if node.level else ()
                source = ".".join([*near, *([node.module] if node.module else [])])
                yield from ((node.lineno, f"{source}.{alias.name}") for alias in node.names)

    def strings(self) -> Iterator[tuple[int, str]]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.lineno, node.value


def modules(root: Path, *folders: str) -> Iterator[Module]:
    """Yield the modules of some folders, or of all packages; migrations are left out."""
    for folder in folders or PACKAGES:
        for path in sorted((root / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                text = path.read_text(encoding="utf-8")
                yield Module(path.relative_to(root), text, ast.parse(text))


def templates(root: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of each template."""
    for path in sorted((root / "templates").rglob("*.html")):
        yield path.relative_to(root / "templates").as_posix(), path.read_text(encoding="utf-8")


def is_below(name: str, *packages: str) -> bool:
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


def plant(root: Path, path: str, text: str) -> Path:
    """Write a file with a mistake below a temporary root, at its end if it exists. Return the root."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as opened:
        opened.write(text)
    return root
