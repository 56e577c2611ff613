"""Routes of products."""

from datetime import date
from typing import Annotated

from litestar import Controller, Response, delete, get, post, put
from litestar.params import FromPath, JSONBody, QueryParameter

from adapters.documents.lists import PRODUCTS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import FilterId, FreeText, PathId, SortBy, created, sort_by
from application.catalogue.product_codes import ProductCodeDraft
from application.catalogue.products import ProductDraft
from application.catalogue.views import (
    PriceHistoryView,
    ProductCodesView,
    ProductCodeView,
    ProductPage,
    ProductQuery,
    ProductView,
    TypedProductsView,
    UnknownCodesView,
)
from application.scanning.look_up_product import Lookup
from application.scanning.views import ProductLookupView
from application.sheets.lines.proposal_views import UsualQuantityView
from domain.common.policy import Permission

ProductDTO = draft_dto(ProductDraft, "name", "price", "category_id")

# Products are always paged: a catalogue has tens of thousands.
ProductsPage = Annotated[int, QueryParameter(ge=1, le=2**31)]
ProductsLimit = Annotated[int, QueryParameter(ge=1, le=100)]
Active = Annotated[bool | None, QueryParameter(description="1 for active ones, 0 for inactive ones", required=False)]


class ProductController(Controller):
    path = "/api/products"
    tags = ("products",)

    @get(guards=[requires(Permission.READ_CATALOGUE)])
    async def list_products(
        self,
        request: ApiRequest,
        page: ProductsPage = 1,
        limit: ProductsLimit = 25,
        sort: SortBy = None,
        q: FreeText = None,
        name: Annotated[str | None, QueryParameter(description="The same as q", required=False)] = None,
        category_id: FilterId = None,
        active: Active = None,
        implant: Annotated[bool | None, QueryParameter(description="true for implants only", required=False)] = None,
    ) -> ProductPage:
        """List products by name, 25 per page by default.

        The search ignores case, accents, hyphens and the spelling of ×; an exact code or GTIN comes first. If there are
        no matches, ``nearest`` has products with similar names as suggestions.
        """
        query = ProductQuery(
            page=page,
            limit=limit,
            sort=sort_by(sort),
            q=q or name,
            category_id=category_id,
            active=active,
            implant=implant,
        )
        return await list_response(request, PRODUCTS, query)

    @get("/{product_id:int}", guards=[requires(Permission.READ_CATALOGUE)], sync_to_thread=True)
    def read_product(self, request: ApiRequest, product_id: PathId) -> ProductView:
        """Read a product."""
        return request.use_cases.products.reader.one(request.user, product_id)

    @get("/{product_id:int}/usual-quantity", guards=[requires(Permission.READ_CATALOGUE)], sync_to_thread=True)
    def read_usual_quantity(self, request: ApiRequest, product_id: PathId) -> UsualQuantityView:
        """Return the median of the latest 21 details, and the outlier threshold.

        The threshold is ten times the median.
        """
        return request.use_cases.products.read_usual_quantity(request.user, product_id)

    @post(guards=[requires(Permission.MANAGE_CATALOGUE)], dto=ProductDTO, sync_to_thread=True)
    def create_product(self, request: ApiRequest, data: JSONBody[ProductDraft]) -> Response[ProductView]:
        """Create a product."""
        product = request.use_cases.products.create(request.user, data)
        return created(request.use_cases.products.reader.changed(request.user, product.id), self.path)

    @put("/{product_id:int}", guards=[requires(Permission.MANAGE_CATALOGUE)], dto=ProductDTO, sync_to_thread=True)
    def update_product(self, request: ApiRequest, data: JSONBody[ProductDraft], product_id: PathId) -> ProductView:
        """Update a product. Details recorded earlier keep their price."""
        request.use_cases.products.update(request.user, product_id, data)
        return request.use_cases.products.reader.changed(request.user, product_id)

    @delete("/{product_id:int}", guards=[requires(Permission.MANAGE_CATALOGUE)], sync_to_thread=True)
    def delete_product(self, request: ApiRequest, product_id: PathId) -> None:
        """Delete an unused product. A 422 names the number of uses."""
        request.use_cases.products.delete(request.user, product_id)

    @get("/lookup", guards=[requires(Permission.READ_CATALOGUE)], sync_to_thread=True)
    def look_up_product(
        self,
        request: ApiRequest,
        scan: Annotated[str | None, QueryParameter(description="The raw text of a symbol", required=False)] = None,
        gtin: Annotated[str | None, QueryParameter(required=False)] = None,
        code: Annotated[str | None, QueryParameter(description="The hospital's own code", required=False)] = None,
        hibc: Annotated[str | None, QueryParameter(required=False)] = None,
        text: Annotated[str | None, QueryParameter(description="A code of any system", required=False)] = None,
        lot: Annotated[str | None, QueryParameter(required=False)] = None,
        expiry: Annotated[date | None, QueryParameter(required=False)] = None,
        serial: Annotated[str | None, QueryParameter(required=False)] = None,
        only_tried: Annotated[
            bool | None, QueryParameter(description="true where a scanner is tried: nothing is noted", required=False)
        ] = None,
    ) -> ProductLookupView:
        """Look up a product by one of scan, gtin, code, hibc or text.

        ``lot``, ``expiry`` and ``serial`` are those of the pack. A GTIN with a wrong check digit is a 422. A scanned
        code without a product is noted.
        """
        lookup = Lookup(
            scan=scan,
            gtin=gtin,
            code=code,
            hibc=hibc,
            text=text,
            lot=lot,
            expiry=expiry,
            serial=serial,
            only_tried=bool(only_tried),
        )
        return request.use_cases.products.look_up(request.user, lookup)

    @get("/{product_id:int}/prices", guards=[requires(Permission.SEE_PRICES)], sync_to_thread=True)
    def read_price_history(self, request: ApiRequest, product_id: PathId) -> PriceHistoryView:
        """List the latest 50 prices, newest first, with user and time."""
        return request.use_cases.products.read_price_history(request.user, product_id)

    @get("/{product_id:int}/codes", guards=[requires(Permission.MANAGE_CATALOGUE)], sync_to_thread=True)
    def list_product_codes(self, request: ApiRequest, product_id: PathId) -> ProductCodesView:
        """List all codes of a product in any system, including its own GTIN."""
        return request.use_cases.products.list_codes(request.user, product_id)

    @post(
        "/{product_id:int}/codes",
        guards=[requires(Permission.MANAGE_CATALOGUE)],
        dto=draft_dto(ProductCodeDraft, "system", "code"),
        sync_to_thread=True,
    )
    def add_product_code(
        self, request: ApiRequest, data: JSONBody[ProductCodeDraft], product_id: PathId
    ) -> Response[ProductCodeView]:
        """Add a code, unique in its system.

        The first GTIN of a single unit becomes the product's ``gtin``.
        """
        return created(request.use_cases.products.add_code(request.user, product_id, data), "/api/product-codes")

    @get("/typed", guards=[requires(Permission.MANAGE_CATALOGUE, Permission.READ_CATALOGUE)], sync_to_thread=True)
    def list_typed_products(
        self,
        request: ApiRequest,
        weeks: Annotated[int | None, QueryParameter(description="From 1 to 12; 4 when missing", required=False)] = None,
        area_id: FilterId = None,
    ) -> TypedProductsView:
        """List products with a code that users chose by name, by area.

        They are up to 200, the most frequent first: printed labels save the typing.
        """
        return request.use_cases.products.list_typed(request.user, weeks=weeks, area_id=area_id)

    @put(
        "/{product_id:int}/favourite",
        guards=[requires(Permission.MANAGE_OWN_KITS)],
        status_code=204,
        sync_to_thread=True,
    )
    def pin_product(self, request: ApiRequest, product_id: PathId) -> None:
        """Pin a product: it comes first among the caller's usual products."""
        request.use_cases.products.pin(request.user, product_id)

    @delete("/{product_id:int}/favourite", guards=[requires(Permission.MANAGE_OWN_KITS)], sync_to_thread=True)
    def unpin_product(self, request: ApiRequest, product_id: PathId) -> None:
        """Unpin a product."""
        request.use_cases.products.unpin(request.user, product_id)


