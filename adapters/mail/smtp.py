"""Emails by SMTP, if the hospital has configured it."""

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

from adapters.i18n import messages
from adapters.setting_values.mail_server import MailServer
from application.common.mail import MailFailure, MailMessage

log = logging.getLogger("consumo.mail")

_PATIENCE_SECONDS = 20
# A user waits for the result of a test.
_TEST_PATIENCE_SECONDS = 8
# Grace period for emails in progress when the server ends.
_LAST_EMAILS_SECONDS = 3

# The last four are raised by the standard library for invalid recipient addresses.
_FAILURES = (OSError, smtplib.SMTPException, MessageError, ValueError, LookupError, AttributeError)


class SmtpMailer:
    """Sends emails through a mail server.

    Emails are sent in a background thread, so that the response time does not reveal whether there is an email to send.
    """

    def __init__(self, server: MailServer) -> None:
        self._server = server
        self._emails: SimpleQueue[MailMessage | None] = SimpleQueue()
        # A daemon thread: a mail server that does not answer does not keep the process from ending.
        self._sending = Thread(target=self._deliver_all, name="mail", daemon=True)
        self._sending.start()

    @property
    def delivers(self) -> bool:
        """Return True: emails are sent."""
        return True

    def send(self, email: MailMessage) -> None:
        """Queue an email."""
        self._emails.put(email)

    def deliver(self, email: MailMessage) -> MailFailure | None:
        """Send an email now. Return why the mail server did not accept it."""
        try:
            message = self._message(email)
            with connect_to_mail_server(self._server, _TEST_PATIENCE_SECONDS) as server:
                server.send_message(message)
        except _FAILURES as error:
            log.error("A letter (%s) could not be sent: %s", email.occasion, type(error).__name__)
            return _failure_of(error)
        return None

    def close(self) -> None:
        """Wait a limited time for queued emails."""
        self._emails.put(None)
        self._sending.join(_LAST_EMAILS_SECONDS)
        if self._sending.is_alive():
            log.error("Letters that were still being sent are given up")

    def _deliver_all(self) -> None:
        while email := self._emails.get():
            try:
                message = self._message(email)
                with connect_to_mail_server(self._server) as server:
                    server.send_message(message)
            except _FAILURES as error:
                # Neither the address nor the link belongs in a log.
                log.error("A letter (%s) could not be sent: %s", email.occasion, type(error).__name__)

    def _message(self, email: MailMessage) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._server.sender
        # As a single address: in a plain header, "a,b@c.d" would be two recipients, and "x<b@c.d>" a different one.
        message["To"] = Address(addr_spec=email.to)
        message["Date"] = datetime.now(UTC)
        message["Message-ID"] = make_msgid(domain=self._server.domain)
        message["Subject"] = messages.email(email.language, f"{email.occasion}.subject")
        message.set_content(
            messages.email(email.language, f"{email.occasion}.text").format(
                url=email.url, at=f"{email.at:%Y-%m-%d %H:%M} UTC"
            )
        )
        return message


class NoMailer:
    """Null mailer: without SMTP, users hand over the links they create."""

    @property
    def delivers(self) -> bool:
        """Return False: no emails are sent."""
        return False

    def send(self, email: MailMessage) -> None:
        """Discard the email."""

    def deliver(self, email: MailMessage) -> MailFailure | None:  # noqa: ARG002
        """Return that there is no mail server."""
        return MailFailure.UNREACHABLE

    def close(self) -> None:
        """Do nothing."""


def _failure_of(error: Exception) -> MailFailure:
    """Return what an administrator has to look at."""
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return MailFailure.LOGIN_REFUSED
    # The server offers no TLS, or its certificate is not valid.
    if isinstance(error, smtplib.SMTPNotSupportedError | ssl.SSLError):
        return MailFailure.NOT_ENCRYPTED
    if isinstance(error, smtplib.SMTPServerDisconnected | smtplib.SMTPConnectError):
        return MailFailure.UNREACHABLE
    # Errors of SMTP are errors of the operating system, too.
    if isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException):
        return MailFailure.UNREACHABLE
    return MailFailure.REFUSED


def connect_to_mail_server(mail_server: MailServer, patience: float = _PATIENCE_SECONDS) -> smtplib.SMTP:
    """Connect and sign in."""
    host, port = mail_server.host, mail_server.port
    server: smtplib.SMTP
    if mail_server.implicit_tls:
        server = smtplib.SMTP_SSL(host, port, timeout=patience, context=ssl.create_default_context())
    else:
        server = smtplib.SMTP(host, port, timeout=patience)
        if mail_server.tls:
            # Raises if the server does not offer TLS.
            server.starttls(context=ssl.create_default_context())
    if mail_server.user:
        server.login(mail_server.user, mail_server.password)
    return server
