"""Read-only FHIR R4 API, for programs with a key and signed-in users."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any
from urllib.parse import parse_qsl

from litestar import Controller, Request, Response, get, post
from litestar.params import PathParameter, RawBody

from adapters.fhir.bundle import MEDIA_TYPE, bundle, capability_statement
from adapters.fhir.narrowing import MAX_PAGE_SIZE, SearchContext
from adapters.fhir.resource_types import SEARCHABLE, TYPES
from adapters.fhir.search import count, read, search
from adapters.fhir.search_parameters import BadSearch, SearchParameter, split
from adapters.http.authentication import requires
from adapters.http.openapi import VERSION
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import DecimalJSONResponse
from adapters.http.workers.heavy_work import HEAVY_WORK
from domain.errors import NotFound
from domain.policy import Permission

BASE = "/fhir/R4"
_PER_PAGE = 25
# Maximum size of a search. Links to following pages repeat the search, and load balancers accept URLs of 8 kB.
MAX_SEARCH_BYTES = 8_000
MAX_VALUES = 100
# Limit of the total count.
_MAX_COUNTED = 10_000
_CONTROLS = ("_count", "_cursor", "_total", "_summary", "_format")

Kind = Annotated[str, PathParameter()]
FhirId = Annotated[str, PathParameter()]


class FhirController(Controller):
    path = "/fhir/R4"

    @get("/metadata", exclude_from_auth=True, include_in_schema=False, sync_to_thread=True)
    def read_capabilities(self, request: ApiRequest) -> Response[Any]:
        """Return the CapabilityStatement, which is public."""
        return _answer(capability_statement(_base(request), VERSION))

    @get(
        "/{kind:str}/{fhir_id:str}",
        guards=[requires(Permission.READ_FHIR)],
        include_in_schema=False,
        sync_to_thread=True,
    )
    def read_resource(self, request: ApiRequest, kind: Kind, fhir_id: FhirId) -> Response[Any]:
        """Read a resource."""
        if kind not in TYPES:
            raise NotFound
        return _answer(read(_context(request), kind, fhir_id))

    @get("/{kind:str}", guards=[requires(Permission.READ_FHIR)], include_in_schema=False)
    async def search_resources(self, request: ApiRequest, kind: Kind) -> Response[Any]:
        """Search by URL."""
        return await HEAVY_WORK.run(partial(_search, request, kind))

    @post("/{kind:str}/_search", guards=[requires(Permission.READ_FHIR)], status_code=200, include_in_schema=False)
    async def search_resources_by_post(self, request: ApiRequest, body: RawBody, kind: Kind) -> Response[Any]:
        """Search by form, so that names stay out of URLs and access logs."""
        return await HEAVY_WORK.run(partial(_search, request, kind, body))


def _parameters(request: ApiRequest, form: bytes) -> list[tuple[str, str]]:
    """Return the parameters of URL and form. Raise ``BadSearch`` over limits."""
    query = request.scope["query_string"]
    if len(query) + len(form) > MAX_SEARCH_BYTES:
        raise BadSearch(
            f"The search has {len(query) + len(form):,} bytes and may have {MAX_SEARCH_BYTES:,}: send it as several."
        )
    texts = query.decode("latin-1"), form.decode("utf-8", "replace")
    return [parameter for text in texts for parameter in parse_qsl(text, keep_blank_values=True)]


def _context(request: ApiRequest) -> SearchContext:
    return SearchContext(request.use_cases, request.user, request.hospital.currency, request.hospital.zone)


def _search(request: ApiRequest, kind: str, form: bytes = b"") -> Response[Any]:
    sent = _parameters(request, form)
    if kind not in TYPES:
        raise NotFound
    context = _context(request)
    strict = "handling=strict" in request.headers.get("prefer", "")
    controls, asked, honoured = _parse_query(kind, sent, strict=strict)
    base = _base(request)
    if controls.get("_summary") == "count":
        total = count(context, kind, asked, most=_MAX_COUNTED)
        if total is None:
            raise BadSearch("_summary=count would look at too much: narrow the search.")
        return _answer(bundle(base, kind, honoured, [], total=total))
    per_page = _number(controls.get("_count", str(_PER_PAGE)))
    if per_page == 0:
        return _answer(bundle(base, kind, honoured, [], total=count(context, kind, asked, most=_MAX_COUNTED)))
    found = search(context, kind, asked, count=min(per_page, MAX_PAGE_SIZE), cursor=controls.get("_cursor"))
    total = count(context, kind, asked, most=_MAX_COUNTED) if controls.get("_total") == "accurate" else None
    return _answer(bundle(base, kind, honoured, found.resources, total=total, following=found.following))


def _parse_query(
    kind: str, sent: Sequence[tuple[str, str]], *, strict: bool
) -> tuple[dict[str, str], list[SearchParameter], list[tuple[str, str]]]:
    """Split parameters into output options, search values and honoured ones."""
    controls: dict[str, str] = {}
    asked: list[SearchParameter] = []
    honoured: list[tuple[str, str]] = []
    for name, value in sent:
        # A chain may name the resource type: subject:Patient.identifier.
        name = name.replace(":Patient.", ".")
        base = name.partition(":")[0]
        if name in _CONTROLS:
            controls[name] = value
        elif base in SEARCHABLE[kind]:
            asked.append(split(name, value))
        elif strict:
            known = ", ".join(SEARCHABLE[kind])
            raise BadSearch(f"{name} is not supported for {kind}: search by {known}.")
        else:
            continue
        honoured.append((name, value))
    values = sum(len(given.values) for given in asked)
    if values > MAX_VALUES:
        raise BadSearch(f"The search has {values} values and may have {MAX_VALUES}: send it as several.")
    for name, choices in (("_total", ("none", "estimate", "accurate")), ("_summary", ("count", "false"))):
        if controls.get(name, choices[0]) not in choices:
            raise BadSearch(f"{name}={controls[name]} is not supported: send one of {', '.join(choices)}.")
    if "xml" in controls.get("_format", "") or "ttl" in controls.get("_format", ""):
        raise BadSearch(f"_format={controls['_format']} is not supported: only JSON is answered.")
    return controls, asked, honoured


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadSearch(f"_count={text[:20]} is no number: send one from 0 to {MAX_PAGE_SIZE}.")
    return int(text)


def _base(request: Request[Any, Any, Any]) -> str:
    """Return FHIR's base URL from the settings, not the ``Host`` header.

    Callers can set that header to anything.
    """
    return f"{request.app.state['public_address']}{BASE}"


def _answer(content: Any) -> Response[Any]:
    return DecimalJSONResponse(content, media_type=MEDIA_TYPE)
