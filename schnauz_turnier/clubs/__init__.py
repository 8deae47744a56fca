"""Many clubs in one installation, each in a schema of PostgreSQL. Without CLUBS nothing here is in use."""
