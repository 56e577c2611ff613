"""Emails by SMTP, where the hospital has set it up."""

import logging
import smtplib
import ssl
from datetime import UTC, datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid
from queue import SimpleQueue
from threading import Thread
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from adapters.i18n import messages
from application.ports.mail import MailMessage

log = logging.getLogger("consumo.mail")

_PATIENCE_SECONDS = 20
# When the server ends, it waits so long for emails that are on their way, and no longer.
_LAST_EMAILS_SECONDS = 3

# The last four are what the standard library raises for an address to which no email can be addressed.
_FAILURES = (OSError, smtplib.SMTPException, MessageError, ValueError, LookupError, AttributeError)


class SmtpMailer:
    """Sends emails through ``smtp://user:password@host:port?from=address`` (``smtps`` for TLS from the start).

    An email may hold a link that opens an account: it is sent over TLS, unless the address says ``tls=none``, as for a
    mail server on the same machine.

    Sending happens behind the caller's back, so that an answer takes as long whether or not there is an email to send.
    """

    def __init__(self, url: str) -> None:
        self._url = urlsplit(url)
        self._emails: SimpleQueue[MailMessage | None] = SimpleQueue()
        # A daemon: a mail server that does not answer does not keep the process from ending.
        self._sending = Thread(target=self._deliver_all, name="mail", daemon=True)
        self._sending.start()

    @property
    def delivers(self) -> bool:
        """Emails go out."""
        return True

    def send(self, email: MailMessage) -> None:
        """Hand an email over."""
        self._emails.put(email)

    def close(self) -> None:
        """Wait a moment for what is being sent."""
        self._emails.put(None)
        self._sending.join(_LAST_EMAILS_SECONDS)
        if self._sending.is_alive():
            log.error("Letters that were still being sent are given up")

    def _deliver_all(self) -> None:
        while email := self._emails.get():
            try:
                message = self._message(email)
                with _connect(self._url) as server:
                    server.send_message(message)
            except _FAILURES as error:
                # Without address and link: neither belongs in a log.
                log.error("A letter (%s) could not be sent: %s", email.occasion, type(error).__name__)

    def _message(self, email: MailMessage) -> EmailMessage:
        message = EmailMessage()
        sender = parse_qs(self._url.query).get("from", [f"consumo@{self._url.hostname}"])[0]
        message["From"] = sender
        # As one plain address: as a header's text, "a,b@c.d" would be two people, "x<b@c.d>" another one.
        message["To"] = Address(addr_spec=email.to)
        message["Date"] = datetime.now(UTC)
        message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2].rstrip("> "))
        message["Subject"] = messages.email(email.language, f"{email.occasion}.subject")
        message.set_content(
            messages.email(email.language, f"{email.occasion}.text").format(
                url=email.url, at=f"{email.at:%Y-%m-%d %H:%M} UTC"
            )
        )
        return message


class NoMailer:
    """Where no mail is set up, links are handed over by whoever made them."""

    @property
    def delivers(self) -> bool:
        """Nothing does."""
        return False

    def send(self, email: MailMessage) -> None:
        """Nothing leaves the house."""

    def close(self) -> None:
        """Nothing is under way."""


def _connect(url: SplitResult) -> smtplib.SMTP:
    host, user = url.hostname or "", url.username
    server: smtplib.SMTP
    if url.scheme == "smtps":
        server = smtplib.SMTP_SSL(
            host, url.port or 465, timeout=_PATIENCE_SECONDS, context=ssl.create_default_context()
        )
    else:
        server = smtplib.SMTP(host, url.port or 25, timeout=_PATIENCE_SECONDS)
        if parse_qs(url.query).get("tls") != ["none"]:
            # Raises where the server does not offer it.
            server.starttls(context=ssl.create_default_context())
    if user:
        server.login(unquote(user), unquote(url.password or ""))
    return server
