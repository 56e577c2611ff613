"""Routes of products."""

from datetime import date
from typing import Annotated

from litestar import Controller, Response
from litestar.params import FromPath, JSONBody, QueryParameter

from adapters.http.authentication import requires
from adapters.http.controllers.crud import crud_controller
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.statuses import UnprocessableException
from adapters.http.responses.wire import FilterId, FreeText, PathId, SortBy, created, sort_by
from adapters.http.routes import Use, delete, get, post, put
from application.catalogue.favourites import PinProduct, UnpinProduct
from application.catalogue.price_history import ReadPriceHistory
from application.catalogue.product_codes import AddProductCode, ListProductCodes, ProductCodeDraft, RemoveProductCode
from application.catalogue.products import CreateProduct, DeleteProduct, ListProducts, ProductDraft, UpdateProduct
from application.catalogue.typed_products import ListTypedProducts
from application.catalogue.views import (
    PlainNameFilter,
    PriceHistoryView,
    ProductCodesView,
    ProductCodeView,
    ProductPage,
    ProductQuery,
    TypedProductsView,
    UnknownCodesView,
)
from application.scanning.look_up_product import IgnoreUnknownCode, ListUnknownCodes, Lookup, LookUpProduct
from application.scanning.views import ProductLookupView
from application.sheets.lines.proposal_views import UsualQuantityView
from application.sheets.lines.read_usual_quantity import ReadUsualQuantity

# Products are always paged: a catalogue has tens of thousands.
ProductsPage = Annotated[int, QueryParameter(ge=1, le=2**31)]
ProductsLimit = Annotated[int, QueryParameter(ge=1, le=100)]
Active = Annotated[bool | None, QueryParameter(description="1: only active; 0: only inactive", required=False)]


async def provide_products(
    page: ProductsPage = 1,
    limit: ProductsLimit = 25,
    sort: SortBy = None,
    q: FreeText = None,
    name: Annotated[str | None, QueryParameter(description="Alias of `q`", required=False)] = None,
    category_id: FilterId = None,
    active: Active = None,
    implant: Annotated[bool | None, QueryParameter(description="true: only implants", required=False)] = None,
    included_in_stay: Annotated[
        bool | None,
        QueryParameter(
            description="Only products included in the stay, or only others; requires the permission to see prices",
            required=False,
        ),
    ] = None,
    plain_name: Annotated[
        PlainNameFilter | None,
        QueryParameter(description="`missing`: only products without a plain name", required=False),
    ] = None,
) -> ProductQuery:
    """Provide the query of the list of products."""
    return ProductQuery(
        page=page,
        limit=limit,
        sort=sort_by(sort),
        q=q or name,
        category_id=category_id,
        active=active,
        implant=implant,
        included_in_stay=included_in_stay,
        plain_name=plain_name,
    )


ProductController = crud_controller(
    "/api/products",
    "a product",
    dto=draft_dto(ProductDraft, "name", "price", "category_id"),
    lists=ListProducts,
    creates=CreateProduct,
    updates=UpdateProduct,
    deletes=DeleteProduct,
    query=provide_products,
    page=ProductPage,
    about_list="""List products by name, 25 per page by default.

    The search ignores case, accents, hyphens and the spelling of ×; an exact code or GTIN comes first. If there are
    no matches, ``nearest`` has products with similar names as suggestions.

    Each word may be in the name or in another name (``also_called``). Names that begin with the text come before
    others, and a part of a code after all names: two letters or digits match a code that begins with them, three and
    more also one that contains them (JA-00 finds JA-0001).
    """,
    about_update="""Update a product. Details recorded earlier keep their price.

    ``plain_name``, up to 60 characters, is its name on a family's account. ``also_called`` are other names by which
    wards search for it: up to 10 (names.too_many) of up to 60 characters. If names differ only in case, accents or
    hyphens, the first one is kept; a semicolon separates two.
    """,
)


