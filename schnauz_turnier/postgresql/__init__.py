"""Django's engine for PostgreSQL, for one club or for many."""
