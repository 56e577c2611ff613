"""The base of drafts: data from outside before validation."""

from dataclasses import dataclass, fields

from domain.common.errors import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Data from outside, whose fields may be missing or invalid.

    ``parse_errors`` are the errors of fields that could not be parsed; such a field is None. ``sent_fields`` are the
    names of the fields in the request; None means that all fields count.
    """

    parse_errors: tuple[Reason, ...] = ()
    sent_fields: frozenset[str] | None = None


def field_names(draft: type[Draft], *besides: str) -> tuple[str, ...]:
    """Return the names of a form's fields, except those ``besides``."""
    names = {field.name: None for field in fields(draft)}
    for name in (*(field.name for field in fields(Draft)), *besides):
        del names[name]
    return tuple(names)
