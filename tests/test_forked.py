"""Programs that start as forks: as after a start from nothing, but for the libraries."""

import json
import os
import signal
import sys
from pathlib import Path

from tests import forked

SHOW = """
import json, os, sys
loaded = {name.partition(".")[0] for name in sys.modules}
print(json.dumps([sys.argv, sys.stdin.read(), dict(os.environ), os.getcwd(), sorted(loaded)]))
print("an error", file=sys.stderr)
sys.exit(3)
"""
OURS = {"schnauz_turnier", "tournaments", "scoring"}


def test_it_has_its_own_words_input_environment_and_folder_and_nothing_of_ours(tmp_path: Path) -> None:
    done = forked.run(
        [sys.executable, "-c", SHOW, "Größe", "1"], cwd=tmp_path, env={"A": "ä"}, text="gelesen"
    )
    words, read, environment, folder, loaded = json.loads(done.stdout)
    assert (words, read) == (["-c", "Größe", "1"], "gelesen")
    assert {name: value for name, value in environment.items() if name != "LC_CTYPE"} == {"A": "ä"}
    assert Path(folder) == tmp_path
    assert OURS.isdisjoint(loaded)
    assert (done.returncode, done.stderr) == (3, "an error\n")


def test_its_end_is_told_and_it_is_ended_by_signals(tmp_path: Path) -> None:
    waiting = forked.start_and_listen(
        [sys.executable, "-c", "import signal; print('ready', flush=True); signal.pause()"],
        cwd=tmp_path,
        env=os.environ,
    )
    assert waiting.stdout is not None
    assert waiting.stdout.readline() == "ready\n"
    assert waiting.poll() is None
    waiting.terminate()
    assert waiting.wait(30) == -signal.SIGTERM
    assert waiting.poll() == -signal.SIGTERM
