"""A database engine for Django: PostgreSQL as ever, but the program brings the server along."""
