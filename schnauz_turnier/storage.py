"""How static files are named: by what is in them, so that a browser may keep them for ever."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from servestatic.storage import CompressedManifestStaticFilesStorage

EVERY_SCRIPT, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Hashed and compressed; `import ... from "./other.js";` in our own ES modules (static/js/) is hashed as well.

    Django's switch for that reads every script, and stumbles over examples in comments of vendored ones.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("js/*.js", IMPORTS)
