"""``consumo send-audit``: send the audit log to the hospital's log server."""

import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from types import FrameType

import rich_click as click

from adapters.cli.common import console, must_be_current
from adapters.observability.logs import set_up_logs
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.read_settings import read_settings
from adapters.sql.audit.complete_entries import WritesInProgress
from adapters.sql.audit.unsent_entries import UnsentEntries
from adapters.sql.errors import translate_errors
from adapters.syslog.message import message_of
from adapters.syslog.tls_client import NotDelivered, deliver
from application.audit.views import AuditView
from application.common.store_errors import StoreUnavailable

log = logging.getLogger("consumo.send-audit")

# Polling interval of the audit log.
POLL_SECONDS = 1.0
# Entries of one connection. After a failure it is one, so that a slow receiver confirms at least this one in time.
MAX_ENTRIES = 512
# After a failure the wait doubles from one second to this.
MAX_WAIT_SECONDS = 60.0

Send = Callable[[list[AuditView]], None]


@click.command("send-audit")
@click.option("--once", is_flag=True, help="Send and end; with 1 if the log server did not confirm all entries.")
def send_audit_command(*, once: bool) -> None:
    """Send the audit log to the hospital's log server until it is stopped.

    Entries go in order, and again until the log server confirms them (syslog over TLS, RFC 5424 and 5425). Of several
    of these processes one sends. On SIGTERM the command first waits for the confirmation of those that it has sent, for
    a minute at most.
    """
    settings = read_settings()
    must_be_current(settings)
    destination = settings.audit_destination
    if destination is None:
        raise InvalidSetting(
            "CONSUMO_AUDIT_DESTINATION: not set; enter a destination such as syslog-tls://logs.example:6514."
        )
    stop = threading.Event()

    def end(_: int, __: FrameType | None) -> None:
        stop.set()

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, end)
    set_up_logs(settings.log_format, settings.name)
    entries = UnsentEntries(settings.database_url)
    to_message = partial(message_of, host=socket.gethostname(), hospital=settings.name)
    try:
        failed = send_entries(entries, lambda found: deliver(destination, map(to_message, found)), stop, once=once)
    finally:
        entries.close()
    if once:
        console.print("The log server did not take everything." if failed else "Everything is sent.")
        sys.exit(int(failed))


def send_entries(entries: UnsentEntries, send: Send, stop: threading.Event, *, once: bool) -> bool:
    """Send entries until ``stop`` is set, or those that are there ``once``.

    Return whether that failed: the first failure ends it.
    """
    most, failures = MAX_ENTRIES, 0
    while not stop.is_set():
        try:
            with translate_errors():
                sent = send_next(entries, send, most)
        except NotDelivered as problem:
            log.warning("The audit log is not sent for now: %s", problem)
            most, failures = 1, failures + 1
        except WritesInProgress:
            log.warning("The audit log is not sent for now: another process has been writing for a minute")
            failures += 1
        except StoreUnavailable as error:
            if once:
                raise
            log.warning("The audit log is not sent for now: the database is %s", error.reason)
            failures += 1
        else:
            failures = 0
            if sent:
                most = min(2 * most, MAX_ENTRIES)
            elif once:
                return sent is None
            else:
                stop.wait(POLL_SECONDS)
        if failures and once:
            return True
        if failures:
            stop.wait(min(2.0 ** min(failures - 1, 10), MAX_WAIT_SECONDS))
    return False


def send_next(entries: UnsentEntries, send: Send, most: int) -> int | None:
    """Send the next entries, and return their number.

    It is None while another process sends. Raise ``NotDelivered`` if the receiver does not confirm them.
    """
    if not entries.exist():
        return 0
    if not entries.claim(datetime.now(UTC)):
        return None
    try:
        found = entries.next(most)
        if not found:
            return 0
        try:
            send(found)
        except NotDelivered as problem:
            entries.note(str(problem))
            raise
        entries.confirm(found[-1]["id"])
        return len(found)
    finally:
        entries.release(datetime.now(UTC))
