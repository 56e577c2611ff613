"""PgBouncer before a database, as docs/operations.md sets it up."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import make_url

from tests.servers import ROOT, dying_with_us, reserved_port, stop

POOLER = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
_SETTINGS = ROOT / "docs" / "operations" / "pgbouncer.ini"


class Pooler:
    """PgBouncer with the documented settings; it can be killed and started."""

    def __init__(self, folder: Path, database_url: str, mode: str, *, documented: bool) -> None:
        assert POOLER
        url = make_url(database_url)
        with reserved_port() as port:
            pass
        self._settings = folder / "pgbouncer.ini"
        server = f"host={url.query.get('host') or url.host} port={url.port or url.query.get('port') or 5432}"
        server += f" dbname={url.database} user={url.username}"
        query = re.search(r"connect_query='.*'", _SETTINGS.read_text())
        assert query
        self._settings.write_text(
            f"[databases]\nd = {server} pool_mode={mode} {query[0] if documented else ''}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
            "max_client_conn = 500\n" + ("default_pool_size = 4\n" if mode == "transaction" else "")
        )
        self._settings.chmod(0o644)
        self._port = port
        self.url = f"postgresql://{url.username}@127.0.0.1:{port}/d"
        self.start()

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        # It refuses to run as root.
        user = ["--user", "postgres"] if os.geteuid() == 0 else []
        command = [*dying_with_us("KILL"), str(POOLER), "--quiet", *user, str(self._settings)]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(1200):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self._port)):
                return
            time.sleep(0.05)
        raise RuntimeError("PgBouncer does not accept connections")

    def kill(self) -> None:
        """SIGKILL: no connection is closed in order."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        stop(self._process, signal.SIGTERM)


@contextmanager
def pooling(database_url: str, mode: str, *, documented: bool = True) -> Iterator[Pooler]:
    """Run PgBouncer; without ``documented`` it sets no timeouts."""
    # The user of PgBouncer has to reach these settings.
    folder = Path(tempfile.mkdtemp(prefix="consumo-pooler-"))
    folder.chmod(0o755)
    try:
        pooler = Pooler(folder, database_url, mode, documented=documented)
        try:
            yield pooler
        finally:
            pooler.stop()
    finally:
        shutil.rmtree(folder)
