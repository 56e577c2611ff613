"""Real servers for tests: a private PostgreSQL and `consumo serve`."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg
from psycopg import sql
from sqlalchemy import URL, make_url

from tests.pace import PATIENCE

ROOT = Path(__file__).parent.parent
CONSUMO = Path(sys.executable).with_name("consumo")
SETPRIV = shutil.which("setpriv")

# The fixture of a migrated, empty database, by kind.
EMPTY = {"sqlite": "sqlite_url", "postgresql": "emptied_postgresql_url"}


def wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    """Poll until ready; on exit or timeout, fail with the end of the log."""
    deadline = time.monotonic() + PATIENCE
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            state = "is not ready" if process.returncode is None else f"ended with {process.returncode}"
            raise RuntimeError(f"{process.args!r} {state}:\n{log.read_text(errors='replace')[-4000:]}")
        time.sleep(0.05)


def stop(process: subprocess.Popen[bytes], by: signal.Signals, seconds: float = PATIENCE) -> None:
    """Send a signal; after the timeout, kill the process group."""
    with suppress(ProcessLookupError):
        process.send_signal(by)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def dying_with_us(by: str) -> list[str]:
    """Command prefix that ends a process when the tests are killed."""
    return [SETPRIV, "--pdeathsig", by] if SETPRIV else []


@dataclass(frozen=True, slots=True)
class Cluster:
    """A PostgreSQL server in which tests create databases."""

    admin: URL

    def url(self, database: str) -> str:
        return self.admin.set(database=database).render_as_string(hide_password=False)

    def create(self, database: str, template: str = "template1") -> str:
        # A template must have no connections, and its creator may have left some open.
        self._run(
            sql.SQL("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {}").format(template),
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(database), sql.Identifier(template)),
        )
        return self.url(database)

    def shape(self, database: str) -> str:
        """A digest of the database's tables and settings, independent of rows."""
        with psycopg.connect(self._plain(database), autocommit=True) as connection:
            (shape,) = connection.execute(_SHAPE).fetchone() or ("",)
            return str(shape)

    def empty(self, database: str, shape: str) -> bool:
        """Delete all rows and reset sequences: faster than a new database.

        Returns False, without changes, if the database no longer has that shape.
        """
        with psycopg.connect(self._plain(database), autocommit=True) as connection:
            if connection.execute(_SHAPE).fetchone() != (shape,):
                return False
            connection.execute(_END_THE_OTHERS)
            connection.execute(_EMPTY)
            return True

    def drop(self, database: str) -> None:
        self._run(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(database)))

    def _run(self, *statements: sql.Composed) -> None:
        with psycopg.connect(self._plain(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def _plain(self, database: str | None = None) -> str:
        """The libpq URL of that database, or of the administrator's."""
        url = self.admin.set(drivername="postgresql", database=database or self.admin.database)
        return url.render_as_string(hide_password=False)


_SHAPE = """
SELECT md5(string_agg(told, ' ' ORDER BY told)) FROM (
    SELECT format('%s %s %s', c.oid, relname, relkind) AS told FROM pg_class c
    WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT format('%s %s %s %s', attrelid, attname, atttypid, attnotnull) FROM pg_attribute
    JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT format('%s %s', oid, conname) FROM pg_constraint
    UNION ALL SELECT format('%s %s', oid, tgname) FROM pg_trigger
    UNION ALL SELECT format('%s %s', oid, proname) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT setconfig::text FROM pg_db_role_setting
    JOIN pg_database d ON d.oid = setdatabase WHERE datname = current_database()
) AS all_of_it"""
_END_THE_OTHERS = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
# For few rows, DELETE is much faster than TRUNCATE, which creates new files. The order of tables does not matter:
# foreign keys are not checked (session_replication_role), and TRUNCATE cascades.
_EMPTY = """
DO $$
DECLARE
    held record;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR held IN
        SELECT oid::regclass AS name, pg_relation_size(oid) AS size FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            AND relname NOT IN ('alembic_version', 'installation')
    LOOP
        IF held.size > 200000 THEN
            EXECUTE format('TRUNCATE %s CASCADE', held.name);
        ELSIF held.size > 0 THEN
            EXECUTE format('DELETE FROM %s', held.name);
        END IF;
    END LOOP;
    UPDATE installation SET audit_sent_id = 0, audit_problem = NULL;
    PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence;
END
$$"""


def admin_of(database_url: str) -> str:
    """The libpq URL of the `postgres` database on the same server."""
    url = make_url(database_url).set(drivername="postgresql", database="postgres")
    return url.render_as_string(hide_password=False)


def cut_off(database_url: str, *, is_permanent: bool = False) -> None:
    """Close all connections to a database; ``is_permanent`` refuses new ones."""
    name = make_url(database_url).database or ""
    with psycopg.connect(admin_of(database_url), autocommit=True) as admin:
        if is_permanent:
            admin.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(name)))
        # A terminated connection takes a moment to close: wait for that.
        admin.execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s", [name])


