"""Private API: what Django does not document is used in five files, so a new version is tried out in five places.

Names that stand in Django's reference are public, also where a module around them is not: the loaders of templates, the backend of
sessions in the database, `Model._meta`, `Model._default_manager` and, of Python, `os._exit`.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, Module, is_below, modules, plant

PRIVATE = (
    "django.apps.registry",
    "django.conf.global_settings",
    "django.contrib.sessions.backends.base",
    "django.contrib.staticfiles.storage.HashedFilesMixin",
    "django.core.handlers",
    "django.db.backends",
    "django.db.migrations.autodetector",
    "django.db.migrations.executor",
    "django.db.migrations.graph",
    "django.db.migrations.loader",
    "django.db.migrations.recorder",
    "django.db.migrations.state",
    "django.db.models.sql",
    "django.template.defaulttags",
    "django.urls.resolvers",
    "django.utils._os",
    "django.utils.log",
    "django.utils.translation.trans_real",
)
FILES = {
    "schnauz_turnier/postgresql/base.py",
    "schnauz_turnier/postgresql/schema_editor.py",
    "schnauz_turnier/web/django_threads.py",
    "schnauz_turnier/web/static_files.py",
    "tournaments/queries/database_version.py",
}
DOCUMENTED = {"_meta", "_default_manager", "_exit"}
OF_NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}
OURS = {"self", "cls"}


def uses_of_private_api(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the file of each use of private API, and the use itself."""
    for module in modules(root):
        for line, name in [*module.imports(), *private_attributes(module)]:
            if is_below(name, *PRIVATE) or name.startswith("_"):
                yield module.path.as_posix(), f"{module.at(line)} {name}"


def private_attributes(module: Module) -> Iterator[tuple[int, str]]:
    """Yield line and name of each underscore attribute of an object that the module has not defined itself.

    An attribute is the module's own if the module assigns it, or defines a function or class of this name.
    """
    own = {
        node.attr
        if isinstance(node, ast.Attribute)
        else getattr(node, "id", None) or getattr(node, "name", "")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        or (isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store))
    }
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.endswith("__"):
            is_known = node.attr in own | DOCUMENTED | OF_NAMED_TUPLES
            if not is_known and getattr(node.value, "id", "") not in OURS:
                yield node.lineno, node.attr


def test_undocumented_api_of_django_is_used_in_five_files() -> None:
    assert [use for file, use in uses_of_private_api(ROOT) if file not in FILES] == []


def test_each_of_these_files_uses_some() -> None:
    assert {file for file, _use in uses_of_private_api(ROOT)} == FILES


@pytest.mark.parametrize(
    "mistake",
    [
        "from django.core.handlers.asgi import ASGIHandler",
        "from django.db.backends.utils import CursorWrapper",
        "import django.db.migrations.loader",
        "from django.contrib.staticfiles.storage import HashedFilesMixin",
        "from django.contrib.staticfiles.storage import StaticFilesStorage\nStaticFilesStorage._url",
    ],
)
def test_another_use_is_found(tmp_path: Path, mistake: str) -> None:
    uses = list(uses_of_private_api(plant(tmp_path, "scoring/services/mistake.py", f"{mistake}\n")))

    assert [file for file, _use in uses] == ["scoring/services/mistake.py"]


def test_documented_names_with_an_underscore_are_none(tmp_path: Path) -> None:
    mistake = "from scoring.models import Sheet\nSheet._meta.db_table\nSheet._default_manager.all()\n"

    assert list(uses_of_private_api(plant(tmp_path, "scoring/services/fine.py", mistake))) == []
