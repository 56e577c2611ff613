"""Connections to other systems, for the diagnosis; nothing is sent."""

import os
import smtplib
import socket
import urllib.error
import urllib.request
from http.client import HTTPException

from adapters.mail.smtp import connect_to_mail_server
from adapters.setting_values.destination import Destination
from adapters.setting_values.mail_server import MailServer

_PATIENCE_SECONDS = 5
_MAX_ANSWER_BYTES = 10_000


def address_problem(address: str) -> str | None:
    """Return why the server does not answer there; None if it does."""
    try:
        with urllib.request.urlopen(f"{address}/health/live", timeout=_PATIENCE_SECONDS) as answer:  # noqa: S310
            answer.read(_MAX_ANSWER_BYTES)
    except urllib.error.HTTPError as error:
        return f"status {error.code}"
    except urllib.error.URLError as error:
        return _reason(error.reason) if isinstance(error.reason, Exception) else str(error.reason)
    except (OSError, HTTPException, UnicodeError, ValueError) as error:
        return _reason(error)
    return None


def mail_problem(server: MailServer) -> str | None:
    """Return why the mail server is unusable: connection, TLS or sign-in."""
    try:
        connect_to_mail_server(server, _PATIENCE_SECONDS).quit()
    except smtplib.SMTPResponseException as error:
        return f"status {error.smtp_code}"
    except (OSError, smtplib.SMTPException, UnicodeError) as error:
        return _reason(error)
    return None


def destination_problem(destination: Destination) -> str | None:
    """Return why nothing can be delivered there; None if it can."""
    if destination.folder:
        if not destination.folder.is_dir():
            return f"{destination.folder} is no folder"
        return None if os.access(destination.folder, os.W_OK | os.X_OK) else f"{destination.folder} is not writable"
    try:
        address = (destination.host, destination.port)
        security = destination.security()
        with socket.create_connection(address, timeout=_PATIENCE_SECONDS) as connection:
            if security:
                security.wrap_socket(connection, server_hostname=destination.host).close()
    except (OSError, UnicodeError) as error:
        return _reason(error)
    return None


def _reason(error: Exception) -> str:
    """Return the system's words for an error, without addresses or secrets."""
    return str(getattr(error, "strerror", None) or getattr(error, "verify_message", None) or type(error).__name__)
