"""Settings for the tests, and for tools that read the settings: the real ones, in an environment of their own."""

import os
from pathlib import Path

os.environ.setdefault("PUBLIC_URL", "http://localhost:8000")
os.environ.setdefault("SECRET_KEY", "only-for-tests-" * 5)
os.environ.setdefault("DATA_DIR", str(Path(__file__).parents[1] / ".pytest-data"))

from schnauz_turnier.settings import *
from schnauz_turnier.settings import DATABASES, STORAGES

BACKUP_DIR = None  # no page of a test has the state of real backups

# A pool would keep connections open, and the test database could not be dropped.
DATABASES["default"]["OPTIONS"].pop("pool", None)
# The tests run without collectstatic; the server for the browser tests uses the real storage.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
