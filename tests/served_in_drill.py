"""Settings of the server in the drill: the real ones, except for the time between two backups."""

from datetime import timedelta

from schnauz_turnier.settings import *

BACKUP_PERIOD = timedelta(seconds=0.5)
