"""Route of the catalogue for offline use."""

import gzip
from typing import Any

from litestar import Request, Response

from adapters.http.routing import get
from adapters.http.static_files import accepts
from adapters.http.wire import IfNoneMatch, not_modified, parse_etags
from application.use_cases import UseCases
from application.views import VersionedCatalogueView
from domain.policy import Actor, Permission


@get(
    "/api/catalogue",
    operation_id="readCatalogue",
    may=Permission.READ_CATALOGUE,
    summary="Read the whole catalogue",
    tags=["products"],
    opt={"compresses_itself": True},
)
def read_catalogue(
    request: Request[Any, Any, Any], use_cases: UseCases, actor: Actor, if_none_match: IfNoneMatch = None
) -> Response[VersionedCatalogueView]:
    """Return all products and codes, the hospital's kits and the areas.

    Devices store it for work without network. The bytes are the same for all users, without prices and categories; 304
    if the caller has this version. Each record is an array of its fields, in the order of the schema.
    """
    if if_none_match is not None:
        version = use_cases.read_catalogue.version(actor)
        if version in parse_etags(if_none_match):
            return not_modified(version)
    catalogue = use_cases.read_catalogue(actor)
    headers, body = {"ETag": f'"{catalogue.version}"', "Vary": "Accept-Encoding"}, catalogue.gzipped
    if accepts(request.headers.get("accept-encoding", ""), "gzip"):
        headers["Content-Encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Response(body, media_type="application/json", headers=headers)  # type: ignore[arg-type]


ROUTES = [read_catalogue]
