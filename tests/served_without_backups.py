"""Settings of a server that leaves the backups to other processes."""

from schnauz_turnier.settings import *

BACKUP_DIR = None
