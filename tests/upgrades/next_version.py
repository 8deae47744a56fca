"""Settings of a later version of the program: the migrations of scoring are those of a package that a test has made."""

from schnauz_turnier.settings import *

MIGRATION_MODULES = {"scoring": "next_scoring_migrations"}
