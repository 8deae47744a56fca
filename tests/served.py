"""Settings of the server for the browser tests: the real ones, but with a fast password hash.

The server also answers as turnier.lan: plain http on a name of the local network, which browsers do not treat as secure.
"""

from schnauz_turnier.settings import *
from schnauz_turnier.settings import ALLOWED_HOSTS

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS += ["turnier.lan"]
PHONE_ERRORS = PHONE_ERRORS_OF_AN_ADDRESS = 10_000  # all pages of the tests report from one address
