"""Settings of the server for tests/security: as for the browser tests, but with limits that are reached soon."""

from tests.served import *

HEADER_SECONDS = BODY_SECONDS = 2
CONNECTIONS_PER_ADDRESS = 20
GUEST_SECONDS = 120  # a test holds all guests up
