"""Request bodies as drafts: data transfer objects that collect every error."""

import dataclasses
import re
from collections.abc import Callable, Generator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from typing import Any, ClassVar, TypeVar, cast, get_args, get_type_hints

from litestar.dto import AbstractDTO, DTOFieldDefinition
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.typing import FieldDefinition

from adapters.http.requests.request import ApiRequest
from domain.common.errors import Code, Reason

Draft = TypeVar("Draft")

MAX_ID = 2**63 - 1

# Length to which an unknown field name is quoted.
_MAX_QUOTED = 50

# Stricter than Python's parser, which also accepts weeks, days without hyphens, and any letter before the time.
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].+)?")


class DraftDTO(AbstractDTO[Draft]):
    """Parses a JSON body field by field, so that one 422 has all errors.

    Litestar's own DTOs stop at the first error. ``draft_dto`` creates one for a draft.
    """

    required: ClassVar[frozenset[str]]
    leaves_out: ClassVar[frozenset[str]]
    also: ClassVar[tuple[type, ...]]
    refuses_unknown: ClassVar[bool]

    def decode_bytes(self, value: bytes) -> Draft:
        """Parse the body into a draft."""
        fields = cast("ApiRequest", self.asgi_connection).parse_fields(value)
        return read_draft(self.model_type, fields, refuses_unknown=self.refuses_unknown)

    @classmethod
    def create_for_field_definition(cls, *_: Any, **__: Any) -> None:
        """Do nothing: no transfer model is generated."""

    @classmethod
    def is_supported_model_type_field(cls, field_definition: FieldDefinition) -> bool:  # noqa: ARG003
        """Return False: drafts are no responses."""
        return False

    @classmethod
    def create_openapi_schema(
        cls,
        field_definition: FieldDefinition,  # noqa: ARG003
        handler_id: str,  # noqa: ARG003
        schema_creator: Any,
    ) -> Schema:
        """Describe the JSON object."""
        drafts = (cls.model_type, *cls.also)
        return _object(schema_creator, drafts, cls.required, cls.leaves_out, title=cls.model_type.__name__)

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> Generator[DTOFieldDefinition, None, None]:  # noqa: ARG003
        """Yield nothing: no transfer model is generated."""
        yield from ()

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:  # noqa: ARG003
        """Return False: no transfer model is generated."""
        return False


def draft_dto(
    draft: type[Draft],
    *required: str,
    leaves_out: tuple[str, ...] = (),
    also: tuple[type, ...] = (),
    refuses_unknown: bool = False,
) -> type[DraftDTO[Draft]]:
    """Create the DTO of a draft, of which ``required`` must be present.

    Fields of list items have a prefix, such as ``items.quantity``. The OpenAPI document does not describe the fields in
    ``leaves_out``; it describes also those of the drafts in ``also``, if the route accepts these instead. Unknown
    fields are ignored unless ``refuses_unknown``: for those drafts a misspelt name must not silently drop an intended
    limit.
    """
    attributes = {
        "model_type": draft,
        "required": frozenset(required),
        "leaves_out": frozenset(leaves_out),
        "also": also,
        "refuses_unknown": refuses_unknown,
    }
    return cast("type[DraftDTO[Draft]]", type(f"{draft.__name__}DTO", (DraftDTO,), attributes))


def read_draft(draft: Callable[..., Draft], fields: Mapping[str, Any], *, refuses_unknown: bool = False) -> Draft:
    """Build a draft; ``parse_errors`` lists the fields that cannot be parsed."""
    values: dict[str, Any] = {}
    errors: list[Reason] = []
    for name, read in _readers(draft).items():
        try:
            values[name] = None if fields.get(name) in (None, "") else read(fields[name])
        except _Unreadable as reason:
            errors.append(Reason(reason.code, name))
    if refuses_unknown:
        errors += map(_unknown, sorted(fields.keys() - _readers(draft).keys()))
    return draft(**values, parse_errors=tuple(errors), sent_fields=frozenset(fields))


def _unknown(name: str) -> Reason:
    name = name[:_MAX_QUOTED]
    # A name may contain any text. A field name with dots would be mistaken for the path of a list item.
    return Reason(Code.FIELD_UNKNOWN, name if name.isidentifier() else None, {"name": name})


class _Unreadable(Exception):
    def __init__(self, code: Code) -> None:
        self.code = code


@cache
def _readers(draft: Any) -> dict[str, Callable[[Any], Any]]:
    """Map each field of the draft to its parser."""
    in_text = {field.name for field in dataclasses.fields(draft) if field.metadata.get("may_be_text")}
    return {
        name: _digits_or_number if name in in_text else _bool_or_number if name == "active" else _reader(kind)
        for name, kind in _fields(draft).items()
    }


