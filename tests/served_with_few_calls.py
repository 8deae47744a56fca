"""Settings of a server that waits for its database for moments only, and has few calls of phones under way."""

from tests.served_briefly import *

PHONE_CALLS = 10
