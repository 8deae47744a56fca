"""Fault injection harness: a real server in its own process, phones that retry for ever, and kills of all processes.

house.py      the web server and its embedded PostgreSQL, which are killed and restarted
network.py    the network in between, which loses, truncates, repeats and delays messages
phones.py     phones that keep an entry until an answer names it
moments.py    the exact moments of the kills
evening.py    a run of all of these together
reckoning.py  the comparison of entries made, answered and stored
split_store.py   the control: a store that commits claim and effect separately, a fault that must be detected; split_server.py is its server

The program has no hooks for it. A lock on the table that a request writes last holds it before its commit. To hold it
between commit and answer, PostgreSQL is configured to wait, after the commit is on disk, for a standby that does not
exist.

Used by tests/faults/test_faults.py and, with more entries, by bench/faults.py. It does not need Django.
"""
