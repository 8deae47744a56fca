"""Reads of who plays where: frozen rows, whose properties are the questions that a page asks."""
