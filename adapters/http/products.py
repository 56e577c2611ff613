"""Routes of products."""

from datetime import date
from typing import Annotated, Any

from litestar import Request, Response
from litestar.params import FromPath, QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.lists import list_response
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import DecimalJSONResponse, FilterId, FreeText, PathId, SortBy, sort_by
from application.look_up_product import Lookup
from application.product_codes import ProductCodeDraft
from application.products import ProductDraft
from application.use_cases import UseCases
from application.views import (
    PriceHistoryView,
    ProductCodesView,
    ProductCodeView,
    ProductLookupView,
    ProductPage,
    ProductQuery,
    ProductView,
    UnknownCodesView,
    UsualQuantityView,
)
from domain.policy import Actor, Permission

_REQUEST_BODY = request_body_schema(ProductDraft, "name", "price", "category_id")

# Products are always paged: a catalogue has tens of thousands.
ProductsPage = Annotated[int, QueryParameter(ge=1, le=2**31)]
ProductsLimit = Annotated[int, QueryParameter(ge=1, le=100)]
Active = Annotated[bool | None, QueryParameter(description="1 for active ones, 0 for inactive ones", required=False)]


@get(
    "/api/products",
    operation_id="listProducts",
    may=Permission.READ_CATALOGUE,
    summary="List and search products",
    tags=["products"],
)
def list_products(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    page: ProductsPage = 1,
    limit: ProductsLimit = 25,
    sort: SortBy = None,
    q: FreeText = None,
    name: Annotated[str | None, QueryParameter(description="The same as q", required=False)] = None,
    category_id: FilterId = None,
    active: Active = None,
) -> ProductPage:
    """List products by name, 25 per page by default.

    The search ignores case, accents, hyphens and the spelling of ×; an exact code or GTIN comes first. If there are no
    matches, ``nearest`` has products with similar names as suggestions.
    """
    query = ProductQuery(
        page=page,
        limit=limit,
        sort=sort_by(sort),
        q=q or name,
        category_id=category_id,
        active=active,
    )
    products: ProductPage = list_response(request, "products", use_cases, actor, query, hospital)
    return products


@get(
    "/api/products/{product_id:int}",
    operation_id="readProduct",
    may=Permission.READ_CATALOGUE,
    summary="Read a product",
    tags=["products"],
)
def read_product(use_cases: UseCases, actor: Actor, product_id: PathId) -> ProductView:
    return use_cases.products.one(actor, product_id)


@get(
    "/api/products/{product_id:int}/usual-quantity",
    operation_id="readUsualQuantity",
    may=Permission.READ_CATALOGUE,
    summary="Read what is usually recorded of a product",
    tags=["products"],
)
def read_usual_quantity(use_cases: UseCases, actor: Actor, product_id: PathId) -> UsualQuantityView:
    """Return the median of the latest 21 details, and the outlier threshold.

    The threshold is ten times the median.
    """
    return use_cases.read_usual_quantity(actor, product_id)


@post(
    "/api/products",
    operation_id="createProduct",
    may=Permission.MANAGE_CATALOGUE,
    operation_class=_REQUEST_BODY,
    summary="Create a product",
    tags=["products"],
)
def create_product(use_cases: UseCases, actor: Actor, body: JsonBody) -> Response[ProductView]:
    product = use_cases.create_product(actor, body.read(ProductDraft))
    location = {"Location": f"/api/products/{product.id}"}
    return DecimalJSONResponse(use_cases.products.changed(actor, product.id), headers=location)


@put(
    "/api/products/{product_id:int}",
    operation_id="updateProduct",
    may=Permission.MANAGE_CATALOGUE,
    operation_class=_REQUEST_BODY,
    summary="Update a product",
    tags=["products"],
)
def update_product(
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    product_id: PathId,
) -> ProductView:
    """Update a product. Details recorded earlier keep their price."""
    use_cases.update_product(actor, product_id, body.read(ProductDraft))
    return use_cases.products.changed(actor, product_id)


@delete(
    "/api/products/{product_id:int}",
    operation_id="deleteProduct",
    may=Permission.MANAGE_CATALOGUE,
    summary="Delete a product",
    tags=["products"],
)
def delete_product(use_cases: UseCases, actor: Actor, product_id: PathId) -> None:
    """Delete an unused product. A 422 names the number of uses."""
    use_cases.delete_product(actor, product_id)


