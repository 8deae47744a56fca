"""Benchmark of short commands: the processor time to load the program and to end again.

    .venv/bin/python bench/commands.py [--rounds 10]

The baseline of each is the same command with Python's own thresholds of the garbage collector (schnauz_turnier/start/collector.py).
Both run in turns. Printed are the medians of the processor time, and the ratio.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMANDS = ("backup --help", "makemigrations --help", "check")
RUN = """
import runpy, sys
if sys.argv[1] == "baseline":
    import schnauz_turnier.start.collector
    schnauz_turnier.start.collector.start_and_end_sooner = lambda: None
sys.argv = ["manage.py", *sys.argv[2:]]
runpy.run_path("manage.py", run_name="__main__")
"""


def processor_seconds(which: str, command: str) -> float:
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", RUN, which, *command.split()],
        cwd=ROOT,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    for command in COMMANDS:
        took: dict[str, list[float]] = {"baseline": [], "program": []}
        for _round in range(rounds):
            for which, found in took.items():
                found.append(processor_seconds(which, command))
        baseline, program = (1000 * statistics.median(found) for found in took.values())
        print(f"{command:24} {program:5.0f} ms, baseline {baseline:5.0f} ms, x{program / baseline:.2f}")


if __name__ == "__main__":
    main()
