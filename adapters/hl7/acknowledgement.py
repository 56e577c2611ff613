"""HL7 acknowledgements (ACK): written in the sender's mode, and read."""

import re
import uuid
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from adapters.hl7.header import Header
from adapters.hl7.rejection import MessageRejected
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
    """The second letter of MSA-1 (HL7 table 0008): the outcome."""

    # Stored: the sender is done, even if the message is held or has no effect.
    ACCEPT = "A"
    # Not stored: the sender must retry.
    ERROR = "E"
    # Sending the message again cannot help.
    REJECT = "R"


def acknowledgement(text: str, ack_code: AckCode, now: datetime, problem: MessageRejected | None = None) -> str | None:
    """Return the acknowledgement of a message; None if it asks for none.

    Only the header of ``text`` is read. ``now`` is in the hospital's time zone. A message with MSH-15 or MSH-16 is in
    enhanced mode, and gets a commit acknowledgement (CA, CE, CR) if MSH-15 asks for it.
    """
    header = Header.of(text)
    mode = _mode(header, ack_code)
    if mode is None:
        return None
    event = header.component(9, 2)
    kind = header.joined("ACK", event, "ACK") if event else "ACK"
    at = now.strftime("%Y%m%d%H%M%S%z")
    who = [header.field(5), header.field(6), header.field(3), header.field(4)]
    version = header.field(12) or "2.5"
    identity = [uuid.uuid4().hex[:20], header.field(11) or "P", version]
    lines = [
        ["MSH", header.encoding_characters, *who, at, "", kind, *identity],
        ["MSA", mode + ack_code, header.field(10), _plain(problem.text, header) if problem else ""],
    ]
    if problem is not None:
        lines.append(_error(problem, header, header.component(12, 1)))
    return "".join(header.separator.join(line).rstrip(header.separator) + "\r" for line in lines)


def _mode(header: Header, ack_code: AckCode) -> str | None:
    """Return the first letter of MSA-1, by MSH-15 and MSH-16 (HL7 table 0155)."""
    asks = {"AL": True, "SU": ack_code is AckCode.ACCEPT, "ER": ack_code is not AckCode.ACCEPT}
    accept, application = header.field(15).upper(), header.field(16).upper()
    if not accept and not application:
        return "A"
    if asks.get(accept, False):
        return "C"
    return "A" if asks.get(application, False) else None


def _error(problem: MessageRejected, header: Header, version: str) -> list[str]:
    """Return the fields of ERR.

    Until version 2.4 the error is in ERR-1, since 2.5 in ERR-2 to ERR-8.
    """
    segment, _, field = problem.place.partition("-")
    text = _plain(problem.text, header)
    if version.startswith(("2.2", "2.3", "2.4")):
        subcomponent = header.encoding_characters[3:4] or "&"
        said = subcomponent.join([str(problem.error_code), text, "HL70357"])
        return ["ERR", header.joined(segment, "1", field, said)]
    place = header.joined(segment, "1", field) if field else segment
    return ["ERR", "", place, header.joined(str(problem.error_code), "", "HL70357"), "E", "", "", text]


def _plain(text: str, header: Header) -> str:
    """Replace the message's delimiters in a text by blanks."""
    return text.translate(dict.fromkeys(map(ord, header.separator + header.encoding_characters), " "))


class Acknowledgement(NamedTuple):
    """An acknowledgement that another system sent.

    ``problem`` is its own text, MSA-3 and ERR. ``causes`` are the codes and places of each ERR: everything else in
    it is free text, and often names the patient.
    """

    code: str
    control_id: str
    problem: str = ""
    causes: tuple[str, ...] = ()


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
            causes = (*found[-1].causes, *filter(None, [_cause(fields)]))
            found[-1] = found[-1]._replace(problem="; ".join(filter(None, [said, words])), causes=causes)
    return found


def read_acknowledgement(answer: bytes, control_id: str) -> DeliveryResult | None:
    """Return the result that an acknowledgement reports for a message.

    None if it acknowledges another message, or if it is no acknowledgement.
    """
    code, acknowledged, problem, causes = next(iter(read_acknowledgements(answer)), Acknowledgement("", ""))
    if acknowledged != control_id or code not in _STATUSES:
        return None
    status = _STATUSES[code]
    if status is DeliveryStatus.ACCEPTED:
        return DeliveryResult(status)
    return DeliveryResult(status, f"{code}: {problem}" if problem else code, ", ".join([code, *causes]))


def _cause(error: list[str]) -> str:
    """Return the code (ERR-3) and the place (ERR-2) of an ERR segment."""
    place, number = error[2] if len(error) > 2 else "", error[3].partition("^")[0] if len(error) > 3 else ""
    found = [f"ERR-3 {number}"] if _CODE.fullmatch(number) else []
    return " ".join([*found, *([f"at {place}"] if _PLACE.fullmatch(place) else [])])
