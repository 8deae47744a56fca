"""Reading, before a server answers, of all files of the program that are otherwise read when they are first needed.

An update replaces the program's files while the old server still runs. Without this, the old code would use templates,
texts, rule sheets and names of static files of the new program.
"""

from django.conf import settings
from django.contrib.auth.hashers import get_hashers
from django.contrib.auth.password_validation import get_default_password_validators
from django.template import engines
from django.utils.translation import gettext, override

from schnauz_turnier.web.template_sources import read_ahead
from scoring.public.check_file import file_context
from tournaments.edition import edition
from tournaments.queries.database_version import known_migrations
from tournaments.rulesets.loader import PRESETS, preset


def preload() -> None:
    """Read templates, texts, rule sheets, names of static files and migrations, and import what Django imports late."""
    for engine in engines.all():
        read_ahead(engine.dirs)
    for language, _name in settings.LANGUAGES:
        with override(language):
            gettext("Tischliste")
    for name in PRESETS:
        preset(name)
    file_context()
    edition()
    known_migrations()
    get_hashers()
    get_default_password_validators()
