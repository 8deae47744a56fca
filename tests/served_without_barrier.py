"""Settings of a server that takes for granted that a standby has what is heard: the control for tests/faults/test_standby_readers.py."""

from schnauz_turnier.settings import *
from schnauz_turnier.standby import replay
from tournaments import standby

standby.LIMIT = replay.GIVEN_UP = 600.0
replay._POSITION = "SELECT 0"
