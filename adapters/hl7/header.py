"""The header (MSH) of a message, read leniently."""

from typing import NamedTuple

# Numbers of the fields that are read, such as 10 for MSH-10.
_LAST_FIELD = 16


class Header(NamedTuple):
    """The delimiters and the first fields of a header.

    A text without a header has the usual delimiters and empty fields.
    """

    separator: str
    encoding_characters: str
    fields: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Header":
        """Read the header at the beginning of a text."""
        line = text.partition("\r")[0]
        separator = line[3:4]
        if not line.startswith("MSH") or not separator or separator.isalnum():
            return cls("|", "^~\\&", ("",) * _LAST_FIELD)
        fields = [*line.split(separator, _LAST_FIELD), *[""] * _LAST_FIELD][:_LAST_FIELD]
        return cls(separator, fields[1] if len(fields[1]) >= 3 else "^~\\&", tuple(fields))

    def field(self, number: int) -> str:
        """Return a field by its number in HL7; MSH-1 is the separator."""
        return self.separator if number == 1 else self.fields[number - 1].strip()

    def component(self, number: int, component: int) -> str:
        """Return a component of a field; empty if there is none."""
        parts = self.field(number).split(self.encoding_characters[0])
        return parts[component - 1].strip() if component <= len(parts) else ""

    def joined(self, *parts: str) -> str:
        """Join components to a field."""
        return self.encoding_characters[0].join(parts)
