"""Destination of messages: an MLLP receiver or a folder."""

import ssl
from dataclasses import dataclass
from pathlib import Path


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
