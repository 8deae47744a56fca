"""Database reads of sheets and standings. They return frozen rows, whose properties are what a page asks for."""
