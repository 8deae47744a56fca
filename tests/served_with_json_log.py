"""Settings of the server for the tests of the JSON log: as under attack, but with a line for each request."""

from typing import Any

from tests.served_under_attack import *
from tests.served_under_attack import LOGGING

root: Any = LOGGING["root"]
root["level"] = "INFO"
