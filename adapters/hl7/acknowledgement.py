"""The answer to a message, in original mode."""

import uuid
from datetime import datetime
from enum import StrEnum

from adapters.hl7.reader import NotTaken


class Answer(StrEnum):
    """What MSA-1 says."""

    # Kept: the sender is done with it, whatever became of it.
    TAKEN = "AA"
    # Not kept: the sender shall try again.
    FAILED = "AE"
    # Sending it again cannot help.
    REFUSED = "AR"


def acknowledgement(text: str, answer: Answer, now: datetime, problem: NotTaken | None = None) -> str:
    """What is answered to a message, of which only the header is looked at; ``now`` is in the hospital's zone."""
    header = text.partition("\r")[0]
    mark = header[3:4] if header.startswith("MSH") and not header[3:4].isalnum() and header[3:4] else "|"
    fields = [*(header.split(mark) if header.startswith("MSH") else []), *[""] * 12][:12]
    encoding = fields[1] if len(fields[1]) >= 3 else "^~\\&"
    part = encoding[0]
    event = fields[8].split(part)[1] if part in fields[8] else ""
    kind = part.join(["ACK", event, "ACK"]) if event else "ACK"
    at = now.strftime("%Y%m%d%H%M%S%z")
    ours = uuid.uuid4().hex[:20]
    who = [fields[4], fields[5], fields[2], fields[3]]
    lines = [
        ["MSH", encoding, *who, at, "", kind, ours, fields[10] or "P", fields[11] or "2.5"],
        ["MSA", answer, fields[9], problem.text if problem else ""],
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
