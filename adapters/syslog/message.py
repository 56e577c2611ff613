"""Audit entries as syslog messages (RFC 5424)."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from application.audit.views import AuditView
from application.common.entities import FAILURES

# Facility 13 (log audit), with the severity.
_INFORMATIONAL = 13 * 8 + 6
_WARNING = 13 * 8 + 4

_MAX_HOST = 255
_MAX_MESSAGE_ID = 32
_NOT_PRINTABLE = re.compile(r"[^!-~]")


def message_of(entry: AuditView, *, host: str, hospital: str) -> bytes:
    """Return an entry as a message whose content is one JSON object.

    It is ASCII without control characters: JSON escapes the others, so that no receiver splits or changes a message,
    whatever a name contains.
    """
    user, key = entry["user"], entry["api_key"]
    content: dict[str, Any] = {
        "id": entry["id"],
        "at": _moment(entry["at"]),
        "hospital": hospital or None,
        "action": entry["action"],
        "outcome": "failure" if entry["action"] in FAILURES else "success",
        "user_id": user["id"] if user else None,
        "user": user["email"] if user else None,
        "key_id": key["id"] if key else None,
        "key": key["name"] if key else None,
        "entity": entry["entity"],
        "entity_id": entry["entity_id"],
        "sheet_id": entry["sheet_id"],
        "patient_id": entry["patient_id"],
        "changes": entry["changes"],
    }
    priority = _WARNING if entry["action"] in FAILURES else _INFORMATIONAL
    # JSON leaves this one control character as it is.
    text = json.dumps(content, separators=(",", ":")).replace("\x7f", "\\u007f")
    header = (
        f"<{priority}>1 {_moment(entry['at'])} {_name(host, _MAX_HOST)} consumo - "
        f"{_name(entry['action'], _MAX_MESSAGE_ID)} -"
    )
    return f"{header} {text}".encode("ascii")


def framed(message: bytes) -> bytes:
    """Return a message with its length before it (RFC 5425)."""
    return b"%d %b" % (len(message), message)


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _name(text: str, most: int) -> str:
    """Return a text as a field of the header; ``-`` if it is empty."""
    return _NOT_PRINTABLE.sub("_", text)[:most] or "-"
