"""The tournament's part of a document: a table of fields for each model (`fields`), and checks beyond single fields."""
