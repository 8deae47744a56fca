"""Settings of the server for tests/security: as for the browser tests, but with limits that are reached soon."""

from tests.served import *

HEADER_SECONDS = BODY_SECONDS = 5  # tests send both parts of a request in that time, also on a busy machine
CONNECTIONS_PER_ADDRESS = 20
GUEST_SECONDS = 120  # a test holds all guests up
