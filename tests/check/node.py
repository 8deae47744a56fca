"""JavaScript of the tests, run with the modules below static/js/ in Node.js, which comes with Playwright.

As on a page without encryption, there is no cryptography but that of the modules.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from playwright._impl._driver import compute_driver_executable

from tests.conftest import ROOT

NODE = str(compute_driver_executable()[0])
JS = ROOT / "static/js"
PROGRAM = """
import { readFileSync, writeFileSync } from "node:fs";
delete globalThis.crypto;
const { folder, given } = JSON.parse(readFileSync(0, "utf8"));
const load = (name) => import(`${folder}/${name}.js`);
const compute = async (given) => { BODY };
writeFileSync(1, JSON.stringify(await compute(given)));
"""


def computed(body: str, given: Any, *, js: Path = JS) -> Any:
    """Return what the body of a function returns for a value. It gets a module by `await load("check/record")`."""
    done = subprocess.run(
        [NODE, "--input-type=module", "--eval", PROGRAM.replace("BODY", body)],
        input=json.dumps({"folder": js.as_uri(), "given": given}),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def altered(folder: Path, module: str, is_: str, becomes: str) -> Path:
    """Return a copy of the modules of which one, and no other, is altered."""
    js = folder / "js"
    for part in ("check", "sheet"):
        shutil.copytree(JS / part, js / part)
    shutil.copy(JS / "package.json", js)
    file = js / f"{module}.js"
    source = file.read_text(encoding="utf-8")
    assert source.count(is_) == 1
    file.write_text(source.replace(is_, becomes), encoding="utf-8")
    return js
