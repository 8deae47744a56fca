"""podman and podman-compose of Debian, unpacked beside the system, and the images that the compose files name.

Nothing is installed: debootstrap unpacks a Debian into a folder, in which podman runs. Mounts, processes, the network and its
firewall are in namespaces of their own, which end with the program. So ports 80 and 443 are free, whatever
else the machine serves, and no rule, bridge or process is left behind.
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RELEASE = "trixie"
NEEDED = ("podman", "crun", "netavark", "aardvark-dns", "iptables", "nftables", "ca-certificates")
FROM_NEXT_RELEASE = ("podman-compose",)
TRUSTED = Path("/etc/ssl/certs/ca-certificates.crt")
SECONDS_BETWEEN_CHECKS = 2
PATIENCE = 60.0


def why_not() -> str:
    """Return what is missing on this machine, or nothing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "This needs root on Linux: it makes namespaces and mounts."
    missing = [
        name
        for name in ("debootstrap", "unshare", "nsenter", "pivot_root", "ip", "openssl")
        if shutil.which(name) is None
    ]
    return (
        f"Missing: {', '.join(missing)}. On Debian and Ubuntu: apt install debootstrap iproute2 openssl"
        if missing
        else ""
    )


def again_in_namespaces(*words: str, with_network: bool) -> int:
    """Run this program again with these words in namespaces of its own. Return its exit status."""
    own = [] if with_network else ["--net"]
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", *own]
    return subprocess.run([*command, sys.executable, *sys.argv, *words]).returncode


