"""The compose files run by podman-compose, with stand-ins for the images that they name: `make compose`.

    .venv/bin/python bench/compose/check.py [--folder /var/tmp/schnauz-compose] [--only docker-compose.yml]

Needs root, debootstrap, and the packages of Debian and Python; no registry of images. Leaves nothing behind but that folder,
from which the next run is quicker. Each line is a step, and what it took; the exit status is 1 if one failed.

What podman-compose lacks is done beside it: files of `configs` are mounted; where a service waits for another one to complete,
they are started one by one; and where there is no systemd, health checks are run here. docs/hosting.md names what
this cannot try.
"""

import argparse
import os
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import certifi
import httpx
from engine import Composition, Engine, again_in_namespaces, run, why_not
from outside import SOON, Report, Site, kill, meanwhile, trust, wait_until

ONE, MANY = "docker-compose.yml", "compose.hosting.yml"
PYTHON = "docker.io/library/python:3.13-slim"
ONE_DOMAIN = "turnier.localhost"  # Caddy signs certificates for such names itself
MANY_DOMAIN, CLUB = "verband.example", "fortuna"
DATABASE_PASSWORD = "letters0and0digits0only"
SECRET = "0123456789abcdef" * 4


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/schnauz-compose"))
    parser.add_argument("--only", choices=(ONE, MANY))
    parser.add_argument("--inside", choices=("build", "try"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if reason := why_not():
        sys.exit(reason)
    engine = Engine(asked.folder)
    if asked.inside is None:
        asked.folder.mkdir(parents=True, exist_ok=True)
        return again_in_namespaces("--inside=build", with_network=True) or again_in_namespaces(
            "--inside=try", with_network=False
        )
    report = Report()
    files = [file for file in (ONE, MANY) if asked.only in (None, file)]
    if asked.inside == "build":
        build(engine, report, files)
    else:
        start(engine)
        for file in files:
            with report.file(file, engine.last_words):
                (try_one if file == ONE else try_many)(engine, report)
    return 1 if report.failed else 0


# --- images ---------------------------------------------------------------------------------------------------------


def build(engine: Engine, report: Report, files: list[str]) -> None:
    with report.file("images"):
        with report.step(f"Debian and podman are unpacked in {engine.folder}"):
            engine.unpack()
        engine.mount()
        for name in sorted({PYTHON, *(name for file in files for name in images(file))}):
            with report.step(f"stand-in for {name}"):
                engine.build(name)
        for file in files:
            with report.step(f"the program's own image, from its Dockerfile, for {file}"):
                compose = composition(engine, file)
                compose.write_configs()
                compose("build")


def images(file: str) -> list[str]:
    """Return the images that a compose file names, with the registry that is meant."""
    services = composition(Engine(Path()), file).content["services"].values()
    return [with_registry(service["image"]) for service in services if "image" in service]


def with_registry(name: str) -> str:
    first, slash, _ = name.partition("/")
    if "." in first and slash:
        return name
    return f"docker.io/{name}" if slash else f"docker.io/library/{name}"


def composition(engine: Engine, file: str) -> Composition:
    given = {"POSTGRES_PASSWORD": DATABASE_PASSWORD, "SECRET_KEY": SECRET}
    if file == ONE:
        return Composition(engine, file, given | {"DOMAIN": ONE_DOMAIN})
    own = {"DOMAIN": MANY_DOMAIN, "ADMIN_PASSWORD": "administrator", "REPLICATION_PASSWORD": "replication"}
    return Composition(engine, file, given | own | {"CERTIFICATES": "/files/certificates"})


# --- the surroundings -----------------------------------------------------------------------------------------------


def start(engine: Engine) -> None:
    """Prepare the namespaces: names that lead here, and certificates that this program trusts."""
    engine.mount()
    engine.clear()
    run("ip", "link", "set", "lo", "up")
    hosts = engine.files / "hosts"
    hosts.write_text(f"127.0.0.1 localhost {ONE_DOMAIN} {MANY_DOMAIN} {CLUB}.{MANY_DOMAIN}\n")
    run("mount", "--bind", str(hosts), "/etc/hosts")
    trusted = engine.files / "trusted.pem"
    trusted.write_text(Path(certifi.where()).read_text())
    run("mount", "--bind", str(trusted), certifi.where())
    os.environ.pop("SSL_CERT_FILE", None)
    os.environ.pop("SSL_CERT_DIR", None)


def make_certificate(engine: Engine) -> str:
    folder = engine.files / "certificates"
    folder.mkdir(exist_ok=True)
    names = f"subjectAltName=DNS:{MANY_DOMAIN},DNS:*.{MANY_DOMAIN}"
    ask = (
        "openssl",
        "req",
        "-x509",
        "-nodes",
        "-newkey",
        "rsa:2048",
        "-days",
        "2",
        "-subj",
        "/CN=check",
        "-addext",
        names,
    )
    run(*ask, "-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem"))
    return (folder / "certificate.pem").read_text()


def remove(compose: Composition) -> None:
    """Take the services down with their volumes. podman-compose leaves those that have no name."""
    compose("down", "--volumes")
    assert compose.engine.podman("ps", "--all", "--quiet") == ""
    left = compose.engine.podman("volume", "ls", "--quiet").split()
    assert [name for name in left if name.startswith(compose.name)] == []
    compose.engine.clear()


# --- docker-compose.yml ---------------------------------------------------------------------------------------------


def try_one(engine: Engine, report: Report) -> None:
    compose = composition(engine, ONE)
    application, database, proxy = (compose.container(name) for name in ("application", "database", "proxy"))
    psql = (
        "psql",
        "--username=schnauz",
        "--dbname=schnauz_turnier",
        "--no-align",
        "--tuples-only",
        "--command",
    )
    site = Site(
        engine,
        f"https://{ONE_DOMAIN}",
        application,
        (),
        lambda question: engine.podman("exec", database, *psql, question),
    )
    with engine.checking_health():
        with report.step("up, each service after the one that it needs is healthy"):
            compose("up", "--detach")
        with report.step("https through the proxy, with a certificate of its own; http is redirected"):
            path = "/data/caddy/pki/authorities/local/root.crt"
            wait_until(
                lambda: "root.crt" in engine.podman("exec", proxy, "ls", str(Path(path).parent)), seconds=SOON
            )
            trust(engine.podman("exec", proxy, "cat", path))
            site.wait_until_ready()
            redirected = httpx.get(f"http://{ONE_DOMAIN}/healthz")
            assert (redirected.status_code, redirected.headers["Location"]) == (308, f"{site.url}/healthz")
        with report.step("the link in the log makes the first account, which logs in"):
            site.make_account(compose("logs", "application"))
        with report.step("a tournament comes in by a command"):
            store = site.store()
        with report.step("phones, viewers and readers") as found:
            meanwhile(store, found, lambda: time.sleep(3), tables=(1, 2))
        with report.step("the same while the application is restarted") as found:
            meanwhile(store, found, lambda: engine.podman("restart", application), tables=(3, 4))
        with report.step("while the application is killed; it starts again by itself") as found:
            meanwhile(store, found, lambda: kill(site, application), tables=(5, 6))
        with report.step("while the database is killed; it starts again by itself") as found:
            meanwhile(store, found, lambda: kill(site, database), tables=(7, 8), most_failures=1000)
        with report.step("a backup is in its volume") as found:
            assert wait_until(
                lambda: httpx.get(f"{site.url}/healthz/ready").json()["backup"] is True, seconds=SOON
            )
            found.append(engine.podman("exec", application, "ls", "/backups").split()[-1])
        with report.step("down and up again: accounts and entries are still there"):
            before = store.stored()
            compose("down")
            compose("up", "--detach")
            site.wait_until_ready()
            site.log_in()
            assert store.stored() == before
    with report.step("down, with the volumes"):
        remove(compose)


# --- compose.hosting.yml --------------------------------------------------------------------------------------------


def try_many(engine: Engine, report: Report) -> None:
    compose = composition(engine, MANY)
    site = Site(
        engine,
        f"https://{CLUB}.{MANY_DOMAIN}",
        compose.container("application-1"),
        ("club", CLUB),
        partial(ask_club, compose),
    )
    applications = [compose.container(f"application-{number}") for number in (1, 2)]
    trust(make_certificate(engine))
    with engine.checking_health():
        with report.step("up: account, database and migrations are there before the applications start"):
            compose.up_in_order()
            assert wait_until(lambda: has_standby(compose), seconds=SOON), "no synchronous standby"
        with report.step("create_club; its page over https, with the given certificate") as found:
            said = compose(
                "exec", "-T", "application-1", "python", "manage.py", "create_club", CLUB, "--name", "Fortuna"
            )
            site.wait_until_ready()
            assert site.status("/") == 200
            assert httpx.get(f"https://{MANY_DOMAIN}/", timeout=60).status_code == 200
            found.append(site.url)
        with report.step("the printed link makes the first account, which logs in"):
            site.make_account(said)
        with report.step("a tournament comes into the club by a command"):
            store = site.store()
        with report.step("phones, viewers and readers") as found:
            meanwhile(store, found, lambda: time.sleep(3), tables=(1, 2))
        with report.step("while an application is killed; it starts again by itself") as found:
            meanwhile(store, found, lambda: kill(site, applications[0]), tables=(3, 4))
        with report.step("while one application after the other is restarted") as found:
            meanwhile(store, found, lambda: restart(engine, *applications), tables=(5, 6))
        with report.step("while etcd is killed; it starts again by itself") as found:
            meanwhile(store, found, lambda: kill(site, compose.container("etcd"), seconds=20), tables=(7, 8))
        with report.step("while the pooler is killed; it starts again by itself") as found:
            pooler = compose.container("pooler")
            meanwhile(store, found, lambda: kill(site, pooler), tables=(9, 10), most_failures=1000)
        with report.step("while the primary dies; the standby is promoted") as found:
            meanwhile(
                store, found, lambda: fail_over(compose, site, found), tables=(11, 12), most_failures=1000
            )
        with report.step(
            "while the way to the primary is restarted, and one database is still gone"
        ) as found:
            way = compose.container("primary")
            meanwhile(store, found, lambda: restart(engine, way), tables=(13, 14), most_failures=1000)
        with report.step("the dead one comes back as the standby"):
            engine.podman("start", *(compose.container(name) for name in DATABASES))
            assert wait_until(lambda: has_standby(compose), seconds=SOON), "no synchronous standby"
        with report.step("while the new primary dies, too; the old one is promoted") as found:
            meanwhile(
                store, found, lambda: fail_over(compose, site, found), tables=(15, 16), most_failures=1000
            )
    with report.step("down, with the volumes"):
        remove(compose)


LISTED = ("patronictl", "--config-file=/run/postgresql/patroni.yml", "list")
DATABASES = ("database-1", "database-2")


def ask(engine: Engine, container: str, question: str, schema: str = "public") -> str:
    words = ("psql", "--username=postgres", "--dbname=schnauz_turnier", "--no-align", "--tuples-only")
    return engine.podman(
        "exec", f"--env=PGOPTIONS=-c search_path={schema}", container, *words, f"--command={question}"
    )


def ask_club(compose: Composition, question: str) -> str:
    engine, database = compose.engine, primary(compose)
    schema = ask(engine, database, f"SELECT schema_name FROM catalogue.club WHERE slug = '{CLUB}'").strip()
    return ask(engine, database, question, schema)


def primary(compose: Composition) -> str:
    """Return the container of the database that takes writes. Raises LookupError if there is none."""
    for name in map(compose.container, DATABASES):
        with suppress(RuntimeError):  # it does not run, or does not answer
            if ask(compose.engine, name, "SELECT pg_is_in_recovery()").strip() == "f":
                return name
    raise LookupError("no database takes writes")


def has_standby(compose: Composition) -> bool:
    """Whether Patroni would promote the other database: it is synchronous."""
    with suppress(LookupError, RuntimeError):
        listed = compose.engine.podman("exec", primary(compose), *LISTED)
        return "Sync Standby" in listed and "streaming" in listed
    return False


def restart(engine: Engine, *containers: str) -> None:
    for name in containers:
        engine.podman("restart", name)
        time.sleep(5)  # until the proxy has asked for its health


def fail_over(compose: Composition, site: Site, found: list[str]) -> None:
    """Kill the primary, which stays away, and wait until the other database takes writes."""
    dies = primary(compose)
    compose.engine.podman("kill", dies)
    died = time.monotonic()

    def is_promoted() -> bool:
        with suppress(LookupError):
            return primary(compose) != dies
        return False

    assert wait_until(is_promoted, seconds=SOON), "no database was promoted"
    promoted = time.monotonic()
    site.wait_until_ready()
    found.append(f"promoted after {promoted - died:.0f} s, ready {time.monotonic() - promoted:.0f} s later")


if __name__ == "__main__":
    sys.exit(main())
