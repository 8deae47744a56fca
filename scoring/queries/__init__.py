"""Reads of what happened and who leads: frozen rows, whose properties are the questions that a page asks."""
