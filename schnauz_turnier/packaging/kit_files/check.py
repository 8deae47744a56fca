"""Check of the kit: compares every file with SHA256SUMS and names those that are damaged, missing or not from the kit."""

import hashlib
import os
import sys
from typing import Dict, Iterator

KIT = os.path.dirname(os.path.abspath(__file__))
SUMS = "SHA256SUMS"


def main() -> int:
    wanted = sums()
    present = set(files())
    bad = sorted(name for name in wanted if name not in present or digest_of(name) != wanted[name])
    # a system leaves files of its own on a stick; only a package could be installed
    extra = sorted(name for name in present - set(wanted) if name.startswith("wheels/"))
    for name in bad:
        print("beschädigt oder fehlt / damaged or missing: " + name)
    for name in extra:
        print("gehört nicht dazu / does not belong here: " + name)
    if bad or extra:
        return 1
    print("In Ordnung, %d Dateien / in order, %d files" % (len(wanted), len(wanted)))
    return 0


def sums() -> Dict[str, str]:
    with open(os.path.join(KIT, SUMS), encoding="utf-8") as file:
        pairs = [line.rstrip("\n").split("  ", 1) for line in file]
    return {name: digest for digest, name in pairs}


def files() -> "Iterator[str]":
    for folder, _folders, names in os.walk(KIT):
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), KIT).replace(os.sep, "/")


def digest_of(name: str) -> str:
    with open(os.path.join(KIT, *name.split("/")), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
