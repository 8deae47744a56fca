"""JavaScript of the tests, run with the modules below static/js/ in Node.js, which comes with Playwright.

As on a page without encryption, there is no cryptography but that of the modules.
"""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from playwright._impl._driver import compute_driver_executable

from tests.conftest import ROOT

NODE = str(compute_driver_executable()[0])
JS = ROOT / "static/js"
PROGRAM = """
import { readFileSync, writeFileSync } from "node:fs";
delete globalThis.crypto;
const { folder, given, others } = JSON.parse(readFileSync(0, "utf8"));
const from = (folder) => (name) => import(`${folder}/${name}.js`);
const compute = async (given, load) => { BODY };
const tellsApart = async (other, answers) => {
  for (const [index, value] of given.entries()) {
    const [answer] = await compute([value], from(other));
    if (JSON.stringify(answer) !== answers[index]) return "differs";
  }
  return "the same";
};
const answer = await compute(given, from(folder));
const answers = others.length ? answer.map((one) => JSON.stringify(one)) : [];
const told = [];
for (const other of others) told.push(await tellsApart(other, answers).catch(({ stack }) => stack));
writeFileSync(1, JSON.stringify([answer, told]));
"""


class Alteration(NamedTuple):
    """A change of one place of a module."""

    module: str
    is_: str
    becomes: str


def computed(body: str, given: Any) -> Any:
    """Return what the body of a function returns for a value. It gets a module by `await load("check/record")`."""
    return _ran(body, given, [])[0]


def compared(
    body: str, given: Sequence[Any], alterations: Sequence[Alteration]
) -> tuple[Any, dict[Alteration, str]]:
    """Return the answers of a body that maps over values, and of each alteration whether one of its answers "differs".

    All in one process, which asks altered modules for no more than the first other answer.
    """
    with TemporaryDirectory() as folder:
        others = [_altered(Path(folder, str(number)), *one) for number, one in enumerate(alterations)]
        answers, told = _ran(body, given, others)
    return answers, dict(zip(alterations, told, strict=True))


def _ran(body: str, given: Any, others: Sequence[Path]) -> Any:
    done = subprocess.run(
        [NODE, "--input-type=module", "--eval", PROGRAM.replace("BODY", body)],
        input=json.dumps(
            {"folder": JS.as_uri(), "given": given, "others": [other.as_uri() for other in others]}
        ),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _altered(js: Path, module: str, is_: str, becomes: str) -> Path:
    """Return a copy of the modules of which one, and no other, is altered."""
    for part in ("check", "sheet"):
        shutil.copytree(JS / part, js / part)
    shutil.copy(JS / "package.json", js)
    file = js / f"{module}.js"
    source = file.read_text(encoding="utf-8")
    assert source.count(is_) == 1
    file.write_text(source.replace(is_, becomes), encoding="utf-8")
    return js
