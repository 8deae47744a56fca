"""Public pages from a hot standby: its connections, what it has replayed, and which requests read from it."""
