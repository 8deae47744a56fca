"""Settings of the server for the controls of tests/security: as under attack, but nothing is limited."""

from tests.served_under_attack import *

UNLIMITED = 10**9
HEADER_BYTES = BODY_BYTES = PHONE_BODY_BYTES = IMPORT_BODY_BYTES = UNLIMITED
HEADER_SECONDS = BODY_SECONDS = UNLIMITED
CONNECTIONS_PER_ADDRESS = LARGE_BODIES_PER_ADDRESS = MOST_ENTRIES_AT_ONCE = MOST_ENTRIES = UNLIMITED
