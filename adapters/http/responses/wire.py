"""Shared wire formats: exact numbers, ids, ETags, lists, idempotency keys.

ETags implement optimistic locking.
"""

import hashlib
import re
from decimal import Decimal
from typing import Annotated, Any, TypedDict, TypeVar, get_type_hints

import msgspec
from litestar import Response
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.params import HeaderParameter, PathParameter, QueryParameter
from litestar.plugins import OpenAPISchemaPlugin
from litestar.serialization import default_serializer
from litestar.types import Serializer
from litestar.typing import FieldDefinition

from adapters.http.requests.drafts import MAX_ID
from adapters.http.requests.request import ApiRequest
from application.common.idempotency import IdempotencyKey
from application.common.paging import MAX_ITEMS, Sort
from domain.common.errors import Code, Reason, Refused

Content = TypeVar("Content")

_ENCODER = msgspec.json.Encoder(decimal_format="number")

# Each number is bounded by the type of its column: ids are BIGINT, counts INTEGER.
MAX_COUNT = 2**31 - 1

PathId = Annotated[int, PathParameter(ge=1, le=MAX_ID)]
PathCount = Annotated[int, PathParameter(ge=1, le=MAX_COUNT)]
FilterId = Annotated[int | None, QueryParameter(ge=1, le=MAX_ID, required=False)]

_PER_PAGE = 25

PageNumber = Annotated[
    int | None, QueryParameter(ge=1, le=2**31, description="Page number, from 1 (default 1)", required=False)
]
Limit = Annotated[
    int | None,
    QueryParameter(
        ge=1,
        le=100,
        description=f"{_PER_PAGE} when left out, if there is a page or a cursor; up to {MAX_ITEMS:,} items without any",
        required=False,
    ),
]
SortBy = Annotated[
    str | None, QueryParameter(name="sort", description="Sort field; prefix `-` for descending", required=False)
]
FreeText = Annotated[str | None, QueryParameter(description="Search text", required=False)]
Cursor = Annotated[
    str | None, QueryParameter(description="Cursor from `meta.next` of the previous page", required=False)
]

IfMatch = Annotated[
    str | None, HeaderParameter(name="If-Match", description="ETag of the version being changed", required=False)
]
IfNoneMatch = Annotated[
    str | None,
    HeaderParameter(name="If-None-Match", description="ETag of the version known to the client", required=False),
]
IdempotencyKeyHeader = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="Makes retries safe: a repeated key returns the first answer",
        required=False,
    ),
]


class Paging(TypedDict):
    """Paging parameters, as fields of a ``ListQuery``."""

    page: int
    limit: int
    cursor: str | None
    offset: int | None


class AskedList(Paging):
    """Parameters of any list, as fields of a ``ListQuery``."""

    sort: Sort | None
    q: str | None


def paging(page: int | None, limit: int | None, cursor: str | None) -> Paging:
    """Return one page if any argument is given, otherwise up to ``MAX_ITEMS``."""
    if page is None and limit is None and cursor is None:
        return Paging(page=1, limit=MAX_ITEMS, cursor=None, offset=0)
    return Paging(page=page or 1, limit=limit or _PER_PAGE, cursor=cursor, offset=None)


async def provide_list(
    page: PageNumber = None,
    limit: Limit = None,
    sort: SortBy = None,
    q: FreeText = None,
    cursor: Cursor = None,
) -> AskedList:
    """Provide the parameters of any list."""
    return AskedList(**paging(page, limit, cursor), sort=sort_by(sort), q=q)


class DecimalJSONResponse(Response[Content]):
    """JSON with money and quantities as numbers, digit by digit as stored."""

    def render(self, content: Any, media_type: str, enc_hook: Serializer = default_serializer) -> bytes:
        """Encode each ``Decimal`` as a JSON number."""
        if isinstance(content, str | bytes) or not media_type.endswith("json"):
            return super().render(content, media_type, enc_hook)
        return _ENCODER.encode(content)


class DecimalSchema(OpenAPISchemaPlugin):
    """Describes a ``Decimal`` as a number in the OpenAPI document."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        return field_definition.annotation is Decimal

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:  # noqa: ARG002
        return Schema(type=OpenAPIType.NUMBER)


class NamedTupleSchema(OpenAPISchemaPlugin):
    """Describes a ``NamedTuple`` as an array in the OpenAPI document."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        return hasattr(field_definition.annotation, "_fields")

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """Return an array schema with the fields in order, by name."""
        record = field_definition.annotation
        fields = [
            schema_creator.for_field_definition(FieldDefinition.from_annotation(kind, name=name))
            for name, kind in get_type_hints(record).items()
        ]
        return Schema(
            type=OpenAPIType.ARRAY,
            prefix_items=fields,
            min_items=len(fields),
            max_items=len(fields),
            description=", ".join(record._fields),
        )


def versioned(view: Any, *, replayed: bool = False) -> DecimalJSONResponse[Any]:
    """Return a sheet or detail with its ETag and the replay flag."""
    return _answer(view, 200, replayed=replayed)


def not_modified(version: int) -> Response[Any]:
    """Return 304 with the caller's ETag."""
    return Response(None, status_code=304, headers={"ETag": f'"{version}"'})


def tagged(body: bytes, media_type: str, if_none_match: str | None) -> Response[Any]:
    """Return an answer with the ETag of its content; 304 if the caller has it."""
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    known, headers = if_none_match or "", {"ETag": f"W/{etag}"}
    # By weak comparison.
    if known.strip() == "*" or etag in re.findall(r'"[^"]*"', known):
        return Response(None, status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def expected_versions(if_match: str | None) -> frozenset[int] | None:
    """Parse ``If-Match`` into versions; None accepts any.

    Foreign ETags match nothing.
    """
    if if_match is None or if_match.strip() == "*":
        return None
    return parse_etags(if_match)


def parse_etags(etags: str) -> frozenset[int]:
    """Parse the versions of our ETags."""
    return frozenset(int(version) for version in re.findall(r'"(\d{1,18})"', etags))


def idempotency_key_of(request: ApiRequest, idempotency_key: str | None) -> IdempotencyKey | None:
    """Build the idempotency key from the header, if there is one."""
    if idempotency_key is None:
        return None
    if not re.fullmatch(r"[!-~]{1,200}", idempotency_key):
        raise Refused(Reason(Code.KEY_INVALID))
    return IdempotencyKey(idempotency_key, request.fingerprint)


def sort_by(sort: str | None) -> Sort | None:
    """Parse the ``sort`` parameter."""
    return Sort(sort.removeprefix("-"), sort.startswith("-")) if sort else None


def created(view: Any, path: str, *, replayed: bool = False) -> DecimalJSONResponse[Any]:
    """Return 201 with a new object, its location, ETag and replay flag."""
    return _answer(view, 201, f"{path}/{view['id']}", replayed=replayed)


def recorded(view: Any, location: str | None = None, *, replayed: bool) -> DecimalJSONResponse[Any]:
    """Return 201 with new records that have no address of their own.

    ``location`` is that of their list.
    """
    return _answer(view, 201, location, replayed=replayed)


def _answer(view: Any, status: int, location: str | None = None, *, replayed: bool) -> DecimalJSONResponse[Any]:
    headers = {
        **({"ETag": f'"{view["version"]}"'} if "version" in view else {}),
        **({"Location": location} if location else {}),
        **({"Idempotent-Replayed": "true"} if replayed else {}),
    }
    return DecimalJSONResponse(view, status_code=status, headers=headers)
