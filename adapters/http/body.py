"""Parse JSON request bodies per field, so one response has all errors."""

import asyncio
import dataclasses
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from typing import Any, TypeVar, cast, get_args, get_type_hints

import msgspec
from litestar import Request
from litestar.exceptions import ClientException, HTTPException, InternalServerException
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema

from domain.errors import Code, Reason, Refused

Draft = TypeVar("Draft")

MAX_ID = 2**63 - 1

# Timeout of a request body. A ward's worst connection sends a form within this time; a client that sends one byte a
# second (slow loris) does not.
BODY_TIMEOUT_SECONDS = 10

# Length to which an unknown field name is quoted.
_MAX_QUOTED = 50

# Stricter than Python's parser, which also accepts weeks, days without hyphens, and any letter before the time.
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].+)?")


class MalformedBody(ClientException):
    """The body is not valid JSON."""


class UnsupportedType(HTTPException):
    """The body has a content type that no route accepts."""

    status_code = 415


class BodyTimeout(HTTPException):
    """The body took too long to arrive."""

    status_code = 408


@dataclass(frozen=True, slots=True)
class JsonBody:
    """The JSON object of a request, and a digest of it."""

    fields: Mapping[str, Any]
    fingerprint: str

    def read(self, draft: Callable[..., Draft], *, refuses_unknown: bool = False) -> Draft:
        """Build a draft; ``unreadable`` lists the fields that cannot be parsed.

        Unknown fields are ignored, unless ``refuses_unknown``: for those drafts a misspelt name must not silently drop
        an intended limit.
        """
        values: dict[str, Any] = {}
        unreadable: list[Reason] = []
        for name, read in _readers(draft).items():
            try:
                values[name] = None if self.fields.get(name) in (None, "") else read(self.fields[name])
            except _Unreadable as reason:
                unreadable.append(Reason(reason.code, name))
        if refuses_unknown:
            unreadable += map(_unknown, sorted(self.fields.keys() - _readers(draft).keys()))
        if "sent" in {field.name for field in dataclasses.fields(cast("Any", draft))}:
            values["sent"] = frozenset(self.fields)
        return draft(**values, unreadable=tuple(unreadable))


async def read_body(request: Request[Any, Any, Any]) -> bytes:
    """Return the request body within a timeout.

    Raise ``BodyTimeout``, or ``MalformedBody`` if the client disconnects.
    """
    try:
        async with asyncio.timeout(BODY_TIMEOUT_SECONDS):
            return await request.body()
    except TimeoutError:
        raise BodyTimeout from None
    except InternalServerException:
        # Litestar raises this when the client disconnects before the end.
        raise MalformedBody from None


def parse_json_body(request: Request[Any, Any, Any], body: bytes) -> JsonBody:
    """Parse the body. Raise ``MalformedBody`` or ``UnsupportedType``."""
    media_type = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise UnsupportedType
    try:
        fields = _decode(body)
    except (msgspec.DecodeError, RecursionError, ValueError, ArithmeticError):
        raise MalformedBody from None
    if not isinstance(fields, dict):
        raise Refused(Reason(Code.BODY_NOT_AN_OBJECT))
    same_body = msgspec.json.encode([request.scope["path"], fields], order="sorted")
    return JsonBody(fields, hashlib.sha256(same_body).hexdigest())


def request_body_schema(
    draft: type, *required: str, also: tuple[type, ...] = (), leaves_out: tuple[str, ...] = ()
) -> type[Operation]:
    """Describe a JSON body for the OpenAPI document.

    It has the draft's fields, of which ``required`` must be present. The fields of the drafts in ``also`` are included
    if the route accepts these instead. Fields of list items have a prefix, such as ``items.quantity``.
    """
    body = RequestBody(
        required=True,
        content={
            "application/json": OpenAPIMediaType(
                schema=_object((draft, *also), frozenset(required), frozenset(leaves_out), title=draft.__name__)
            )
        },
    )

    @dataclass
    class BodyOperation(Operation):
        def __post_init__(self) -> None:
            self.request_body = body

    return BodyOperation


def _unknown(name: str) -> Reason:
    name = name[:_MAX_QUOTED]
    # A name may contain any text. A field name with dots would be mistaken for the path of a list item.
    return Reason(Code.FIELD_UNKNOWN, name if name.isidentifier() else None, {"name": name})


class _Unreadable(Exception):
    def __init__(self, code: Code) -> None:
        self.code = code


def _decode(body: bytes) -> Any:
    # Numbers stay exact: anything but an integer becomes a Decimal, never a binary float.
    return msgspec.json.Decoder(float_hook=Decimal).decode(body)


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
    return lambda value: tuple(JsonBody(item, "").read(draft) for item in _objects(value))


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
        if field.name not in ("unreadable", "sent")
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


_READERS: dict[type, Callable[[Any], Any]] = {
    tuple[str, ...]: _texts,
    tuple[int, ...]: _whole_numbers,
    str: _text,
    int: _whole_number,
    bool: _flag,
    Decimal: _number,
    date: _day,
    datetime: _moment,
}

_SCHEMAS: dict[type, Schema] = {
    str: Schema(type=OpenAPIType.STRING),
    tuple[str, ...]: Schema(type=OpenAPIType.ARRAY, items=Schema(type=OpenAPIType.STRING)),
    tuple[int, ...]: Schema(type=OpenAPIType.ARRAY, items=Schema(type=OpenAPIType.INTEGER)),
    int: Schema(type=OpenAPIType.INTEGER),
    bool: Schema(type=OpenAPIType.BOOLEAN),
    Decimal: Schema(type=OpenAPIType.NUMBER),
    date: Schema(type=OpenAPIType.STRING, format=None, description="YYYY-MM-DD, or a full ISO date-time"),
    datetime: Schema(type=OpenAPIType.STRING, format=None, description="An ISO date-time with its zone"),
}


def _object(
    drafts: tuple[type, ...], required: frozenset[str], leaves_out: frozenset[str], *, title: str | None = None
) -> Schema:
    """Describe the JSON object of these drafts for the OpenAPI document."""
    fields = {name: kind for draft in drafts for name, kind in _fields(draft).items() if name not in leaves_out}
    return Schema(
        type=OpenAPIType.OBJECT,
        title=title,
        required=[name for name in fields if name in required] or None,
        properties={
            name: _schema(kind, _nested(name, required), _nested(name, leaves_out)) for name, kind in fields.items()
        },
    )


def _schema(kind: Any, required: frozenset[str], leaves_out: frozenset[str]) -> Schema:
    if kind in _SCHEMAS:
        return _SCHEMAS[kind]
    return Schema(type=OpenAPIType.ARRAY, items=_object((get_args(kind)[0],), required, leaves_out))


def _nested(name: str, names: frozenset[str]) -> frozenset[str]:
    return frozenset(each.removeprefix(f"{name}.") for each in names if each.startswith(f"{name}."))
