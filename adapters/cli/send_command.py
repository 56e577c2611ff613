"""``consumo send``: deliver the outbox to billing (HL7 v2 DFT)."""

import logging
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Protocol

import rich_click as click

from adapters.cli.common import console, must_be_current
from adapters.cli.wiring import container_of
from adapters.hl7.folder import FolderWriter
from adapters.hl7.mllp_client import MllpClient
from adapters.observability.logs import set_up_logs
from adapters.setting_values.destination import Destination
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.read_settings import read_settings
from application.billing.outbound_messages import DeliveryResult
from application.common.store_errors import StoreUnavailable
from application.use_cases import UseCases
from domain.interop.outbound_message import OutboundMessage, OutboundState

log = logging.getLogger("consumo.send")

# Polling interval of the outbox.
POLL_SECONDS = 1.0
# Wait after the database was unavailable.
_UNAVAILABLE_SECONDS = 5.0


class Transport(Protocol):
    """A channel that delivers messages to their receiver."""

    def send(self, message: OutboundMessage) -> DeliveryResult: ...

    def close(self) -> None: ...


@click.command("send")
@click.option("--once", is_flag=True, help="Send what is due and exit, with 1 if a message was refused.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each message to a file in this folder instead, such as to carry them over while the network is down.",
)
def send_command(*, once: bool, folder: Path | None) -> None:
    """Send messages about closings to billing until it is stopped.

    Messages of one sheet are sent in order, and again until they are accepted. Several senders may run at once. On
    SIGTERM the command first waits for the answer to the message in progress, for thirty seconds at most.
    """
    settings = read_settings()
    must_be_current(settings)
    if settings.dft_destination is None and folder is None:
        raise InvalidSetting("CONSUMO_DFT_DESTINATION: not set; enter a destination such as mllp://host:6661.")
    stop = threading.Event()

    def end(_: int, __: FrameType | None) -> None:
        stop.set()

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, end)
    set_up_logs(settings.log_format, settings.name)
    with container_of(settings) as container:
        transport = transport_for(settings.dft_destination, folder)
        failed = send_all(container.use_cases(), transport, stop, once=once)
    if once:
        console.print("Nothing is due any more." if not failed else f"{failed} were not taken.")
    if failed and once:
        sys.exit(1)


def transport_for(destination: Destination | None, folder: Path | None) -> Transport:
    """Return a writer for the folder if given, otherwise the destination's."""
    if folder:
        return FolderWriter(folder)
    assert destination is not None, "asked before"
    return FolderWriter(destination.folder) if destination.folder else MllpClient(destination)


def send_all(use_cases: UseCases, transport: Transport, stop: threading.Event, *, once: bool) -> int:
    """Send due messages until ``stop`` is set, or ``once``; count failures."""
    failed = 0
    while not stop.is_set():
        try:
            message = send_next(use_cases, transport.send)
        except StoreUnavailable as error:
            if once:
                raise
            log.warning("The database is %s: nothing is sent for now", error.reason)
            stop.wait(_UNAVAILABLE_SECONDS)
            continue
        if message is not None:
            failed += message.state is not OutboundState.SENT
        elif once:
            break
        else:
            # Don't hold an idle connection open until the next message, which may be an hour away.
            transport.close()
            stop.wait(POLL_SECONDS)
    transport.close()
    return failed


def send_next(use_cases: UseCases, send: Callable[[OutboundMessage], DeliveryResult]) -> OutboundMessage | None:
    """Send the next due message and return its new state; None if none is due."""
    claimed = use_cases.outbound_messages.claim_due()
    if claimed is None:
        return None
    result = send(claimed)
    message = use_cases.outbound_messages.record_delivery(claimed.id, result)
    # Of the receiver's answer only codes are logged: its texts may contain the patient's name.
    log.log(
        logging.INFO if message.state is OutboundState.SENT else logging.WARNING,
        "Message %s of sheet %s is %s after %s tries%s",
        message.control_id,
        message.sheet_id,
        message.state,
        message.tries,
        f": {result.cause}" if result.cause else "",
    )
    return message
