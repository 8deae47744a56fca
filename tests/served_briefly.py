"""Settings of a server that waits for its database for moments only, so that a test need not wait longer; hashes passwords fast."""

from schnauz_turnier.postgresql import database
from schnauz_turnier.settings import *
from schnauz_turnier.settings import DATABASES

database.PATIENCE_OF_A_REQUEST = 2.0
DATABASES["default"]["OPTIONS"]["pool"]["timeout"] = 2.0
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
