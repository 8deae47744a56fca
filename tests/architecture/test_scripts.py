"""The linter of the scripts finds what it is there for."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

PLANTED = {
    "no-unused-vars": "const unused = 1;",
    "no-undef": "unknown();",
    "eqeqeq": "if (location.hash == 1) close();",
    "prefer-const": "let kept = 1; close(kept);",
    "max-lines-per-function": "export function long() {" + "\n  close();" * 81 + "\n}",
    "complexity": "export const many = (a) => " + " || ".join(["a"] * 21) + ";",
}


@pytest.mark.parametrize("rule", PLANTED)
def test_a_planted_violation_is_found(tmp_path: Path, rule: str) -> None:
    script = tmp_path / "planted.js"
    script.write_text(f"{PLANTED[rule]}\n")
    oxlint = Path(sys.executable).with_name("oxlint")
    found = subprocess.run(
        [oxlint, "--config", ROOT / ".oxlintrc.json", script], capture_output=True, text=True, check=False
    )
    assert found.returncode == 1
    assert f"({rule})" in found.stdout
