"""People of the club: search, one person, doubles, consents, erasure."""
