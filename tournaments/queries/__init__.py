"""Database reads. They return frozen rows, whose properties are what a page asks for."""
