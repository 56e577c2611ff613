"""MLLP, the Minimal Lower Layer Protocol: framing of HL7 messages.

See HL7 v2, release 1.
"""

START = b"\x0b"
END = b"\x1c\r"
# Messages have some kilobytes. Longer ones are rejected.
MAX_MESSAGE_BYTES = 1_000_000


def framed(message: bytes) -> bytes:
    """Return the message with its frame."""
    return START + message + END
