"""Start of the kit: installs the program from this folder, without a network, and starts it.

It is installed into the user's data folder, not onto the stick, once for each version. Uses only the standard library, and
syntax of older versions, so that it can say that this Python is too old.
"""

import hashlib
import os
import platform
import subprocess
import sys
import venv

KIT = os.path.dirname(os.path.abspath(__file__))
REQUIREMENTS = os.path.join(KIT, "requirements.txt")
NAME = "schnauz-turnier"


def main() -> None:
    refuse_wrong_python()
    folder = os.path.join(data_folder(), NAME + "-program", "python" + platform.python_version())
    note = os.path.join(folder, "installed-from")
    wanted = digest_of(REQUIREMENTS)
    if read(note) != wanted:
        print(
            "Einmal installieren, das dauert ein, zwei Minuten ... / Installing once, for a minute or two ..."
        )
        sys.stdout.flush()
        install(folder)
        with open(note, "w", encoding="utf-8") as file:
            file.write(wanted)
    command = [program_in(folder, NAME), *sys.argv[1:]]
    if os.name == "nt":  # there, exec would leave the window without the program
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


def refuse_wrong_python() -> None:
    if sys.version_info < (3, 11) or sys.maxsize < 2**32:
        sys.exit(
            "Python 3.11 oder neuer mit 64 Bit wird gebraucht, dies ist %s. LIESMICH.txt sagt, woher. / "
            "Python 3.11 or newer of 64 bits is needed; this is %s. README.txt says where from."
            % (platform.python_version(), platform.python_version())
        )


def install(folder: str) -> None:
    """Make a virtual environment and install with the kit's pip, which checks every package's hash.

    Python compiles what is imported; to compile all of the packages takes longer than the rest.
    """
    venv.EnvBuilder(clear=True, with_pip=False, symlinks=os.name != "nt").create(folder)
    (pip,) = [name for name in os.listdir(os.path.join(KIT, "wheels")) if name.startswith("pip-")]
    surroundings = {
        name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))
    }
    surroundings["PIP_CONFIG_FILE"] = os.devnull
    command = [program_in(folder, "python"), os.path.join("wheels", pip, "pip"), "install", "--quiet"]
    command += ["--no-index", "--find-links=wheels", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--no-cache-dir", "--no-compile"]
    command += ["--requirement=requirements.txt"]
    if subprocess.call(command, cwd=KIT, env=surroundings):
        sys.exit(
            "Das ging nicht. Passt der Ordner zu diesem Rechner (LIESMICH.txt)? Ist er ganz? python3 check.py / "
            "That failed. Is the folder for this computer (README.txt)? Is it complete? python3 check.py"
        )


def program_in(folder: str, name: str) -> str:
    if os.name == "nt":
        return os.path.join(folder, "Scripts", name + ".exe")
    return os.path.join(folder, "bin", name)


def data_folder() -> str:
    if os.name == "nt":
        return os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support")
    return os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")


def digest_of(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


if __name__ == "__main__":
    main()
