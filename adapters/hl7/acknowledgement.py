"""HL7 acknowledgements (ACK) in original mode: written and read."""

import uuid
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from adapters.hl7.adt_parser import MessageRejected
from application.billing.outbound_messages import DeliveryResult, DeliveryStatus

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


class Acknowledgement(NamedTuple):
    """An acknowledgement that another system sent.

    ``problem`` is its own text, MSA-3 and ERR.
    """

    code: str
    control_id: str
    problem: str = ""


def read_acknowledgements(answer: bytes) -> list[Acknowledgement]:
    """Return the acknowledgements in an answer, usually one."""
    try:
        text = answer.decode()
    except UnicodeDecodeError:
        text = answer.decode("iso-8859-1")
    found: list[Acknowledgement] = []
    for line in text.replace("\n", "\r").split("\r"):
        fields = line.split("|")
        if fields[0] == "MSA" and len(fields) > 2:
            found.append(Acknowledgement(fields[1], fields[2], "".join(fields[3:4])))
        elif fields[0] == "ERR" and found:
            said = found[-1].problem
            words = " ".join(text for text in fields[3:4] + fields[7:9] if text and text != said)
            found[-1] = found[-1]._replace(problem="; ".join(filter(None, [said, words])))
    return found


def read_acknowledgement(answer: bytes, control_id: str) -> DeliveryResult | None:
    """Return the result that an acknowledgement reports for a message.

    None if it acknowledges another message, or if it is no acknowledgement.
    """
    code, acknowledged, problem = next(iter(read_acknowledgements(answer)), Acknowledgement("", ""))
    if acknowledged != control_id or code not in _STATUSES:
        return None
    status = _STATUSES[code]
    if status is DeliveryStatus.ACCEPTED:
        return DeliveryResult(status)
    return DeliveryResult(status, f"{code}: {problem}" if problem else code)
