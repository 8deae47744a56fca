"""A database engine for Django: PostgreSQL with a server that the program starts itself."""