@dataclass(frozen=True, slots=True)
class Engine:
    """A folder with podman (`tools`), its images (`storage`), and files for containers (`files`)."""

    folder: Path

    @property
    def tools(self) -> Path:
        return self.folder / "tools"

    @property
    def files(self) -> Path:
        return self.folder / "files"

    # --- before the first container ---------------------------------------------------------------------------------

    def unpack(self) -> None:
        """Unpack Debian, keep a copy of it for the images, and put podman into it. Needs the network."""
        if (self.folder / "unpacked").exists():
            return
        shutil.rmtree(self.tools, ignore_errors=True)
        self.files.mkdir(parents=True, exist_ok=True)
        run("debootstrap", "--variant=minbase", "--include=ca-certificates", RELEASE, str(self.tools))
        run("tar", "--create", f"--file={self.files / 'debian.tar'}", f"--directory={self.tools}", ".")
        shutil.copy("/etc/resolv.conf", self.tools / "etc" / "resolv.conf")
        sources = self.tools / "etc" / "apt"
        listed = (sources / "sources.list").read_text()
        (sources / "sources.list.d" / "forky.list").write_text(listed.replace(RELEASE, "forky"))
        (sources / "preferences.d" / "forky").write_text(
            "Package: *\nPin: release n=forky\nPin-Priority: 100\n"
        )
        apt = ("apt-get", "--quiet", "-o", "Acquire::Check-Valid-Until=false")
        install = (*apt, "install", "--yes", "--no-install-recommends")
        for words in (
            (*apt, "update"),
            (*install, *NEEDED),
            (*install, "--target-release=forky", *FROM_NEXT_RELEASE),
        ):
            run("chroot", str(self.tools), *words)
        (self.folder / "unpacked").touch()

    def mount(self) -> None:
        """Make the folder of podman a whole system, and configure it for a machine without systemd and cgroups."""
        tools = str(self.tools)
        run("mount", "--bind", tools, tools)
        for kind, place in (
            ("proc", "proc"),
            ("sysfs", "sys"),
            ("tmpfs", "run"),
            ("cgroup2", "sys/fs/cgroup"),
        ):
            run("mount", "-t", kind, kind, f"{tools}/{place}")
        run("mount", "--rbind", "/dev", f"{tools}/dev")
        run("mount", "-t", "tmpfs", "tmpfs", f"{tools}/dev/shm")  # the locks of podman
        for name, source in (("storage", self.folder / "storage"), ("files", self.files), ("project", ROOT)):
            source.mkdir(exist_ok=True)
            (self.tools / name).mkdir(exist_ok=True)
            run("mount", "--bind", str(source), f"{tools}/{name}")
        settings = self.tools / "etc" / "containers"
        (settings / "storage.conf").write_text(STORAGE)
        files, processes = (min(resource.getrlimit(kind)[1], 4096) for kind in LIMITS)
        (settings / "containers.conf").write_text(CONTAINERS.format(files=files, processes=processes))
        (settings / "registries.conf").write_text('unqualified-search-registries = ["docker.io"]\n')
        # Containers need a root that is that of the namespace. This program goes back to the one of the machine.
        (self.tools / "machine").mkdir(exist_ok=True)
        run("pivot_root", tools, f"{tools}/machine")
        os.chroot("/machine")

    def build(self, name: str) -> None:
        """Make the stand-in for an image."""
        shutil.copy(TRUSTED, self.files / TRUSTED.name)
        shutil.copy(HERE / "Containerfile", self.files)
        if not self.has("localhost/debian"):
            self.podman("import", "--quiet", "/files/debian.tar", "localhost/debian")
        target = name.rpartition("/")[2]
        version = re.findall(r"\d+", target)[0]
        options = (f"--target={target.partition(':')[0]}", f"--build-arg=VERSION={version}", f"--tag={name}")
        self.podman("build", "--quiet", "--network=host", *options, "/files")

    # --- containers -------------------------------------------------------------------------------------------------

    def run(self, *words: str, given: str | None = None, **environment: str) -> str:
        inside = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", **environment}
        return run(*ENTER, *words, given=given, environment=inside)

    def podman(self, *words: str, given: str | None = None) -> str:
        return self.run("podman", *words, given=given, BUILDAH_ISOLATION="chroot")

    def kill_process(self, container: str) -> None:
        """Kill the first process of a container, as the system does for want of memory, and wait until there is another."""
        killed = self._process(container)
        os.kill(killed, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while self._process(container) in (0, killed):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{container} does not start again")
            time.sleep(0.2)

    def _process(self, container: str) -> int:
        return int(self.podman("inspect", "--format={{.State.Pid}}", container))

    def has(self, image: str) -> bool:
        return bool(self.podman("images", "--quiet", image).strip())

    def log(self, container: str, *options: str) -> str:
        command = [*ENTER, "podman", "logs", *options, container]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout

    def last_words(self) -> str:
        """Return the state of the containers, and the last lines of their logs."""
        names = self.podman("ps", "--all", "--format={{.Names}}").split()
        logs = [f"--- {name}\n{self.log(name, '--tail=8')}" for name in names]
        return "\n".join([self.podman("ps", "--all", "--format={{.Names}} {{.Status}}"), *logs])

    def clear(self) -> None:
        """Remove what an earlier run has left, except images."""
        self.podman("rm", "--all", "--force", "--time=0")
        self.podman("volume", "rm", "--all", "--force")

    @contextmanager
    def checking_health(self) -> Iterator[None]:
        """Do what systemd does on a machine with one: run the health checks of the containers every now and then."""
        ended = threading.Event()

        def check() -> None:
            while not ended.wait(SECONDS_BETWEEN_CHECKS):
                for state in ("starting", "unhealthy"):
                    for name in self.podman("ps", "--quiet", f"--filter=health={state}").split():
                        subprocess.run([*ENTER, "podman", "healthcheck", "run", name], capture_output=True)

        thread = threading.Thread(target=check, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


@dataclass(frozen=True, slots=True)
class Composition:
    """The services of a compose file."""

    engine: Engine
    file: str
    environment: Mapping[str, str]

    @property
    def content(self) -> dict[str, Any]:
        return dict(yaml.safe_load((ROOT / self.file).read_text()))

    @property
    def name(self) -> str:
        return self.file.partition(".")[0].replace("-", "")

    def write_configs(self) -> None:
        """Write the files of `configs`, which podman-compose does not know, and a compose file that mounts them."""
        folder = self.engine.files / self.name
        folder.mkdir(exist_ok=True)
        for name, config in self.content["configs"].items():
            text = str(config["content"])
            for variable, value in self.environment.items():
                text = text.replace(f"${{{variable}}}", value)
            (folder / name).write_text(text)
        mounted = {
            name: [f"/files/{self.name}/{one['source']}:{one['target']}:ro" for one in service["configs"]]
            for name, service in self.content["services"].items()
            if "configs" in service
        }
        services = {name: {"volumes": volumes} for name, volumes in mounted.items()}
        (folder / "configs.yml").write_text(yaml.safe_dump({"services": services}))

    def up_in_order(self) -> None:
        """Start each service after those that it needs: with `up`, none starts that needs one that has completed."""
        needed = {name: service.get("depends_on", {}) for name, service in self.content["services"].items()}
        for name in TopologicalSorter(needed).static_order():
            if "service_completed_successfully" in str(needed[name]):
                self.engine.podman("wait", "--condition=exited", *map(self.container, needed[name]))
            self("up", "--detach", "--no-deps", name)

    def __call__(self, *words: str) -> str:
        """Run podman-compose, without the variables of a file .env that may lie beside the compose file."""
        files = ("--file", f"/project/{self.file}", "--file", f"/files/{self.name}/configs.yml")
        options = ("--project-name", self.name, "--env-file", "/dev/null", "--in-pod=false", *files)
        network = ("--podman-build-args=--network=host",)
        return self.engine.run(
            "podman-compose", *options, *network, *words, BUILDAH_ISOLATION="chroot", **self.environment
        )

    def container(self, service: str) -> str:
        return f"{self.name}_{service}_1"


def run(*words: str, given: str | None = None, environment: Mapping[str, str] | None = None) -> str:
    """Run a command and return its output. Raises RuntimeError with all that it said."""
    done = subprocess.run(words, input=given, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


ENTER = ("nsenter", "--mount=/proc/self/ns/mnt", "--")  # the root of the namespace
LIMITS = (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC)
STORAGE = """[storage]
driver = "overlay"
graphroot = "/storage"
runroot = "/run/containers"
"""
CONTAINERS = """[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "crun"
[network]
network_backend = "netavark"
network_config_dir = "/run/networks"
[containers]
cgroups = "disabled"
default_ulimits = ["nofile={files}:{files}", "nproc={processes}:{processes}"]
"""
