"""Settings of the server after an update: the real ones under another version."""

from schnauz_turnier.settings import *

VERSION = "99.1.2"
