"""Delivery of syslog messages over TLS (RFC 5425)."""

import fcntl
import socket
import ssl
import struct
import termios
from collections.abc import Iterable

from adapters.setting_values.destination import Destination, connect, error_text
from adapters.syslog.message import framed

# How long the receiver may take to accept the messages, and to confirm them.
ANSWER_SECONDS = 30


class NotDelivered(Exception):
    """The receiver has not confirmed the messages; its text says why."""


def deliver(destination: Destination, messages: Iterable[bytes], *, seconds: float = ANSWER_SECONDS) -> None:
    """Send messages over one connection until the receiver confirms them.

    Syslog has no acknowledgement, so the end of the connection is one. A receiver answers our close_notify with its
    own (RFC 5425, 4.4) after it has read everything before. Raise ``NotDelivered``; then any of the messages may have
    arrived.
    """
    try:
        with connect(destination, destination.security()) as connection:
            assert isinstance(connection, ssl.SSLSocket), "syslog destinations have TLS"
            connection.settimeout(seconds)
            plain = _send(connection, b"".join(map(framed, messages)))
            if not _has_read_everything(plain):
                raise NotDelivered("the receiver ended the connection before it had read everything")
    except TimeoutError:
        raise NotDelivered(f"no answer within {seconds:g} s") from None
    except (OSError, UnicodeError) as error:
        raise NotDelivered(error_text(error)) from error


def _send(connection: ssl.SSLSocket, content: bytes) -> socket.socket:
    """Send the content and close_notify, and await the receiver's.

    Return the TCP connection.
    """
    try:
        connection.sendall(content)
        return connection.unwrap()
    except TimeoutError:
        raise
    except OSError:
        # It was killed, or never sends a close_notify.
        raise NotDelivered("the receiver ended the connection without confirming it (TLS close_notify)") from None


def _has_read_everything(connection: socket.socket) -> bool:
    """Return whether the receiver ended after it had read all bytes.

    It may also end by itself, as in a restart: what it has received and not read resets the connection, and what was
    still under way is not acknowledged.
    """
    try:
        connection.recv(1)
    except ConnectionError:
        return False
    [unacknowledged] = struct.unpack("i", fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)))
    return bool(unacknowledged == 0)
