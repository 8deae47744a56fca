"""What several benchmarks share.

tournament.py   the document of an evening, of any number of players
program.py      the program in processes of its own: web server, PostgreSQL, management commands; their time and memory
client.py       HTTP over raw sockets, so that the client does not limit: a single connection, and many at once
people.py       a scribe's phone and the organiser, over one connection each
scribes.py      many phones at once, which tap at fixed times
viewers.py      subscribers of an event stream, and when an event reaches them
statements.py   the statements that PostgreSQL executes, from its log
bare.py         the baselines over HTTP: an answer from memory, and a result in one transaction
bare_page.py    the baseline of a page: its statements, and its bytes by f-strings

All of it uses the program from outside: HTTP, the event stream, management commands, the document, PostgreSQL's log.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