class UnknownCodeController(Controller):
    path = "/api/unknown-codes"
    tags = ("products",)

    @get(guards=[requires(Permission.MANAGE_CATALOGUE)], sync_to_thread=True)
    def list_unknown_codes(self, request: ApiRequest) -> UnknownCodesView:
        """List the latest 200 scanned codes without a product, newest first."""
        return request.use_cases.products.list_unknown_codes(request.user)

    @delete("/{system:str}", guards=[requires(Permission.MANAGE_CATALOGUE)], sync_to_thread=True)
    def ignore_unknown_code(
        self,
        request: ApiRequest,
        system: FromPath[str],
        code: Annotated[str, QueryParameter(description="As the list tells it; it may have any characters")],
    ) -> None:
        """Ignore an unknown code until it is scanned again."""
        request.use_cases.products.ignore_unknown_code(request.user, system, code)


class ProductCodeController(Controller):
    path = "/api/product-codes"
    tags = ("products",)

    @delete("/{code_id:int}", guards=[requires(Permission.MANAGE_CATALOGUE)], sync_to_thread=True)
    def remove_product_code(self, request: ApiRequest, code_id: PathId) -> None:
        """Remove a code, and the product's ``gtin`` if it is that code."""
        request.use_cases.products.remove_code(request.user, code_id)