class ProductUseController(Controller):
    path = "/api/products"
    tags = ("products",)

    @get("/{product_id:int}/usual-quantity", guards=[requires(ReadUsualQuantity)], sync_to_thread=True)
    def read_usual_quantity(
        self, request: ApiRequest, product_id: PathId, read_usual_quantity: Use[ReadUsualQuantity]
    ) -> UsualQuantityView:
        """Return the median of the latest 21 details, and the outlier threshold.

        The threshold is ten times the median.

        Without a usual quantity, or if fewer than 11 details of the product count, the threshold is 20.
        """
        return read_usual_quantity(request.user, product_id)

    @get("/lookup", guards=[requires(LookUpProduct)], sync_to_thread=True, raises=[UnprocessableException])
    def look_up_product(
        self,
        request: ApiRequest,
        look_up_product: Use[LookUpProduct],
        scan: Annotated[str | None, QueryParameter(description="Raw text of a scanned symbol", required=False)] = None,
        gtin: Annotated[str | None, QueryParameter(required=False)] = None,
        code: Annotated[str | None, QueryParameter(description="The hospital's own code", required=False)] = None,
        hibc: Annotated[str | None, QueryParameter(required=False)] = None,
        text: Annotated[str | None, QueryParameter(description="A code of any system", required=False)] = None,
        lot: Annotated[str | None, QueryParameter(required=False)] = None,
        expiry: Annotated[date | None, QueryParameter(required=False)] = None,
        serial: Annotated[str | None, QueryParameter(required=False)] = None,
        only_tried: Annotated[
            bool | None, QueryParameter(description="Test scan: the code is not recorded", required=False)
        ] = None,
    ) -> ProductLookupView:
        """Look up a product by one of scan, gtin, code, hibc or text.

        ``lot``, ``expiry`` and ``serial`` are those of the pack. A GTIN with a wrong check digit is a 422. A scanned
        code without a product is noted.

        It returns the reading, the possible products, and what is known of the pack. In ``reading``, ``bare`` says that
        only the characters suggest it, ``separator_lost`` that lot, expiry and serial number must be confirmed,
        ``incomplete`` that a part of the symbol cannot be read: the certain part, such as a leading GTIN, is returned.
        An expiry that is no day is ``expiry_unreadable`` and ``incomplete``. AI 7003 gives the day of its moment. The
        primary data of a HIBC symbol finds the product, with or without its check character; the secondary data has
        lot, expiry, serial number and count, in the same symbol or alone. ``read_as`` is the intended text if the
        scanner seems to type for another keyboard layout: the matches are those of that text, and must be confirmed.

        ``people`` are the patients whom a scan may mean, for callers who may read patients and sheets; ``sheets`` are
        their open ones, the latest admission first. ``sheet_id`` is the sheet whose visit number or label was scanned,
        open or closed. ``label`` is that of a label of Consumo: ``state`` is found, missing (nothing that the caller
        may see has that id) or foreign (another installation printed it); a form has ``form_number``. ``noted`` says
        whether a code was noted; with only_tried=true none is, for testing a scanner.

        A product of a label is in the matches, its patient in ``people``. People are found by a record number (in any
        case, with stars or with a trailing ^^^HOSP, unless CONSUMO_HL7_AUTHORITY is another one), a former one, a visit
        number, a GSRN (AI 8018) that is one of these, or the label of a sheet; if no patient has the number and no
        product the code, by a record number without its separators.

        An unknown code is noted until a product has it, but at most 50 new ones of a user in 24 hours; those that were
        not scanned for 90 days are deleted. A badge gets the same answer and is not noted, and neither is what may be
        on a wristband: a text with other characters than letters, digits and ``-._/+$%`` (stars at both ends are
        allowed), one that holds a record number (also with zeros or stars around it), one of a merged record or a
        visit's number as a part between letters, digits and other characters, the letters and digits of one of the
        latest 500 record numbers in the same places, or the names of a patient, and a symbol with AI 8017 or 8018.
        Nothing is noted for callers who may not read patients. Without any of the parameters it is a 422, required.
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
        return look_up_product(request.user, lookup)

    @get("/{product_id:int}/prices", guards=[requires(ReadPriceHistory)], sync_to_thread=True)
    def read_price_history(
        self, request: ApiRequest, product_id: PathId, read_price_history: Use[ReadPriceHistory]
    ) -> PriceHistoryView:
        """List the latest 50 prices, newest first, with user and time.

        ``previous_price`` is null for the first one. Role 1 gets 403.
        """
        return read_price_history(request.user, product_id)

    @get("/{product_id:int}/codes", guards=[requires(ListProductCodes)], sync_to_thread=True)
    def list_product_codes(
        self, request: ApiRequest, product_id: PathId, list_product_codes: Use[ListProductCodes]
    ) -> ProductCodesView:
        """List all codes of a product in any system, including its own GTIN."""
        return list_product_codes(request.user, product_id)

    @post(
        "/{product_id:int}/codes",
        guards=[requires(AddProductCode)],
        dto=draft_dto(ProductCodeDraft, "system", "code"),
        sync_to_thread=True,
    )
    def add_product_code(
        self,
        request: ApiRequest,
        data: JSONBody[ProductCodeDraft],
        product_id: PathId,
        add_product_code: Use[AddProductCode],
    ) -> Response[ProductCodeView]:
        """Add a code, unique in its system.

        The first GTIN of a single unit becomes the product's ``gtin``.

        ``system`` is gtin, hibc, supplier, unspsc, gmdn, cum, cnis or billing; a pack with the code holds ``units`` of
        the product.
        """
        return created(add_product_code(request.user, product_id, data), "/api/product-codes")

    @get("/typed", guards=[requires(ListTypedProducts)], sync_to_thread=True, raises=[UnprocessableException])
    def list_typed_products(
        self,
        request: ApiRequest,
        list_typed_products: Use[ListTypedProducts],
        weeks: Annotated[
            int | None, QueryParameter(description="Weeks to count, 1 to 12 (default 4)", required=False)
        ] = None,
        area_id: FilterId = None,
    ) -> TypedProductsView:
        """List products with a code that users chose by name, by area.

        They are up to 200, the most frequent first: printed labels save the typing.

        ``weeks`` is 1 to 12, 4 by default. Nothing is counted by person. It needs catalogue.read and catalogue.manage.
        """
        return list_typed_products(request.user, weeks=weeks, area_id=area_id)

    @put(
        "/{product_id:int}/favourite",
        guards=[requires(PinProduct)],
        status_code=204,
        sync_to_thread=True,
    )
    def pin_product(self, request: ApiRequest, product_id: PathId, pin_product: Use[PinProduct]) -> None:
        """Pin a product: it comes first among the caller's usual products."""
        pin_product(request.user, product_id)

    @delete("/{product_id:int}/favourite", guards=[requires(UnpinProduct)], sync_to_thread=True)
    def unpin_product(self, request: ApiRequest, product_id: PathId, unpin_product: Use[UnpinProduct]) -> None:
        """Unpin a product."""
        unpin_product(request.user, product_id)


