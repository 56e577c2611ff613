"""Where messages go: to a receiver over MLLP, or into a folder."""

import ssl
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """A receiver's ``host`` and ``port``, or a ``folder``.

    Over ``tls`` the receiver shows a certificate by the authorities in ``ca``, the system's when there is none, and we
    ours: ``cert`` with its ``key``.
    """

    host: str = ""
    port: int = 0
    folder: Path | None = None
    tls: bool = False
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def security(self) -> ssl.SSLContext | None:
        """How the connection is made safe; None where it is not."""
        if not self.tls:
            return None
        context = ssl.create_default_context(cafile=self.ca)
        if self.cert:
            context.load_cert_chain(self.cert, self.key)
        return context
