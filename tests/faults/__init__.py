"""The fault harness: a real server in its own process, phones that never give up, and everything killed under them.

house.py      the web process and its embedded PostgreSQL, to be killed and started again
network.py    what lies between: loses, tears, repeats and delays what goes through it
phones.py     phones that keep an entry until an answer names it
moments.py    when something is killed, to the instant
evening.py    all of that at once
reckoning.py  what came of it: made, stored, answered
split_store.py   the control: a store that commits claim and effect separately, so that there is something to catch

The program has no hook for it. A request is held before its commit by a lock on the table that it writes last, and
between commit and answer by asking PostgreSQL to wait, once the commit is on disk, for a standby that does not exist.

Used by tests/faults/test_faults.py and, with more entries, by bench/faults.py. Needs no Django.
"""