@get(
    "/api/products/lookup",
    operation_id="lookUpProduct",
    may=Permission.READ_CATALOGUE,
    summary="Look up what a scan or a code means",
    tags=["products"],
)
def look_up_product(
    use_cases: UseCases,
    actor: Actor,
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

    ``lot``, ``expiry`` and ``serial`` are those of the pack. A GTIN with a wrong check digit is a 422. A scanned code
    without a product is noted.
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
    return use_cases.look_up_product(actor, lookup)


@get(
    "/api/unknown-codes",
    operation_id="listUnknownCodes",
    may=Permission.MANAGE_CATALOGUE,
    summary="List codes that no product has",
    tags=["products"],
)
def list_unknown_codes(use_cases: UseCases, actor: Actor) -> UnknownCodesView:
    """List the latest 200 scanned codes without a product, newest first."""
    return use_cases.list_unknown_codes(actor)


@delete(
    "/api/unknown-codes/{system:str}",
    operation_id="ignoreUnknownCode",
    may=Permission.MANAGE_CATALOGUE,
    summary="Take a code that no product has off the list",
    tags=["products"],
)
def ignore_unknown_code(
    use_cases: UseCases,
    actor: Actor,
    system: FromPath[str],
    code: Annotated[str, QueryParameter(description="As the list tells it; it may have any characters")],
) -> None:
    """Ignore an unknown code until it is scanned again."""
    use_cases.ignore_unknown_code(actor, system, code)


@get(
    "/api/products/{product_id:int}/prices",
    operation_id="readPriceHistory",
    may=Permission.SEE_PRICES,
    summary="Read the price history of a product",
    tags=["products"],
)
def read_price_history(use_cases: UseCases, actor: Actor, product_id: PathId) -> PriceHistoryView:
    """List the latest 50 prices, newest first, with user and time."""
    return use_cases.read_price_history(actor, product_id)


@get(
    "/api/products/{product_id:int}/codes",
    operation_id="listProductCodes",
    may=Permission.MANAGE_CATALOGUE,
    summary="List the codes of a product",
    tags=["products"],
)
def list_product_codes(use_cases: UseCases, actor: Actor, product_id: PathId) -> ProductCodesView:
    """List all codes of a product in any system, including its own GTIN."""
    return use_cases.list_product_codes(actor, product_id)


@post(
    "/api/products/{product_id:int}/codes",
    operation_id="addProductCode",
    may=Permission.MANAGE_CATALOGUE,
    operation_class=request_body_schema(ProductCodeDraft, "system", "code"),
    summary="Add a code to a product",
    tags=["products"],
)
def add_product_code(
    use_cases: UseCases, actor: Actor, body: JsonBody, product_id: PathId
) -> Response[ProductCodeView]:
    """Add a code, unique in its system.

    The first GTIN of a single unit becomes the product's ``gtin``.
    """
    code = use_cases.add_product_code(actor, product_id, body.read(ProductCodeDraft))
    return DecimalJSONResponse(code, headers={"Location": f"/api/product-codes/{code['id']}"})


@delete(
    "/api/product-codes/{code_id:int}",
    operation_id="removeProductCode",
    may=Permission.MANAGE_CATALOGUE,
    summary="Remove a code of a product",
    tags=["products"],
)
def remove_product_code(use_cases: UseCases, actor: Actor, code_id: PathId) -> None:
    """Remove a code, and the product's ``gtin`` if it is that code."""
    use_cases.remove_product_code(actor, code_id)


@put(
    "/api/products/{product_id:int}/favourite",
    operation_id="pinProduct",
    may=Permission.MANAGE_OWN_KITS,
    summary="Pin a product",
    tags=["products"],
    status_code=204,
)
def pin_product(use_cases: UseCases, actor: Actor, product_id: PathId) -> None:
    """Pin a product: it comes first among the caller's usual products."""
    use_cases.pin_product(actor, product_id)


@delete(
    "/api/products/{product_id:int}/favourite",
    operation_id="unpinProduct",
    may=Permission.MANAGE_OWN_KITS,
    summary="Unpin a product",
    tags=["products"],
)
def unpin_product(use_cases: UseCases, actor: Actor, product_id: PathId) -> None:
    use_cases.unpin_product(actor, product_id)


ROUTES = [
    list_products,
    read_product,
    read_usual_quantity,
    create_product,
    update_product,
    delete_product,
    look_up_product,
    list_unknown_codes,
    ignore_unknown_code,
    read_price_history,
    list_product_codes,
    add_product_code,
    remove_product_code,
    pin_product,
    unpin_product,
]
