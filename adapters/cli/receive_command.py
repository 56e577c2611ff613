"""``consumo receive``: process admission messages (HL7 v2 ADT)."""

import asyncio
import signal
import ssl
import sys
import time
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path

import rich_click as click
from prometheus_client import start_http_server

from adapters.cli.common import OtherFile, must_be_current, parse_address
from adapters.cli.wiring import container_of
from adapters.hl7.folder import FileReport, MessageNotStored, process_file, process_folder
from adapters.hl7.mllp_server import MAX_CONNECTIONS, MllpServer, Network
from adapters.hl7.receiver import Receiver
from adapters.observability.logs import announcer, set_up_logs
from adapters.observability.metrics import MessageMetrics
from adapters.server.open_connections import raise_fd_limit, room
from adapters.settings.read_settings import read_settings
from adapters.wiring.container import Container

# Polling interval of the folder.
_POLL_SECONDS = 2.0
_OTHER_SETTINGS = (
    "The settings by which messages are read have changed. Restart “consumo serve” with the same ones: it reads held "
    "messages again."
)


@click.command("receive")
@click.argument("file", required=False, type=OtherFile(exists=True, dir_okay=False))
@click.option("--mllp", metavar="HOST:PORT", help="Address on which to receive messages, such as 0.0.0.0:2575.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder from which to read messages.",
)
@click.option(
    "--tls-cert",
    type=click.Path(exists=True, dir_okay=False),
    help="Certificate; with it and its key only TLS is accepted.",
)
@click.option("--tls-key", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--allow",
    multiple=True,
    metavar="NETWORK",
    help="Network that may connect, such as 10.0.0.0/24 (default: any); repeatable.",
)
@click.option("--metrics", "metrics_at", metavar="HOST:PORT", help="Address of the metrics of this process.")
def receive_command(
    file: Path | None,
    mllp: str | None,
    folder: Path | None,
    tls_cert: str | None,
    tls_key: str | None,
    allow: tuple[str, ...],
    metrics_at: str | None,
) -> None:
    """Receive the hospital's admission messages (HL7 v2 ADT).

    They come from the network with --mllp, from a folder with --folder, or from one FILE. A message that cannot be
    applied is held: it waits under Mensajes for an administrator. With a FILE the
    exit code is 1 if a message was refused, or if its trailers declare another
    number of messages.
    """
    if sum(way is not None for way in (file, mllp, folder)) != 1:
        raise click.UsageError("Give one of FILE, --mllp and --folder.")
    if bool(tls_cert) != bool(tls_key):
        raise click.UsageError("--tls-cert and --tls-key go together.")
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container:
        metrics = MessageMetrics(settings.name)
        receiver = _receiver(container, metrics)
        announce = announcer(settings.log_format, settings.name)
        if container.use_cases().inbound_messages.record_receiver_settings(receiver.parse.settings_digest):
            announce(_OTHER_SETTINGS)
        if metrics_at:
            host, port = parse_address("--metrics", metrics_at)
            start_http_server(port, host, metrics.registry)
        if file is not None:
            report = process_file(receiver, file)
            _print_result(file, report, announce)
            if report.refused or report.is_incomplete:
                sys.exit(1)
            return
        if folder is not None:
            set_up_logs(settings.log_format, settings.name)
            _poll_folder(receiver, folder, announce)
        elif mllp is not None:
            address, networks, tls = (
                parse_address("--mllp", mllp),
                [_network(one) for one in allow],
                _tls(tls_cert, tls_key),
            )
            set_up_logs(settings.log_format, settings.name)
            asyncio.run(_serve(receiver, address, networks, tls, announce))


def _receiver(container: Container, metrics: MessageMetrics) -> Receiver:
    use_cases = container.use_cases()
    return Receiver(
        parse=container.parse_message(),
        receive=use_cases.inbound_messages.receive,
        note_refused=use_cases.inbound_messages.note_refused,
        reprocess=use_cases.inbound_messages.reprocess_held,
        actor=use_cases.service_accounts.ensure_receiver(),
        zone=container.hospital().zone(),
        count=metrics.count_message,
        count_refused=metrics.count_refused,
    )


def _network(text: str) -> Network:
    try:
        return ip_network(text)
    except ValueError:
        raise click.UsageError(f"--allow {text}: give an address or a network, such as 10.0.0.0/24.") from None


def _tls(cert: str | None, key: str | None) -> ssl.SSLContext | None:
    if cert is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(cert, key)
    except (ssl.SSLError, OSError) as error:
        raise click.ClickException(f"--tls-cert: the certificate and its key cannot be used: {error}.") from None
    return context


async def _serve(
    receiver: Receiver,
    address: tuple[str, int],
    allowed: list[Network],
    tls: ssl.SSLContext | None,
    announce: Callable[[str], None],
) -> None:
    raise_fd_limit()
    server = MllpServer(receiver.answer, allowed, min(MAX_CONNECTIONS, room()))
    told_to_end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told_to_end.set)
    try:
        listening = await server.listen(*address, tls)
    except OSError as error:
        raise click.ClickException(f"--mllp: cannot listen there: {error.strerror}.") from None
    host, port = listening.sockets[0].getsockname()[:2]
    announce(f"Taking messages on {host}:{port}")
    await told_to_end.wait()
    await server.end(listening)


def _poll_folder(receiver: Receiver, folder: Path, announce: Callable[[str], None]) -> None:
    ending: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: ending.append(number))
    announce(f"Taking messages from {folder}")
    while not ending:
        try:
            for file, report in process_folder(receiver, folder):
                _print_result(file, report, announce)
                if ending:
                    break
        except (MessageNotStored, OSError) as error:
            announce(f"{error}: it is tried again.")
        time.sleep(0 if ending else _POLL_SECONDS)


def _print_result(file: Path, report: FileReport, announce: Callable[[str], None]) -> None:
    # A file name may contain control characters that a terminal interprets.
    name = "".join(letter if letter.isprintable() else "?" for letter in file.name)
    announce(f"{name}: {report.taken} taken, {report.held} of them held; {report.refused} refused")
    for line in report.lines[:50]:
        announce(f"  {line}")
