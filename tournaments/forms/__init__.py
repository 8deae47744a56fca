"""What people type, made clean; every mistake is said at its field, in the words of `wording.py`."""
