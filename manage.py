#!/usr/bin/env python3
import os
import sys

from django.core.management import execute_from_command_line

from schnauz_turnier.start.collector import start_and_end_sooner
from schnauz_turnier.start.command_errors import ends_with_a_sentence
from schnauz_turnier.start.console import show_what_can_be_shown

if __name__ == "__main__":
    start_and_end_sooner()
    show_what_can_be_shown()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")
    if sys.argv[1:] == [
        "doctor"
    ]:  # not by Django, which finds no command of ours with settings that it refuses
        from schnauz_turnier.doctor.report import main

        sys.exit(main())
    with ends_with_a_sentence():
        execute_from_command_line(sys.argv)
