"""What counts as delivered, with receivers that end early."""

import shutil
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from adapters.setting_values.destination import Destination
from adapters.syslog.tls_client import NotDelivered, deliver
from tests.certificates import certificate
from tests.pace import PATIENCE

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="nothing here makes certificates")
# More than the buffers of both sides hold, and less.
MESSAGES = [b"x" * 900] * 40


@contextmanager
def receiving(file: Path, behave: Callable[[ssl.SSLSocket], object]) -> Iterator[Destination]:
    """Listen for one connection, and treat it like this before closing it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            accepted, _ = listener.accept()
            with suppress(OSError), context.wrap_socket(accepted, server_side=True) as connection:
                behave(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        port = listener.getsockname()[1]
        yield Destination(host="127.0.0.1", port=port, tls=True, ca=file)
        thread.join()


def read_all(connection: ssl.SSLSocket) -> bytes:
    return b"".join(iter(lambda: connection.recv(65_536), b""))


def confirm(connection: ssl.SSLSocket) -> None:
    read_all(connection)
    connection.unwrap()


def end_early(connection: ssl.SSLSocket) -> None:
    """Send close_notify after the first bytes, as in a restart."""
    connection.recv(10)
    connection.setblocking(False)
    with suppress(ssl.SSLWantReadError):
        connection.unwrap()


def test_messages_are_framed_by_their_length(tmp_path: Path) -> None:
    got: list[bytes] = []

    def behave(connection: ssl.SSLSocket) -> None:
        got.append(read_all(connection))
        connection.unwrap()

    with receiving(certificate(tmp_path, "logs"), behave) as destination:
        deliver(destination, [b"<110>1 a", b"<108>1 bcd"], seconds=PATIENCE)
    assert got == [b"8 <110>1 a10 <108>1 bcd"]


@pytest.mark.parametrize(
    ("behave", "why"),
    [
        (read_all, "without confirming"),
        (lambda connection: connection.recv(10), "without confirming"),
        (end_early, "the receiver ended the connection"),
    ],
    ids=["reads all and is killed", "is killed", "is restarted"],
)
def test_without_confirmation_nothing_is_delivered(
    tmp_path: Path, behave: Callable[[ssl.SSLSocket], object], why: str
) -> None:
    with (
        receiving(certificate(tmp_path, "logs"), behave) as destination,
        pytest.raises(NotDelivered, match=why),
    ):
        deliver(destination, MESSAGES, seconds=PATIENCE)


def test_a_receiver_that_reads_nothing_is_given_up(tmp_path: Path) -> None:
    given_up = threading.Event()
    with receiving(certificate(tmp_path, "logs"), lambda _: given_up.wait()) as destination:
        with pytest.raises(NotDelivered, match=r"no answer within 0\.1 s"):
            deliver(destination, MESSAGES * 1_000, seconds=0.1)
        given_up.set()


def test_the_receiver_must_prove_its_name(tmp_path: Path) -> None:
    theirs, other = certificate(tmp_path, "logs"), certificate(tmp_path, "other")
    with receiving(theirs, confirm) as destination:
        unproved = Destination(host=destination.host, port=destination.port, tls=True, ca=other)
        with pytest.raises(NotDelivered, match="the receiver's certificate is not believed"):
            deliver(unproved, MESSAGES)
