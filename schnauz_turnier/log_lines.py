"""Lines of the log. Each names the request that caused it, if there is one."""

import logging

import psycopg
from django.db import OperationalError

from schnauz_turnier.current_request import current_request

EXPECTED = (OSError, OperationalError, psycopg.OperationalError)
"""Errors of the surroundings, not of the program: no room on the disk, a stick pulled out, the database gone."""


def _of_request() -> str:
    request = current_request()
    return f" [{request.id}]" if request else ""


class LineFormatter(logging.Formatter):
    """A formatter that adds an expected error to the line in a few words. Of any other one it writes the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        record.__dict__["of_request"] = _of_request()
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, EXPECTED):
            return super().format(record)
        reason = " ".join(str(error).split()) or type(error).__name__
        message = f"{record.getMessage().strip()} {reason}"
        without = {"exc_info": None, "exc_text": None, "args": None}
        return super().format(logging.makeLogRecord({**record.__dict__, **without, "msg": message}))
