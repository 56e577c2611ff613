"""Connections through PgBouncer."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from adapters.sql.engine.connections import Limits, connect_for_writing, shares_connections, to_url
from tests.servers import reserved_port

pytestmark = pytest.mark.postgresql
_POOLER = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
needs_pooler = pytest.mark.skipif(_POOLER is None, reason="pgbouncer, of the package of that name, is not installed")


@contextmanager
def pooling(database_url: str, mode: str) -> Iterator[str]:
    """Run PgBouncer with its own defaults, and yield the URL through it."""
    url = make_url(database_url)
    with reserved_port() as port:
        pass
    # It refuses to run as root: the user of the server reaches the socket, and has to reach these settings.
    folder = Path(tempfile.mkdtemp(prefix="consumo-pooler-"))
    folder.chmod(0o755)
    settings = folder / "pgbouncer.ini"
    host, server_port = url.query.get("host") or url.host, url.port or url.query.get("port") or 5432
    settings.write_text(
        f"[databases]\nd = host={host} port={server_port} dbname={url.database} user={url.username}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        f"pool_mode = {mode}\n"
    )
    assert _POOLER
    settings.chmod(0o644)
    user = ["--user", "postgres"] if os.geteuid() == 0 else []
    pooler = subprocess.Popen([_POOLER, "--quiet", *user, settings], stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield f"postgresql://{url.username}@127.0.0.1:{port}/d"
    finally:
        pooler.terminate()
        pooler.wait()
        shutil.rmtree(folder)


def test_connections_of_the_server_itself_are_not_shared(postgresql_url: str, sqlite_url: str) -> None:
    assert not shares_connections(postgresql_url)
    assert not shares_connections(sqlite_url)


@needs_pooler
def test_a_pooler_needs_no_startup_parameter_ignored(postgresql_url: str) -> None:
    with pooling(postgresql_url, "session") as url:
        assert not shares_connections(url)
        engine = connect_for_writing(to_url(url), Limits(statement_timeout=7))
        with engine.connect() as connection:
            assert connection.execute(text("SHOW statement_timeout")).scalar_one() == "7s"
        engine.dispose()


@needs_pooler
def test_a_pooler_of_transactions_is_noticed(postgresql_url: str) -> None:
    with pooling(postgresql_url, "transaction") as url:
        assert shares_connections(url)