class UnknownCodeController(Controller):
    path = "/api/unknown-codes"
    tags = ("products",)

    @get(guards=[requires(ListUnknownCodes)], sync_to_thread=True)
    def list_unknown_codes(self, request: ApiRequest, list_unknown_codes: Use[ListUnknownCodes]) -> UnknownCodesView:
        """List the latest 200 scanned codes without a product, newest first.

        The list takes the codes of users in turns, so that the codes of one do not displace those of others.
        """
        return list_unknown_codes(request.user)

    @delete("/{system:str}", guards=[requires(IgnoreUnknownCode)], sync_to_thread=True)
    def ignore_unknown_code(
        self,
        request: ApiRequest,
        system: FromPath[str],
        code: Annotated[str, QueryParameter(description="The unknown code, exactly as listed")],
        ignore_unknown_code: Use[IgnoreUnknownCode],
    ) -> None:
        """Ignore an unknown code until it is scanned again."""
        ignore_unknown_code(request.user, system, code)


class ProductCodeController(Controller):
    path = "/api/product-codes"
    tags = ("products",)

    @delete("/{code_id:int}", guards=[requires(RemoveProductCode)], sync_to_thread=True)
    def remove_product_code(
        self, request: ApiRequest, code_id: PathId, remove_product_code: Use[RemoveProductCode]
    ) -> None:
        """Remove a code, and the product's ``gtin`` if it is that code."""
        remove_product_code(request.user, code_id)
