"""A process that runs commands in copies of itself. Each copy is killed where it calls a given function.

It reads a line of JSON for each command, and answers with the code with which the copy ended.
"""

import json
import os
import signal
import sys
from importlib import import_module
from typing import Any

import django
from django.core.management import call_command


def run(module: str, name: str, command: list[str], statements: list[str]) -> None:
    """Run a command that dies in this function of a module. statements: those that make the tables of a club."""
    catalogue: Any = import_module("schnauz_turnier.clubs.catalogue")
    schemas: Any = import_module("schnauz_turnier.clubs.schemas")
    catalogue.KEPT = 0
    schemas._statements.extend(statements)
    setattr(import_module(module), name, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
    call_command(*command)


def main() -> None:
    django.setup()
    import_module("schnauz_turnier.clubs.changes")  # here, and not in each copy
    for line in sys.stdin:
        copy = os.fork()
        if copy == 0:
            try:
                run(*json.loads(line))
            finally:
                os._exit(0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
