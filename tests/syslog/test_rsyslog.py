"""rsyslog gets every entry in order, killed, slow and full."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adapters.cli.send_audit_command import send_entries
from adapters.sql.audit.unsent_entries import UnsentEntries
from adapters.syslog.message import message_of
from adapters.syslog.tls_client import deliver
from tests.pace import PATIENCE
from tests.syslog.entries import HOSTILE, append_entries
from tests.syslog.rsyslog import LogServer, a_log_server, needs_rsyslog

pytestmark = [needs_rsyslog, pytest.mark.walk]
COUNT = 3_000


@pytest.fixture
def log_server(tmp_path: Path) -> Iterator[LogServer]:
    (tmp_path / "rsyslog").mkdir()
    with a_log_server(tmp_path / "rsyslog") as server:
        yield server


@contextmanager
def sending(url: str, server: LogServer, seconds: float) -> Iterator[UnsentEntries]:
    """Send in the background. ``seconds`` is how long a confirmation may take."""
    entries, stop = UnsentEntries(url), threading.Event()
    to_message = partial(message_of, host="ward", hospital="")
    sender = threading.Thread(
        target=send_entries,
        args=(entries, lambda found: deliver(server.destination, map(to_message, found), seconds=seconds), stop),
        kwargs={"once": False},
    )
    sender.start()
    try:
        yield entries
    finally:
        stop.set()
        sender.join()
        entries.close()


def wait_for(seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not seen():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def first_of_each(kept: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries in the order in which each arrived first."""
    found: dict[int, dict[str, Any]] = {}
    for one in kept:
        found.setdefault(one["id"], one)
    return [*found.values()]


def must_have_everything(server: LogServer, ids: list[int]) -> None:
    """Compare ids and their order, and hostile values."""
    firsts = first_of_each(server.entries())
    assert [one["id"] for one in firsts] == ids
    for number, one in enumerate(firsts):
        assert one["changes"]["name"] == [None, HOSTILE[number % len(HOSTILE)]]


def test_a_killed_receiver_gets_everything(sqlite_url: str, log_server: LogServer) -> None:
    ids = append_entries(sqlite_url, COUNT)
    with sending(sqlite_url, log_server, PATIENCE) as entries:
        for by in (signal.SIGKILL, signal.SIGTERM) * 3:
            few = len(log_server.entries())
            wait_for(lambda few=few: len(log_server.entries()) > few)  # type: ignore[misc]
            log_server.stop(by)
            log_server.start()
        wait_for(lambda: not entries.exist())
    must_have_everything(log_server, ids)


@pytest.mark.parametrize("state", ["stopped", "full"])
def test_a_receiver_that_confirms_nothing_gets_all_later(sqlite_url: str, log_server: LogServer, state: str) -> None:
    ids = append_entries(sqlite_url, 200)
    assert log_server.process
    if state == "stopped":
        log_server.process.send_signal(signal.SIGSTOP)
    else:
        log_server.kept.symlink_to("/dev/full")
    with sending(sqlite_url, log_server, 0.5) as entries:
        wait_for(lambda: entries.problem() is not None)
        assert entries.problem() == "no answer within 0.5 s"
        assert entries.exist()
        if state == "stopped":
            log_server.process.send_signal(signal.SIGCONT)
        else:
            log_server.kept.unlink()
        wait_for(lambda: not entries.exist())
        assert entries.problem() is None
    must_have_everything(log_server, ids)
