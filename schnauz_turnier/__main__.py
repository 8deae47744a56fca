"""Runs the command line: `python -m schnauz_turnier`, which is `make run`."""

from schnauz_turnier.start.command_line import main

main("python -m schnauz_turnier")
