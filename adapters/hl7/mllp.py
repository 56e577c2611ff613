"""MLLP, the Minimal Lower Layer Protocol: how HL7 messages are framed on a connection (HL7 v2, release 1)."""

START = b"\x0b"
END = b"\x1c\r"
# A message has some kilobytes. Longer ones are refused.
MAX_MESSAGE_BYTES = 1_000_000


def framed(message: bytes) -> bytes:
    """The message as it goes over the wire."""
    return START + message + END
