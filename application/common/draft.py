"""The base of drafts: data from outside before validation."""

from dataclasses import dataclass

from domain.common.errors import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Data from outside, whose fields may be missing or invalid.

    ``parse_errors`` are the errors of fields that could not be parsed; such a field is None. ``sent_fields`` are the
    names of the fields in the request; None means that all fields count.
    """

    parse_errors: tuple[Reason, ...] = ()
    sent_fields: frozenset[str] | None = None