def _reader(kind: Any) -> Callable[[Any], Any]:
    """Return the parser of a field type.

    A list of drafts is parsed item by item, and each item reports its own errors.
    """
    if kind in _READERS:
        return _READERS[kind]
    draft = get_args(kind)[0]
    return lambda value: tuple(read_draft(draft, item) for item in _objects(value))


def _objects(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise _Unreadable(Code.ITEMS_EXPECTED)
    return value


@cache
def _fields(draft: Any) -> dict[str, type]:
    """Map the draft's fields to their types without ``None``, which all allow."""
    hints = get_type_hints(draft)
    return {
        field.name: next(kind for kind in get_args(hints[field.name]) if kind is not type(None))
        for field in dataclasses.fields(draft)
        if field.name not in ("parse_errors", "sent_fields")
    }


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Unreadable(Code.TEXT_EXPECTED)
    return value


def _number(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise _Unreadable(Code.NUMBER_EXPECTED)
    return Decimal(value)


def _whole_number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _Unreadable(Code.WHOLE_NUMBER_EXPECTED)
    if not -MAX_ID <= value <= MAX_ID:
        raise _Unreadable(Code.REFERENCE_UNKNOWN)
    return value


def _digits_or_number(value: Any) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return _whole_number(int(value[:20]))
    return _whole_number(value)


def _bool_or_number(value: Any) -> int:
    # Responses have true and false for products, and 1 and 0 for patients. Accept both, so that a client may send back
    # what it read.
    return int(value) if isinstance(value, bool) else _whole_number(value)


def _flag(value: Any) -> bool:
    if value not in (True, False):
        raise _Unreadable(Code.YES_OR_NO_EXPECTED)
    return bool(value)


def _day(value: Any) -> date:
    """Parse ``YYYY-MM-DD``, or a full date-time whose time is dropped."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise _Unreadable(Code.DATE_EXPECTED)
    try:
        return date.fromisoformat(value) if len(value) == len("YYYY-MM-DD") else datetime.fromisoformat(value).date()
    except ValueError:
        raise _Unreadable(Code.DATE_EXPECTED) from None


def _moment(value: Any) -> datetime:
    """Parse an ISO date-time with a time zone."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise _Unreadable(Code.MOMENT_EXPECTED)
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise _Unreadable(Code.MOMENT_EXPECTED)


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _Unreadable(Code.TEXT_EXPECTED)
    return tuple(map(_text, value))


def _whole_numbers(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise _Unreadable(Code.WHOLE_NUMBER_EXPECTED)
    return tuple(map(_whole_number, value))


def _any_object(value: Any) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _Unreadable(Code.OBJECT_EXPECTED)
    return value


_READERS: dict[type, Callable[[Any], Any]] = {
    dict[str, object]: _any_object,
    tuple[str, ...]: _texts,
    tuple[int, ...]: _whole_numbers,
    str: _text,
    int: _whole_number,
    bool: _flag,
    Decimal: _number,
    date: _day,
    datetime: _moment,
}


def _object(
    creator: Any,
    drafts: tuple[type, ...],
    required: frozenset[str],
    leaves_out: frozenset[str],
    *,
    title: str | None = None,
) -> Schema:
    """Describe the JSON object of these drafts for the OpenAPI document."""
    fields = {name: kind for draft in drafts for name, kind in _fields(draft).items() if name not in leaves_out}
    return Schema(
        type=OpenAPIType.OBJECT,
        title=title,
        required=[name for name in fields if name in required] or None,
        properties={
            name: _schema(creator, kind, _nested(name, required), _nested(name, leaves_out))
            for name, kind in fields.items()
        },
    )


def _schema(creator: Any, kind: Any, required: frozenset[str], leaves_out: frozenset[str]) -> Schema:
    if kind in _FORMATS:
        # Without a format: the formats of JSON Schema allow less.
        return Schema(type=OpenAPIType.STRING, description=_FORMATS[kind])
    if kind in _READERS:
        return cast("Schema", creator.for_field_definition(FieldDefinition.from_annotation(kind)))
    return Schema(type=OpenAPIType.ARRAY, items=_object(creator, (get_args(kind)[0],), required, leaves_out))


_FORMATS = {date: "YYYY-MM-DD, or a full ISO date-time", datetime: "An ISO date-time with its zone"}


def _nested(name: str, names: frozenset[str]) -> frozenset[str]:
    return frozenset(each.removeprefix(f"{name}.") for each in names if each.startswith(f"{name}."))
