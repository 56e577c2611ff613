"""Rejections of messages that cannot be stored."""

from typing import Final

from adapters.i18n import messages
from domain.common.errors import Code, Reason

# Error codes of HL7 table 0357.
_ERROR_CODES: Final = {
    Code.REFUSED_NO_HL7: 100,
    Code.REFUSED_SEPARATORS: 100,
    Code.REFUSED_CONTROL_ID_MISSING: 101,
    Code.REFUSED_TIME_MISSING: 101,
    Code.REFUSED_TIME_UNREADABLE: 102,
    Code.REFUSED_FIELD_TOO_LONG: 102,
    Code.REFUSED_TOO_MANY_REPETITIONS: 102,
    Code.REFUSED_CONTROL_CHARACTER: 102,
    Code.REFUSED_TOO_LARGE: 102,
    Code.REFUSED_NO_ADT: 200,
    Code.REFUSED_PROCESSING_ID: 202,
    Code.REFUSED_VERSION: 203,
    Code.REFUSED_UNREADABLE: 207,
    Code.NOT_STORED: 207,
}


class MessageRejected(Exception):
    """A message that is not stored, with the place in it that causes this.

    Unless the code is ``NOT_STORED``, sending the message again cannot help.
    """

    def __init__(self, code: Code, place: str, **params: object) -> None:
        super().__init__(code, place)
        self.place = place
        self.reason = Reason(code, params={"place": place, **params})

    @property
    def error_code(self) -> int:
        """Return the error code of HL7 table 0357."""
        return _ERROR_CODES[self.reason.code]

    @property
    def text(self) -> str:
        """Return the reason in English, the language of interfaces."""
        return messages.refusal("en", self.reason)
