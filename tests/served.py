"""Settings of the server behind the browser tests: the real ones, but for a password hash that costs no time."""

from schnauz_turnier.settings import *

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
