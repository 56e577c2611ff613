"""Litestream, a program that copies an SQLite file while it is used."""

import json
import socket
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

# Its tables in our file.
OWN_TABLES = frozenset({"_litestream_lock", "_litestream_seq"})

_PATIENCE_SECONDS = 2
_MAX_ANSWER_BYTES = 1_000_000
# Nothing was ever copied: the first moment of Go's calendar.
_NEVER = datetime(1, 1, 1, tzinfo=UTC)


class _SocketConnection(HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=_PATIENCE_SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def last_copied_at(control_socket: Path, database: Path) -> datetime | None:
    """Ask Litestream when its replica of the file was last complete.

    None if it does not answer, or does not copy this file.
    """
    try:
        with closing(_SocketConnection(control_socket)) as connection:
            connection.request("GET", "/list")
            listed = json.loads(connection.getresponse().read(_MAX_ANSWER_BYTES))["databases"]
        return next((_moment(one["last_sync_at"]) for one in listed if Path(one["path"]).resolve() == database), None)
    except (OSError, HTTPException, ValueError, KeyError, TypeError, AttributeError):
        return None


def _moment(text: Any) -> datetime | None:
    moment = datetime.fromisoformat(text).astimezone(UTC)
    return None if moment == _NEVER else moment
