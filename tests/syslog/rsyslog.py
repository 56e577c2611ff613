"""A real log server: rsyslog, as docs/operations.md configures it."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from adapters.setting_values.destination import Destination
from tests.certificates import certificate
from tests.servers import ROOT, dying_with_us, reserved_port, stop, wait_until

_RSYSLOG = shutil.which("rsyslogd", path=f"{os.environ['PATH']}:/usr/sbin")
_MODULE = [*Path("/usr/lib").glob("*/rsyslog/lmnsd_ossl.so")]
needs_rsyslog = pytest.mark.skipif(
    not (_RSYSLOG and _MODULE and shutil.which("openssl")), reason="rsyslog-openssl is not installed"
)
_OPERATIONS = ROOT / "docs" / "operations"


class LogServer:
    """rsyslogd, which may be killed and started again."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder, self._port = folder, port
        self.kept = folder / "audit.log"
        self._certificate = certificate(folder, "logs")
        self.process: subprocess.Popen[bytes] | None = None
        shipped = (_OPERATIONS / "rsyslog-consumo.conf").read_text()
        places = {
            "/etc/rsyslog.d/consumo/": f"{folder}/",
            "/usr/local/bin/keep-audit-log": f"{_OPERATIONS}/keep-audit-log.sh",
            "/var/log/consumo/audit.log": str(self.kept),
            'port="6514"': f'port="{port}" address="127.0.0.1"',
        }
        for shown, ours in places.items():
            assert shown in shipped
            shipped = shipped.replace(shown, ours)
        for name in ("ca.pem", "server.pem", "server.key"):
            (folder / name).write_bytes(self._certificate.read_bytes())
        self._settings = folder / "rsyslog.conf"
        self._settings.write_text(f'global(workDirectory="{folder}")\n{shipped}')

    @property
    def destination(self) -> Destination:
        """Where it is reached, for Consumo."""
        return Destination(host="127.0.0.1", port=self._port, tls=True, ca=self._certificate)

    def start(self) -> None:
        """Start it, and wait until it listens."""
        assert _RSYSLOG
        log = self._folder / "rsyslog.log"
        with log.open("ab") as output:
            command = [_RSYSLOG, "-n", "-f", str(self._settings), "-i", str(self._folder / "rsyslog.pid")]
            self.process = subprocess.Popen([*dying_with_us("KILL"), *command], stdout=output, stderr=output)
        wait_until(self._listens, self.process, log)

    def stop(self, by: signal.Signals) -> None:
        """Stop or kill it, and wait for its end."""
        assert self.process
        stop(self.process, by)
        (self._folder / "rsyslog.pid").unlink(missing_ok=True)

    def entries(self) -> list[dict[str, Any]]:
        """Return what it has kept. A line that is being written is left out."""
        lines = self.kept.read_bytes().split(b"\n")[:-1] if self.kept.exists() else []
        return [json.loads(line) for line in lines]

    def _listens(self) -> bool:
        # State 0A in the kernel's table; a connection would be one of the messages.
        rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
        return any(f":{self._port:04X}" in (row := one.split())[1] and row[3] == "0A" for one in rows)


@contextmanager
def a_log_server(folder: Path) -> Iterator[LogServer]:
    """Run a log server until the block ends."""
    with reserved_port() as port:
        server = LogServer(folder, port)
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGKILL)
