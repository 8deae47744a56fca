"""How static files are named: by what is in them, so that a browser may keep them for ever."""

import re

from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.files.base import ContentFile, File
from servestatic.storage import CompressedManifestStaticFilesStorage

EVERY_SCRIPT, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]

_COMMENT = re.compile(rb"^[ \t]*/\*.*?\*/\n+", re.DOTALL | re.MULTILINE)
_INDENT = re.compile(rb"^[ \t]+", re.MULTILINE)


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Hashed and compressed; `import ... from "./other.js";` in our own ES modules (static/js/) is hashed as well.

    Django's switch for that reads every script, and stumbles over examples in comments of vendored ones. A phone in
    the hall loads our modules without the comments that stand on lines of their own, and without indents.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("js/*.js", IMPORTS)

    def _save(self, name: str, content: "File[bytes]") -> str:
        if name.startswith("js/") and name.endswith(".js"):
            whole = b"".join(content.chunks())
            content = ContentFile(_INDENT.sub(b"", _COMMENT.sub(b"", whole)))
        saved: str = super()._save(name, content)
        return saved
