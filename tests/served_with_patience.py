"""Settings of a server that bears a standby far behind, so that a test has time to look at it."""

from schnauz_turnier.settings import *
from schnauz_turnier.standby import replay
from tournaments import standby

standby.LIMIT = replay.GIVEN_UP = 600.0
