"""Preloading of the files that the program would otherwise read on first use.

An update replaces the program's files while the old server still runs. Without preloading, the old code would use
templates, texts, rule sheets and names of static files of the new program.
"""

from pathlib import Path

from django.conf import settings
from django.contrib.auth.hashers import get_hashers
from django.contrib.auth.password_validation import get_default_password_validators
from django.template import Engine
from django.utils.formats import get_format_modules
from django.utils.translation import gettext, override

from schnauz_turnier.clubs.texts import read_texts
from scoring.public.check_file import file_context
from tournaments.edition import edition
from tournaments.queries.database_version import known_migrations
from tournaments.rulesets.loader import PRESETS, preset


def preload() -> None:
    """Read templates, texts, rule sheets, names of static files and migrations, the operator's texts, and import what Django imports late."""
    _preload_templates(Engine.get_default())
    for language, _name in settings.LANGUAGES:
        with override(language):
            gettext("Tischliste")
        get_format_modules(language)
    for name in PRESETS:
        preset(name)
    file_context()
    edition()
    read_texts()
    known_migrations()
    get_hashers()
    get_default_password_validators()


def _preload_templates(engine: Engine) -> None:
    """Read all templates. Each is still compiled on first use: compiling all would add half a second to every start."""
    sources = {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8")
        for folder in map(Path, reversed(engine.dirs))
        for file in folder.rglob("*")
        if file.is_file()
    }
    loaders = [
        ("django.template.loaders.locmem.Loader", sources),
        "django.template.loaders.app_directories.Loader",
    ]
    engine.template_loaders = engine.get_template_loaders(
        [("django.template.loaders.cached.Loader", loaders)]
    )
