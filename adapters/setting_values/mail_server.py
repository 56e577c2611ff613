"""The hospital's mail server, as a URL names it."""

import re
from dataclasses import dataclass, field
from email.errors import MessageError
from email.message import EmailMessage
from urllib.parse import unquote

_URL = re.compile(
    r"(?P<scheme>smtps?)://(?:(?P<user>[^/?#:@]+)(?::(?P<password>[^/?#:@]+))?@)?"
    r"(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?/?(?:\?(?P<query>[^#]*))?"
)
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PORTS = {"smtp": 25, "smtps": 465}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """Where and as whom emails are sent.

    An email may contain a link that opens an account, so it is sent over TLS, from the start or after connecting,
    unless ``tls`` is off, as for a mail server on the same machine.
    """

    host: str
    port: int
    sender: str
    user: str | None = None
    password: str = field(default="", repr=False)
    implicit_tls: bool = False
    tls: bool = True

    @property
    def domain(self) -> str:
        """Return the domain of the sender's address."""
        return _address_of(self.sender).rpartition("@")[2]


def parse_mail_server(url: str) -> MailServer:
    """Parse ``smtp://user:password@host:port?from=address&tls=none``.

    Raise ``ValueError``, without any part of the URL.
    """
    parts = _URL.fullmatch(url)
    if parts is None or _LONE_PERCENT.search(url):
        raise ValueError("it is no such URL")
    query = dict(one.partition("=")[::2] for one in (parts["query"] or "").split("&") if one)
    if not query.keys() <= {"from", "tls"} or query.get("tls", "none") != "none":
        raise ValueError("only from=ADDRESS and tls=none are known after the question mark")
    host = parts["host"].strip("[]")
    port = int(parts["port"] or _PORTS[parts["scheme"]])
    if not 1 <= port <= 65_535:
        raise ValueError("the port is no number from 1 to 65535")
    user, password = (unquote(parts[name]) if parts[name] else None for name in ("user", "password"))
    if not f"{user}{password}".isascii():
        raise ValueError("user and password can have ASCII characters only")
    # A plus is one: a blank is %20.
    sender = unquote(query.get("from", f"consumo@{host}"))
    if not _address_of(sender):
        raise ValueError("from is not one email address")
    return MailServer(
        host=host,
        port=port,
        sender=sender,
        user=user,
        password=password or "",
        implicit_tls=parts["scheme"] == "smtps",
        tls="tls" not in query,
    )


def _address_of(sender: str) -> str:
    """Return the address of a sender such as ``Consumo <a@b.c>``, or ''."""
    message = EmailMessage()
    try:
        message["From"] = sender
        [address] = message["From"].addresses
    except (MessageError, ValueError, LookupError, AttributeError):
        return ""
    is_whole = address.username and address.domain and address.addr_spec.isascii() and not message["From"].defects
    return address.addr_spec if is_whole else ""
