"""HL7 acknowledgements (ACK) in original mode: written and read."""

import re
import uuid
from datetime import datetime
from enum import StrEnum

from adapters.hl7.adt_parser import MessageRejected
from application.billing.outbound_messages import DeliveryResult, DeliveryStatus

# Codes of HL7 table 0357, and places such as PID^1^3: no other contents of these fields are logged.
_CODE = re.compile(r"[0-9]{1,3}")
_PLACE = re.compile(r"[A-Z][A-Z0-9]{2}(?:\^[0-9]{1,3}){0,5}")
_STATUSES = {
    "AA": DeliveryStatus.ACCEPTED,
    "CA": DeliveryStatus.ACCEPTED,
    "AE": DeliveryStatus.FAILED,
    "CE": DeliveryStatus.FAILED,
    "AR": DeliveryStatus.REJECTED,
    "CR": DeliveryStatus.REJECTED,
}


class AckCode(StrEnum):
    """The acknowledgment code, MSA-1 (HL7 table 0008)."""

    # Stored: the sender is done, even if the message is held or has no effect.
    ACCEPT = "AA"
    # Not stored: the sender must retry.
    ERROR = "AE"
    # Sending the message again cannot help.
    REJECT = "AR"


def acknowledgement(text: str, ack_code: AckCode, now: datetime, problem: MessageRejected | None = None) -> str:
    """Return the acknowledgement of a message.

    Only the header of ``text`` is read. ``now`` is in the hospital's time zone.
    """
    header = text.partition("\r")[0]
    mark = header[3:4] if header.startswith("MSH") and not header[3:4].isalnum() and header[3:4] else "|"
    fields = [*(header.split(mark, 12) if header.startswith("MSH") else []), *[""] * 12][:12]
    encoding = fields[1] if len(fields[1]) >= 3 else "^~\\&"
    part = encoding[0]
    event = fields[8].split(part)[1] if part in fields[8] else ""
    kind = part.join(["ACK", event, "ACK"]) if event else "ACK"
    at = now.strftime("%Y%m%d%H%M%S%z")
    ours = uuid.uuid4().hex[:20]
    who = [fields[4], fields[5], fields[2], fields[3]]
    lines = [
        ["MSH", encoding, *who, at, "", kind, ours, fields[10] or "P", fields[11] or "2.5"],
        ["MSA", ack_code, fields[9], problem.text if problem else ""],
    ]
    if problem is not None:
        lines.append(
            [
                "ERR",
                "",
                problem.place.replace("-", part + "1" + part),
                f"{problem.code}{part}{part}HL70357",
                "E",
                "",
                "",
                problem.text,
            ]
        )
    return "".join(mark.join(line).rstrip(mark) + "\r" for line in lines)


def read_acknowledgement(answer: bytes, control_id: str) -> DeliveryResult | None:
    """Return the result that an acknowledgement reports for a message.

    None if it acknowledges another message, or if it is no acknowledgement.
    """
    try:
        text = answer.decode()
    except UnicodeDecodeError:
        text = answer.decode("iso-8859-1")
    segments = [line.split("|") for line in text.replace("\n", "\r").split("\r")]
    msa = next((fields for fields in segments if fields[0] == "MSA"), [])
    if len(msa) < 3 or msa[2] != control_id or msa[1] not in _STATUSES:
        return None
    errors = [" ".join(filter(None, fields[3:4] + fields[7:9])) for fields in segments if fields[0] == "ERR"]
    problem = "; ".join(filter(None, [*msa[3:4], *errors]))
    status = _STATUSES[msa[1]]
    if status is DeliveryStatus.ACCEPTED:
        return DeliveryResult(status)
    return DeliveryResult(status, f"{msa[1]}: {problem}" if problem else msa[1], _cause(msa[1], segments))


def _cause(code: str, segments: list[list[str]]) -> str:
    """Return the codes of an acknowledgement, without the receiver's texts.

    These are MSA-1 and of each ERR the place (ERR-2) and the code (ERR-3). Everything else is free text, and often
    names the patient.
    """
    causes = [code]
    for error in (fields for fields in segments if fields[0] == "ERR"):
        place, number = error[2] if len(error) > 2 else "", error[3].partition("^")[0] if len(error) > 3 else ""
        found = [f"ERR-3 {number}"] if _CODE.fullmatch(number) else []
        causes.append(" ".join([*found, *([f"at {place}"] if _PLACE.fullmatch(place) else [])]))
    return ", ".join(filter(None, causes))
