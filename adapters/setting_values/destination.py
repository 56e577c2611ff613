"""Destination of messages: a receiver in the network, or a folder."""

import socket
import ssl
from dataclasses import dataclass
from pathlib import Path

CONNECT_SECONDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """A receiver's ``host`` and ``port``, or a ``folder``.

    With ``tls`` the receiver's certificate is checked against the authorities in ``ca``, or the system's ones. ``cert``
    and ``key`` are our client certificate.
    """

    host: str = ""
    port: int = 0
    folder: Path | None = None
    tls: bool = False
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def security(self) -> ssl.SSLContext | None:
        """Return the TLS context of the connection; None without TLS."""
        if not self.tls:
            return None
        context = ssl.create_default_context(cafile=self.ca)
        if self.cert:
            context.load_cert_chain(self.cert, self.key)
        return context


def connect(destination: Destination, security: ssl.SSLContext | None) -> socket.socket:
    """Connect to a receiver. Raise ``OSError``."""
    connection = socket.create_connection((destination.host, destination.port), timeout=CONNECT_SECONDS)
    try:
        if security is not None:
            connection = security.wrap_socket(connection, server_hostname=destination.host)
    except BaseException:
        connection.close()
        raise
    return connection


def error_text(error: Exception) -> str:
    """Return why a message could not be delivered, in one phrase."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the receiver's certificate is not believed: {error.verify_message}"
    return str(getattr(error, "strerror", None) or error)
