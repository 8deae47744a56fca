"""Edition of the program: its version and its static files. A page of another edition is reloaded."""

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage


def edition() -> str:
    """Return the version and the hash of all static files, which differs also between two states of one version."""
    return f"{settings.VERSION}-{getattr(staticfiles_storage, 'manifest_hash', '')}"
