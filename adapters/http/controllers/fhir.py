"""Read-only FHIR R4 API, for programs with a key and signed-in users."""

from functools import partial
from typing import Annotated, Any
from urllib.parse import parse_qsl

from litestar import Controller, Request, Response, get, post
from litestar.handlers import BaseRouteHandler
from litestar.params import PathParameter, RawBody

from adapters.fhir.bundle import MEDIA_TYPE, bundle, capability_statement
from adapters.fhir.includes import included
from adapters.fhir.narrowing import SearchContext
from adapters.fhir.query import ensure_accepts_json, ensure_json, parse_query
from adapters.fhir.resource_types import TYPES
from adapters.fhir.search import count, read, require_access, search
from adapters.fhir.search_parameters import BadSearch
from adapters.fhir.sorting import search_sorted
from adapters.http.authentication import Connection, requires
from adapters.http.openapi import VERSION
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import DecimalJSONResponse, tagged
from adapters.http.workers.fair_queue import HEAVY_WORK
from domain.common.errors import NotFound
from domain.common.policy import Permission

BASE = "/fhir/R4"
# Maximum size of a search. Links to following pages repeat the search, and load balancers accept URLs of 8 kB.
MAX_SEARCH_BYTES = 8_000
# Limit of the total count.
_MAX_COUNTED = 10_000

Kind = Annotated[str, PathParameter()]
FhirId = Annotated[str, PathParameter()]


async def _accepts_json(connection: Connection, _: BaseRouteHandler) -> None:
    """Raise ``NotAcceptable`` unless JSON is accepted; ``_format`` wins."""
    wanted = connection.query_params.get("_format")
    if wanted is None:
        ensure_accepts_json(connection.headers.get("accept", ""))
    else:
        ensure_json(wanted)


class FhirController(Controller):
    path = BASE
    guards = (_accepts_json,)

    @get("/metadata", exclude_from_auth=True, include_in_schema=False, sync_to_thread=True)
    def read_capabilities(self, request: ApiRequest) -> Response[Any]:
        """Return the CapabilityStatement, which is public."""
        return _answer(capability_statement(_base(request), VERSION))

    @get("/.well-known/{name:str}", exclude_from_auth=True, include_in_schema=False)
    async def find_nothing_well_known(self, name: Kind) -> None:
        """Return 404 for ``smart-configuration``: programs sign in with keys."""
        del name
        raise NotFound

    @get(
        "/{kind:str}/{fhir_id:str}",
        guards=[requires(Permission.READ_FHIR)],
        include_in_schema=False,
        sync_to_thread=True,
    )
    def read_resource(self, request: ApiRequest, kind: Kind, fhir_id: FhirId) -> Response[Any]:
        """Read a resource; 304 if the caller has it."""
        if kind not in TYPES:
            raise NotFound
        answer = _answer(read(_context(request), kind, fhir_id))
        # Two callers may see different parts of a resource, so the tag is that of the answer.
        return tagged(answer.render(answer.content, MEDIA_TYPE), MEDIA_TYPE, request.headers.get("if-none-match"))

    @get("/{kind:str}", guards=[requires(Permission.READ_FHIR)], include_in_schema=False)
    async def search_resources(self, request: ApiRequest, kind: Kind) -> Response[Any]:
        """Search by URL."""
        return await HEAVY_WORK.run(request.owner, partial(_search, request, kind))

    @post("/{kind:str}/_search", guards=[requires(Permission.READ_FHIR)], status_code=200, include_in_schema=False)
    async def search_resources_by_post(self, request: ApiRequest, body: RawBody, kind: Kind) -> Response[Any]:
        """Search by form, so that names stay out of URLs and access logs."""
        return await HEAVY_WORK.run(request.owner, partial(_search, request, kind, body))


def _parameters(request: ApiRequest, form: bytes) -> list[tuple[str, str]]:
    """Return the parameters of URL and form. Raise ``BadSearch`` over limits."""
    query = request.scope["query_string"]
    if len(query) + len(form) > MAX_SEARCH_BYTES:
        raise BadSearch("too_long", bytes=len(query) + len(form), most=MAX_SEARCH_BYTES)
    texts = query.decode("latin-1"), form.decode("utf-8", "replace")
    return [parameter for text in texts for parameter in parse_qsl(text, keep_blank_values=True)]


def _context(request: ApiRequest) -> SearchContext:
    hospital = request.hospital
    return SearchContext(request.use_cases, request.user, hospital.currency, hospital.zone, _base(request))


def _search(request: ApiRequest, kind: str, form: bytes = b"") -> Response[Any]:
    sent = _parameters(request, form)
    if kind not in TYPES:
        raise NotFound
    context, base = _context(request), _base(request)
    # Before the query is parsed: unauthorized callers learn nothing about what they sent.
    require_access(context, kind)
    query = parse_query(kind, sent, strict="handling=strict" in request.headers.get("prefer", ""))
    if query.count == 0:
        total = count(context, kind, query.asked, most=_MAX_COUNTED)
        if total is None:
            raise BadSearch("count_too_much")
        return _answer(bundle(base, kind, query.honoured, [], total=total))
    if query.sort:
        found = search_sorted(context, kind, query.asked, query.sort, count=query.count, cursor=query.cursor)
    else:
        found = search(context, kind, query.asked, count=query.count, cursor=query.cursor)
    total = count(context, kind, query.asked, most=_MAX_COUNTED) if query.with_total else None
    others = included(context, kind, query.includes, found.resources)
    page = bundle(base, kind, query.honoured, found.resources, total=total, following=found.following, included=others)
    return _answer(page)


def _base(request: Request[Any, Any, Any]) -> str:
    """Return FHIR's base URL from the settings, not the ``Host`` header.

    Callers can set that header to anything.
    """
    return f"{request.app.state['public_address']}{BASE}"


def _answer(content: Any) -> Response[Any]:
    return DecimalJSONResponse(content, media_type=MEDIA_TYPE)
