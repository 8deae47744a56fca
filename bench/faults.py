"""Fault injection: phones write entries while the web server and PostgreSQL are killed repeatedly.

    .venv/bin/python bench/faults.py [--entries 10000] [--phones 50] [--times 3] [--seed 0]

Every moment of tests/faults/moments.py is repeated --times times: kill -9 of the web server before a commit, between
commit and answer, after an answer and at random; immediate shutdown and kill -9 of PostgreSQL; both at once. The
network loses, truncates, repeats and delays 15 % of the requests. A phone keeps an entry until an answer names it.

Afterwards every entry must be in the log once, in its phone's order, and replaying the log must give the stored
results. Then the same harness must detect the fault of a control: a store that commits claim and effect separately. The
exit status is 1 if any check fails.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.faults.evening import MISCHIEF, SLUG, Evening, Store, play, the_program, wrong_tallies
from tests.faults.moments import EVERY_MOMENT, KILL_POINTS
from tests.faults.split_store import ORDERS, the_control


def tell(name: str, evening: Evening, store: Store) -> None:
    counted = {what: evening.counted(what) for what in ("requests", "retries", "duplicate")}
    mischief = ", ".join(f"{count} x {what}" for what, count in sorted(evening.network.items()) if what)
    print(f"{name}: {evening.reckoning}; {evening.seconds:.0f} s")
    print(
        f"  {counted['requests']} requests, {counted['retries']} retries, {counted['duplicate']} duplicates; {mischief}"
    )
    print(f"  web server killed {store.web.kills} x, PostgreSQL {store.database.kills} x:", end=" ")
    print(", ".join(f"{count} x {moment}" for moment, count in evening.moments.items()), flush=True)


def the_log_replays(store: Store) -> bool:
    """Whether rebuild_results finds no difference, and the exported document can be imported again."""
    try:
        rebuilt = store.web.command_says("rebuild_results", SLUG)
        exported = store.web.command_says("export_tournament", SLUG)
        again = exported.replace(f'"{SLUG}"', f'"{SLUG}-wiederholt"', 1)
        store.web.command_says("import_tournament", "-", text=again)
    except subprocess.CalledProcessError as failed:
        print(failed.stdout, failed.stderr)
        return False
    print(f"  rebuild_results: {rebuilt.strip()}; export and import: replayed", flush=True)
    return rebuilt == "no differences\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--phones", type=int, default=50)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tables = range(1, options.phones + 1)
    print(
        f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; {len(tables)} phones, {MISCHIEF:.0%} mischief"
    )
    with tempfile.TemporaryDirectory() as folder, the_program(Path(folder), len(tables)) as store:
        evening = play(
            store,
            tables=tables,
            entries=options.entries // len(tables),
            plan=EVERY_MOMENT * options.times,
            seed=options.seed,
        )
        tell("the program", evening, store)
        is_well = evening.reckoning.is_sound and not wrong_tallies(store, evening.phones)
        is_well = the_log_replays(store) and is_well
        for order in ORDERS:
            with the_control(store.database, order, 10) as control:
                played = play(control, tables=range(1, 11), entries=30, plan=KILL_POINTS, pause=0.1)
                tell(f"control, {order.replace('_', ' ')}", played, control)
                is_well = is_well and played.reckoning.is_sound == (order == "together")
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
