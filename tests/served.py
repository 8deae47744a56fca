"""Settings of the server behind the browser tests: the real ones, but for a password hash that costs no time.

It also answers as turnier.lan: plain http on a name of the hall's network, where browsers withhold what is "secure".
"""

from schnauz_turnier.settings import *
from schnauz_turnier.settings import ALLOWED_HOSTS

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS += ["turnier.lan"]