def let_in(database_url: str) -> None:
    name = make_url(database_url).database or ""
    with psycopg.connect(admin_of(database_url), autocommit=True) as admin:
        admin.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(sql.Identifier(name)))


def postgresql_binaries() -> Path:
    """The folder of `initdb` and `postgres`: TEST_PG_BIN, or the newest."""
    if chosen := os.environ.get("TEST_PG_BIN"):
        return Path(chosen).resolve()
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    found = shutil.which("initdb")
    if found:
        folders.append(Path(found).resolve().parent)
    if not folders:
        raise RuntimeError("no PostgreSQL server on this machine: `make test` installs one, TEST_PG_DSN names another")
    return folders[-1]


@contextmanager
def postgresql() -> Iterator[Cluster]:
    """The server of TEST_PG_DSN, or a temporary one with a Unix socket."""
    dsn = os.environ.get("TEST_PG_DSN")
    if dsn:
        yield Cluster(make_url(dsn).set(drivername="postgresql+psycopg"))
        return

    # Not pytest's folder, which other users cannot read: PostgreSQL refuses to run as root.
    folder = Path(tempfile.mkdtemp(prefix="consumo-pg-"))
    try:
        make_cluster(folder)
        # The data is temporary.
        server = run_cluster(folder, fsync="off", synchronous_commit="off", full_page_writes="off")
        try:
            yield Cluster(
                URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(folder)})
            )
        finally:
            stop(server, signal.SIGINT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def as_its_owner(folder: Path) -> list[str]:
    """Command prefix that runs PostgreSQL as its own user instead of root.

    The folder is given to that user.
    """
    if os.geteuid() != 0:
        return []
    if SETPRIV is None:
        raise RuntimeError("PostgreSQL refuses to run as root, and there is no setpriv (util-linux) to change user")
    shutil.chown(folder, "postgres", "postgres")
    return [SETPRIV, "--reuid=postgres", "--regid=postgres", "--init-groups"]


def make_cluster(folder: Path, *more: str) -> None:
    """Create a PostgreSQL cluster in the folder."""
    made = subprocess.run(
        [
            *as_its_owner(folder), str(postgresql_binaries() / "initdb"), "--pgdata=data", "--username=postgres",
            "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", *more,
        ],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if made.returncode:
        raise RuntimeError(f"initdb failed:\n{made.stdout.decode(errors='replace')}")


def run_cluster(folder: Path, **settings: str) -> subprocess.Popen[bytes]:
    """Run the cluster of that folder until it accepts connections."""
    log = folder / "log"
    chosen = {"listen_addresses": "", "unix_socket_directories": str(folder), "max_connections": "200"} | settings
    with log.open("ab") as output:
        server = subprocess.Popen(
            [
                *as_its_owner(folder), *dying_with_us("QUIT"), str(postgresql_binaries() / "postgres"), "-D", "data",
                *(f"--{name}={value}" for name, value in chosen.items()),
            ],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
    try:
        wait_until(
            lambda: _answers(f"host={folder} port={chosen.get('port', 5432)} user=postgres dbname=postgres"),
            server,
            log,
        )
    except BaseException:
        stop(server, signal.SIGINT)
        raise
    return server


def _answers(conninfo: str) -> bool:
    try:
        psycopg.connect(conninfo).close()
    except psycopg.OperationalError:
        return False
    return True


@contextmanager
def working_by_hand(database_url: str) -> Iterator[psycopg.Connection]:
    """A transaction with plain SQL that is rolled back."""
    plain = make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain) as connection:
        yield connection
        connection.rollback()


def until_one_waits_for(blocker: psycopg.Connection) -> None:
    """Wait until another connection waits for a lock of this one."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    deadline = time.monotonic() + PATIENCE
    while blocker.execute(waiting).fetchone() == (0,):
        if time.monotonic() > deadline:
            raise RuntimeError("no transaction waits")
        time.sleep(0.01)


@dataclass(frozen=True, slots=True)
class Server:
    """A running `consumo serve`."""

    address: str
    database_url: str
    log: Path
    process: subprocess.Popen[bytes]


def environment(database_url: str, **settings: str) -> dict[str, str]:
    """Environment with only these CONSUMO_ settings, not the developer's own."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CONSUMO_")}
    return inherited | {"CONSUMO_DATABASE_URL": database_url, "CONSUMO_SECRET_KEY": secrets.token_hex(32)} | settings


def consumo(*arguments: str, database_url: str, stdin: bytes = b"") -> bytes:
    """Run a `consumo` command; returns its output, or raises with its errors."""
    command = subprocess.run(
        [CONSUMO, *arguments], env=environment(database_url), cwd=ROOT, input=stdin, capture_output=True
    )
    if command.returncode:
        raise RuntimeError(f"consumo {' '.join(arguments)} ended with {command.returncode}:\n{command.stderr.decode()}")
    return command.stdout


@contextmanager
def serving(
    database_url: str, folder: Path, settings: Mapping[str, str] | None = None, *, port: int = 0
) -> Iterator[Server]:
    """Run `consumo serve` on that port or a free one, until the block ends."""
    with run_on_free_port(
        lambda port: [str(CONSUMO), "serve"],  # the port is a setting
        database_url,
        folder,
        settings,
        ready="/health/ready",
        port=port,
    ) as server:
        yield server


@contextmanager
def reserved_port(host: str = "127.0.0.1") -> Iterator[int]:
    """Reserve a port until the block ends.

    Nothing listens there, and the system gives it to no other program. A server that is given this port may listen
    there (SO_REUSEADDR).
    """
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind((host, 0))
        yield holder.getsockname()[1]


@contextmanager
def run_on_free_port(
    command: Callable[[int], list[str]],
    database_url: str,
    folder: Path,
    settings: Mapping[str, str] | None = None,
    *,
    ready: str = "",
    port: int = 0,
) -> Iterator[Server]:
    """Run a server on that port or a free one, until the block ends.

    It is ready when the path ``ready`` answers successfully; by default, when it answers at all.
    """
    with nullcontext(port) if port else reserved_port() as port:
        address = f"http://127.0.0.1:{port}"
        log = folder / f"serve-{port}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*dying_with_us("TERM"), *command(port)],
                env=environment(database_url, CONSUMO_HOST="127.0.0.1", CONSUMO_PORT=str(port)) | dict(settings or {}),
                cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        try:
            # One client for all attempts, because each new one reads all certificates of the machine.
            with httpx.Client(timeout=5, trust_env=False) as client:
                wait_until(lambda: _ready(client, address + ready, at_all=not ready), process, log)
            yield Server(address, database_url, log, process)
        finally:
            stop(process, signal.SIGTERM)


def _ready(client: httpx.Client, address: str, *, at_all: bool) -> bool:
    try:
        return client.get(address).is_success or at_all
    except httpx.HTTPError:
        return False
