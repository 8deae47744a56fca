"""Storage of static files under names with a content hash, so that browsers may cache them for ever."""

import re

from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.files.base import ContentFile, File
from servestatic.storage import CompressedManifestStaticFilesStorage

from tournaments.old_browsers import lowered

_EVERY_SCRIPT, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]

_COMMENT = re.compile(rb"^[ \t]*(?:/\*.*?\*/|//[^\n]*)\n+", re.DOTALL | re.MULTILINE)
_TRAILING = re.compile(rb"(?<=[;{},)\]]) +(?://[^\n\"'`]*|/\*[^\n]*\*/)$", re.MULTILINE)
_COMPONENT = re.compile(r'@import (?:url\()?"(components/[\w.-]+\.css)"\)?;')
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


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A storage that hashes and compresses files, and hashes the imports of our own ES modules (static/js/) too.

    An import must be written as `import ... from "./other.js";`. Django's own option applies to every script and fails on
    examples in the comments of vendored scripts. To save bytes, our modules are stored without indents, most spaces and comments,
    but for those in the middle of a line, and our styles as small as they can be and as old browsers read them. components.css is stored with its imports
    inlined, to save requests.
    """

    support_js_module_import_aggregation = True
    max_post_process_passes = 20  # a module needs one pass more than the modules it imports
    _js_module_import_aggregation_patterns = ("js/*.js", IMPORTS)

    def _save(self, name: str, content: "File[bytes]") -> str:
        if re.match(r"js/.*\.js$", name):
            whole = _COMMENT.sub(b"", b"".join(content.chunks()))
            content = ContentFile(
                _SPACES.sub(rb"\1\2", _INDENT.sub(b"", _SEPARATOR.sub(b"", _TRAILING.sub(b"", whole))))
            )
        elif re.match(r"css/.*\.css$", name):
            style = b"".join(content.chunks()).decode()
            if re.fullmatch(r"css/components(\.\w+)?\.css", name):
                style = _COMPONENT.sub(self._component, style)
            is_part = name.startswith("css/components/")  # of the whole, as which it is lowered
            content = ContentFile((style if is_part else lowered(style, name)).encode())
        saved: str = super()._save(name, content)
        return saved

    def _component(self, part: re.Match[str]) -> str:
        """Return the imported component, or the import itself if the component is not stored yet."""
        name = f"css/{part[1]}"
        if not self.exists(name):
            return part[0]
        with self.open(name) as stored:
            content: str = stored.read().decode()
        return content
