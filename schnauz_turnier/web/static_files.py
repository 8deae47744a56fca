"""Storage of static files under names with a content hash, so that browsers may cache them for ever."""

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.files.base import ContentFile, File
from servestatic.storage import CompressedManifestStaticFilesStorage

from tournaments.old_browsers import lowered

_EVERY_SCRIPT, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]

_COMMENT = re.compile(rb"^[ \t]*(?:/\*.*?\*/|//[^\n]*)\n+", re.DOTALL | re.MULTILINE)
_TRAILING = re.compile(rb"(?<=[;{},)\]]) +(?://[^\n\"'`]*|/\*[^\n]*\*/)$", re.MULTILINE)
_COMPONENT = re.compile(r'@import (?:url\()?"((?:components|rounds)/[\w.-]+\.css)"\)?;')
_IMPORT = re.compile(r'(?:^|(?<=;))import\{([^}]*)\}from "([^"]+)";', re.MULTILINE)
_SEPARATOR = re.compile(rb"(?<=\d)_(?=\d{3}\b)")  # 10_000, which Chrome 68 cannot read
_INDENT = re.compile(rb"^[ \t]+", re.MULTILINE)
_SPACES = re.compile(
    rb"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""  # what is kept: texts,
    rb"""|`(?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*`"""
    rb"""|//[^\n]*|/\*.*?\*/"""  # comments in the middle of a line,
    rb"""|(?:(?<=[(=,:[!&|?{};\n])|(?<=[(=,:[!&|?{};\n] ))/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^]\\]|\\.)*\])+/)"""  # patterns
    rb"""| *([{}()\[\],:?;]|=>|[!=]==|&&|\|\||\?\?|=)[ \n]*(?<![})\]]\n)""",
    re.DOTALL,
)

# Each pass stores every file, and most of them as the pass before.
_lowered = lru_cache(1000)(lowered)


@lru_cache(1000)
def _minified(script: bytes) -> bytes:
    whole = _TRAILING.sub(b"", _COMMENT.sub(b"", script))
    return _SPACES.sub(rb"\1\2", _INDENT.sub(b"", _SEPARATOR.sub(b"", whole)))


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A storage that hashes and compresses files, and hashes the imports of our own ES modules (static/js/) too.

    An import must be written as `import ... from "./other.js";`. Django's own option applies to every script and fails on
    examples in the comments of vendored scripts. To save bytes, our modules are stored without indents, most spaces and comments,
    but for those in the middle of a line, and our styles as small as they can be and as old browsers read them. components.css and rounds.css are stored with their imports
    inlined, to save requests, and so are the views of the sheet with their parts.
    """

    support_js_module_import_aggregation = True
    max_post_process_passes = 20  # a module needs one pass more than the modules it imports
    _js_module_import_aggregation_patterns = ("js/*.js", IMPORTS)

    def post_process(self, *args: Any, **options: Any) -> Iterator[Any]:
        """Forget at the end what has been minified, since the server collects the files itself and goes on."""
        yield from super().post_process(*args, **options)
        _minified.cache_clear()
        _lowered.cache_clear()

    def _save(self, name: str, content: "File[bytes]") -> str:
        if re.match(r"(js/|vendor/idb-).*\.js$", name):
            script = _minified(b"".join(content.chunks()))
            if re.fullmatch(r"js/sheet/\w*view(\.\w+)?\.js", name):
                script = self._with_parts(name, script.decode()).encode()
            content = ContentFile(script)
        elif re.match(r"css/.*\.css$", name):
            style = b"".join(content.chunks()).decode()
            style = _COMPONENT.sub(partial(self._component, posixpath.dirname(name)), style)
            is_part = re.search(r"/(components|rounds)/", name)  # of the whole, as which it is lowered
            content = ContentFile((style if is_part else _lowered(style, name)).encode())
        saved: str = super()._save(name, content)
        return saved

    def _component(self, folder: str, part: re.Match[str]) -> str:
        """Return the imported component, or the import itself if the component is not stored yet."""
        name = f"{folder}/{part[1]}"
        if not self.exists(name):
            return part[0]
        with self.open(name) as stored:
            content: str = stored.read().decode()
        return content

    def _with_parts(self, name: str, script: str) -> str:
        """Return a stored module with its parts and what they import; the module itself if a part is not stored yet.

        Parts are in the folder with its name, and imported by the module itself. A name at the top of one stands at the top of
        the whole: no other may have it.
        """
        folder = posixpath.dirname(name)
        part_folder = f"./{posixpath.basename(name).split('.')[0]}/"
        parts = [address for _, address in _IMPORT.findall(script) if address.startswith(part_folder)]
        if not all(self.exists(posixpath.join(folder, part)) for part in parts):
            return script
        imported: dict[str, dict[str, None]] = {}
        texts = []
        for text in [*(self._part(posixpath.join(folder, part), part_folder) for part in parts), script]:
            for names, address in _IMPORT.findall(text):
                if not address.startswith(part_folder):
                    imported.setdefault(address, {}).update(dict.fromkeys(names.split(",")))
            texts.append(_IMPORT.sub("", text))
        imports = [f'import{{{",".join(names)}}}from "{address}";' for address, names in imported.items()]
        return "".join(imports) + "\n".join(texts)

    def _part(self, name: str, folder: str) -> str:
        """Return a stored part as it reads in the folder above. That it exports what only the whole needs does no harm."""
        with self.open(name) as stored:
            text: str = stored.read().decode()
        text = re.sub(r'(from |import\()"\./', rf'\1"{folder}', text)
        return re.sub(r'(from |import\()"\.\./', r'\1"./', text)
