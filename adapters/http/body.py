"""Reading what was sent, field by field, so that a wrong field does not hide the next one."""

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

# A ward's worst connection sends a form within this time; whoever sends a byte a second does not.
BODY_TIMEOUT_SECONDS = 10

# Of a name that is not known so much is quoted.
_MAX_QUOTED = 50

# Python reads more than that: weeks, days without hyphens, any letter before the time.
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].+)?")


class MalformedBody(ClientException):
    """What was sent is not JSON."""


class UnsupportedType(HTTPException):
    """What was sent is of a type that no call takes."""

    status_code = 415


class BodyTimeout(HTTPException):
    """What was sent took too long to arrive."""

    status_code = 408


@dataclass(frozen=True, slots=True)
class JsonBody:
    """The JSON object that came with a request."""

    fields: Mapping[str, Any]
    fingerprint: str

    def read(self, draft: Callable[..., Draft], *, refuses_unknown: bool = False) -> Draft:
        """The object as a draft; ``unreadable`` lists the fields that cannot be read.

        Unknown fields are ignored, except where the draft ``refuses_unknown`` ones: there a misspelt name must not
        leave out a limit that was meant.
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


async def arrived(request: Request[Any, Any, Any]) -> bytes:
    """The bytes that come with this request. Raise ``BodyTimeout`` or, where they break off, ``MalformedBody``."""
    try:
        async with asyncio.timeout(BODY_TIMEOUT_SECONDS):
            return await request.body()
    except TimeoutError:
        raise BodyTimeout from None
    except InternalServerException:
        # What Litestar calls a client that hung up before the end.
        raise MalformedBody from None


def parse_json_body(request: Request[Any, Any, Any], body: bytes) -> JsonBody:
    """What came with this request. Raise ``MalformedBody`` or ``UnsupportedType`` for what is no JSON."""
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
    """What a route takes, for the OpenAPI document: the draft's fields, of which ``required`` must be there.

    Where it may take another draft instead, the fields of ``also`` are told too. Those of the items of a list are named
    behind its own name, such as ``items.quantity``.
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
    # A name may hold anything; a field with points in it would be taken for a place in a list.
    return Reason(Code.FIELD_UNKNOWN, name if name.isidentifier() else None, {"name": name})


class _Unreadable(Exception):
    def __init__(self, code: Code) -> None:
        self.code = code


def _decode(body: bytes) -> Any:
    # Numbers stay exact: what is no integer becomes a Decimal, never a binary float.
    return msgspec.json.Decoder(float_hook=Decimal).decode(body)


@cache
def _readers(draft: Any) -> dict[str, Callable[[Any], Any]]:
    """How each of the draft's fields is read."""
    in_text = {field.name for field in dataclasses.fields(draft) if field.metadata.get("may_be_text")}
    return {
        name: _numeral if name in in_text else _yes_or_no if name == "active" else _reader(kind)
        for name, kind in _fields(draft).items()
    }


def _reader(kind: Any) -> Callable[[Any], Any]:
    """How one field of that kind is read; a list of drafts one by one, each of which tells what is wrong with it."""
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
    """The draft's fields and what is read into each; None, which all of them may be, is left out."""
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


def _numeral(value: Any) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return _whole_number(int(value[:20]))
    return _whole_number(value)


def _yes_or_no(value: Any) -> int:
    # Products are answered with true and false, patients with 1 and 0: whoever sends back what was read is understood.
    return int(value) if isinstance(value, bool) else _whole_number(value)


def _flag(value: Any) -> bool:
    if value not in (True, False):
        raise _Unreadable(Code.YES_OR_NO_EXPECTED)
    return bool(value)


def _day(value: Any) -> date:
    """A day, from ``YYYY-MM-DD`` or from a full date-time whose time part is dropped."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise _Unreadable(Code.DATE_EXPECTED)
    try:
        return date.fromisoformat(value) if len(value) == len("YYYY-MM-DD") else datetime.fromisoformat(value).date()
    except ValueError:
        raise _Unreadable(Code.DATE_EXPECTED) from None


def _moment(value: Any) -> datetime:
    """A moment, from an ISO date-time that says its zone."""
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
    """What these drafts are read from, for the OpenAPI document."""
    fields = {name: kind for draft in drafts for name, kind in _fields(draft).items() if name not in leaves_out}
    return Schema(
        type=OpenAPIType.OBJECT,
        title=title,
        required=[name for name in fields if name in required] or None,
        properties={
            name: _schema(kind, _behind(name, required), _behind(name, leaves_out)) for name, kind in fields.items()
        },
    )


def _schema(kind: Any, required: frozenset[str], leaves_out: frozenset[str]) -> Schema:
    if kind in _SCHEMAS:
        return _SCHEMAS[kind]
    return Schema(type=OpenAPIType.ARRAY, items=_object((get_args(kind)[0],), required, leaves_out))


def _behind(name: str, names: frozenset[str]) -> frozenset[str]:
    return frozenset(each.removeprefix(f"{name}.") for each in names if each.startswith(f"{name}."))
