"""Route of the catalogue for offline use."""

import gzip

from litestar import Controller, Response

from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import IfNoneMatch, not_modified, parse_etags
from adapters.http.routes import Use, get
from adapters.http.static_files import accepts
from application.catalogue.device_views import VersionedCatalogueView
from application.catalogue.read_catalogue import ReadCatalogue


class CatalogueController(Controller):
    path = "/api/catalogue"
    tags = ("products",)

    @get(guards=[requires(ReadCatalogue)], compresses_itself=True, sync_to_thread=True)
    def read_catalogue(
        self, request: ApiRequest, read_catalogue: Use[ReadCatalogue], if_none_match: IfNoneMatch = None
    ) -> Response[VersionedCatalogueView]:
        """Return all products and codes, the hospital's kits and the areas.

        Devices store it for work without network. The bytes are the same for all users, without prices and categories;
        304 if the caller has this version. Each record is an array of its fields, in the order of the schema.
        """
        if if_none_match is not None:
            version = read_catalogue.version(request.user)
            if version in parse_etags(if_none_match):
                return not_modified(version)
        catalogue = read_catalogue(request.user)
        headers, body = {"ETag": f'"{catalogue.version}"', "Vary": "Accept-Encoding"}, catalogue.gzipped
        if accepts(request.headers.get("accept-encoding", ""), "gzip"):
            headers["Content-Encoding"] = "gzip"
        else:
            body = gzip.decompress(body)
        return Response(body, media_type="application/json", headers=headers)  # type: ignore[arg-type]
