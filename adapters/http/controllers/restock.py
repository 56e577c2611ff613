"""Routes of restock lists, and of the shelves of areas."""

from functools import partial
from typing import Annotated

from litestar import Controller, Response
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import Form
from adapters.documents.pdf.restock import restock_pdf
from adapters.documents.restock_xlsx import restock_workbook
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.files import MEDIA_TYPES, document_response
from adapters.http.responses.wire import (
    FilterId,
    IdempotencyKeyHeader,
    PathId,
    created,
    idempotency_key_of,
)
from adapters.http.routes import Use, delete, get, post, put
from adapters.http.workers.fair_queue import HEAVY_WORK
from application.restock.restock_lists import (
    CloseRestockDraft,
    CloseRestockList,
    ListClosedRestock,
    ListShelves,
    PutBackDraft,
    PutBackProduct,
    ReadRestock,
    ReadRestockDocument,
    SetShelf,
    ShelfDraft,
    UndoPutBack,
)
from application.restock.views import (
    PutBackView,
    RestockDocumentView,
    RestockListsView,
    RestockView,
    ShelfView,
    ShelvesView,
)


class RestockController(Controller):
    path = "/api/areas/{area_id:int}/restock"
    tags = ("restock",)

    @get(guards=[requires(ReadRestock)], sync_to_thread=True)
    def read_restock(self, request: ApiRequest, area_id: PathId, read_restock: Use[ReadRestock]) -> RestockView:
        """Return what the area used since its last list, in shelf order.

        Returned and voided quantities are taken off. A negative quantity was taken too much by closed lists, and
        reduces what is used next. It has the ticks of all users, and no prices.

        ``needed`` is the quantity of all details with this area that count, minus what the closed lists took, so that
        all closed lists and the open one add up to what counts. Details without an area are on no list.
        """
        return read_restock(request.user, area_id)

    @put(
        "/products/{product_id:int}",
        guards=[requires(PutBackProduct)],
        dto=draft_dto(PutBackDraft, "number", "quantity"),
        sync_to_thread=True,
    )
    def put_back_product(
        self,
        request: ApiRequest,
        data: JSONBody[PutBackDraft],
        area_id: PathId,
        product_id: PathId,
        put_back_product: Use[PutBackProduct],
    ) -> PutBackView:
        """Tick a product: `quantity` of what is needed was put back.

        `number` is that of the list. If it was closed meanwhile: 422, code restock.closed, with `by`.

        More than is needed now is a 422, restock.more_than_needed, with ``needed``. What is used later is on the next
        list.

        If it replaces another user's tick, that user is ``user_id`` of the audit entry.
        """
        return put_back_product(request.user, area_id, product_id, data)

    @delete("/products/{product_id:int}", guards=[requires(UndoPutBack)], status_code=204, sync_to_thread=True)
    def undo_put_back(
        self,
        request: ApiRequest,
        area_id: PathId,
        product_id: PathId,
        number: Annotated[int, QueryParameter(ge=1, le=2**31 - 1, description="Number of the list")],
        undo_put_back: Use[UndoPutBack],
    ) -> None:
        """Remove the tick of a product."""
        undo_put_back(request.user, area_id, product_id, number)

    @post(
        "/close", guards=[requires(CloseRestockList)], dto=draft_dto(CloseRestockDraft, "number"), sync_to_thread=True
    )
    def close_restock_list(
        self,
        request: ApiRequest,
        data: JSONBody[CloseRestockDraft],
        area_id: PathId,
        idempotency_key: IdempotencyKeyHeader,
        close_restock_list: Use[CloseRestockList],
    ) -> Response[RestockDocumentView]:
        """Close the list: it takes what was ticked. The rest is on the next list.

        With `settle_rest` it takes the rest, too, and the next list begins empty. If another user closed it meanwhile:
        422, code restock.closed, with `by`.

        With nothing to take: 422, code restock.empty. What was not ticked has ``put_back`` 0.
        """
        done = close_restock_list(
            request.user, area_id, data, idempotency_key=idempotency_key_of(request, idempotency_key)
        )
        return created(done.answer, "/api/restock-lists", replayed=done.replayed)

    @get("/lists", guards=[requires(ListClosedRestock)], sync_to_thread=True)
    def list_closed_restock(
        self, request: ApiRequest, area_id: PathId, list_closed_restock: Use[ListClosedRestock], before: FilterId = None
    ) -> RestockListsView:
        """List the closed lists of the area, latest first, 50 at most.

        `before` limits them to smaller numbers.
        """
        return list_closed_restock(request.user, area_id, before)


class RestockListController(Controller):
    path = "/api/restock-lists/{restock_list_id:int}"
    tags = ("restock",)

    @get(guards=[requires(ReadRestockDocument)], sync_to_thread=True)
    def read_restock_list(
        self, request: ApiRequest, restock_list_id: PathId, read_restock_document: Use[ReadRestockDocument]
    ) -> RestockDocumentView:
        """Return a closed list, as it was when it was closed."""
        return read_restock_document(request.user, restock_list_id)

    @get("/pdf", guards=[requires(ReadRestockDocument)], media_type="application/pdf")
    async def print_restock_list(self, request: ApiRequest, restock_list_id: PathId) -> Response[bytes]:
        """Return a closed list as PDF: what was put back, by whom and when."""
        return await HEAVY_WORK.run(request.owner, partial(_print, request, restock_list_id))

    @get("/xlsx", guards=[requires(ReadRestockDocument)], media_type=MEDIA_TYPES[Form.XLSX])
    async def export_restock_list(self, request: ApiRequest, restock_list_id: PathId) -> Response[bytes]:
        """Return a closed list as a workbook."""
        return await HEAVY_WORK.run(request.owner, partial(_export, request, restock_list_id))


class ShelfController(Controller):
    path = "/api/areas/{area_id:int}/shelves"
    tags = ("restock",)

    @get(guards=[requires(ListShelves)], sync_to_thread=True)
    def list_shelves(self, request: ApiRequest, area_id: PathId, list_shelves: Use[ListShelves]) -> ShelvesView:
        """List where the area keeps its products, in shelf order."""
        return list_shelves(request.user, area_id)

    @put(
        "/{product_id:int}",
        guards=[requires(SetShelf)],
        dto=draft_dto(ShelfDraft),
        sync_to_thread=True,
    )
    def set_shelf(
        self,
        request: ApiRequest,
        data: JSONBody[ShelfDraft],
        area_id: PathId,
        product_id: PathId,
        set_shelf: Use[SetShelf],
    ) -> ShelfView:
        """Set where the area keeps the product, and its fixed amount.

        The fixed amount is put back however much was used. Null removes either.
        """
        return set_shelf(request.user, area_id, product_id, data)


def _print(request: ApiRequest, list_id: int) -> Response[bytes]:
    document = request.use_cases.restock.read_document(request.user, list_id)
    printed = restock_pdf(request.hospital, document, language_of(request))
    return document_response(printed, f"restock-{list_id}.pdf", is_shown=True)


def _export(request: ApiRequest, list_id: int) -> Response[bytes]:
    document = request.use_cases.restock.read_document(request.user, list_id)
    with restock_workbook(request.hospital, document, language_of(request)) as file:
        return document_response(file.read(), f"restock-{list_id}.xlsx", form=Form.XLSX)
