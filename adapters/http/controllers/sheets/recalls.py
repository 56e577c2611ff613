"""Routes of recalls, and of the use of recalled lots."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, cast

from litestar import Controller, Response, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import RECALLED_DETAILS, RECALLS, ExportedList
from adapters.http.authentication import requires
from adapters.http.controllers.sheets.details import provide_query
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import (
    AskedList,
    DecimalJSONResponse,
    FilterId,
    IdempotencyKeyHeader,
    PathId,
    created,
    idempotency_key_of,
    provide_list,
)
from application.catalogue.set_aside import SetAsideDraft
from application.catalogue.views import RecallQuery, RecallView, SetAsideListView, SetAsideView
from application.common.paging import Page
from application.sheets.detail_views import DetailQuery, ExportedDetailView
from application.sheets.recalls import ListRecalledDetails, RecallDraft
from domain.common.policy import Actor, Permission

RecallDTO = draft_dto(RecallDraft, "product_id", "reason")


class RecallController(Controller):
    path = "/api/recalls"
    tags = ("recalls",)

    @get(guards=[requires(Permission.MANAGE_RECALLS)], dependencies={"asked": Provide(provide_list)})
    async def list_recalls(
        self,
        request: ApiRequest,
        asked: NamedDependency[AskedList],
        product_id: FilterId = None,
        closed: Annotated[bool | None, QueryParameter(description="true for ended ones", required=False)] = None,
    ) -> Page[RecallView]:
        """List recalls, newest first."""
        query = RecallQuery(
            **asked,
            product_id=product_id,
            closed=closed,
        )
        return await list_response(request, RECALLS, query)

    @get("/{recall_id:int}", guards=[requires(Permission.MANAGE_RECALLS)], sync_to_thread=True)
    def read_recall(self, request: ApiRequest, recall_id: PathId) -> RecallView:
        """Read a recall."""
        return request.use_cases.recalls.reader.one(request.user, recall_id)

    @post(guards=[requires(Permission.MANAGE_RECALLS)], dto=RecallDTO, sync_to_thread=True)
    def open_recall(self, request: ApiRequest, data: JSONBody[RecallDraft]) -> Response[RecallView]:
        """Recall one lot of a product, or all lots if none is given."""
        recall = request.use_cases.recalls.open(request.user, data)
        return created(request.use_cases.recalls.reader.changed(request.user, recall.id), self.path)

    @put("/{recall_id:int}", guards=[requires(Permission.MANAGE_RECALLS)], dto=RecallDTO, sync_to_thread=True)
    def update_recall(self, request: ApiRequest, data: JSONBody[RecallDraft], recall_id: PathId) -> RecallView:
        """Update a recall; ``closed`` closes it, or puts it in force again."""
        request.use_cases.recalls.update(request.user, recall_id, data)
        return request.use_cases.recalls.reader.changed(request.user, recall_id)

    @get(
        "/{recall_id:int}/consumption-details",
        guards=[requires(Permission.MANAGE_RECALLS)],
        dependencies={"query_of_details": Provide(provide_query)},
    )
    async def list_recalled_details(
        self, request: ApiRequest, query_of_details: NamedDependency[DetailQuery], recall_id: PathId
    ) -> Page[ExportedDetailView]:
        """List the details of all sheets with the recalled lot, newest first.

        Each has patient and room. Every call is noted in the audit log.
        """
        source = _RecalledDetails(request.use_cases.recalls.list_details, recall_id)
        # The same list, of details that have their patient and room.
        listed = cast("ExportedList[DetailQuery, Page[ExportedDetailView]]", RECALLED_DETAILS)
        return await list_response(request, listed, query_of_details, source=source)

    @get("/{recall_id:int}/set-aside", guards=[requires(Permission.MANAGE_RECALLS)], sync_to_thread=True)
    def list_set_aside(self, request: ApiRequest, recall_id: PathId) -> Response[SetAsideListView]:
        """List the units that were set aside, latest first, 200 at most."""
        return DecimalJSONResponse(request.use_cases.recalls.list_set_aside(request.user, recall_id))

    @post(
        "/{recall_id:int}/set-aside",
        guards=[requires(Permission.READ_SHEETS, Permission.ADD_DETAILS)],
        dto=draft_dto(SetAsideDraft, "quantity"),
        sync_to_thread=True,
    )
    def set_aside_recalled(
        self,
        request: ApiRequest,
        data: JSONBody[SetAsideDraft],
        recall_id: PathId,
        idempotency_key: IdempotencyKeyHeader,
    ) -> Response[SetAsideView]:
        """Store that recalled units were set aside: no sheet is charged.

        A recall that was closed meanwhile accepts them too.
        """
        done = request.use_cases.recalls.set_aside(
            request.user, recall_id, data, idempotency_key=idempotency_key_of(request, idempotency_key)
        )
        headers = {"Location": f"{self.path}/{recall_id}/set-aside"}
        if done.replayed:
            headers["Idempotent-Replayed"] = "true"
        return DecimalJSONResponse(done.answer, status_code=201, headers=headers)


@dataclass(frozen=True, slots=True)
class _RecalledDetails:
    """The details of one recall, as the source of a list."""

    recalled: ListRecalledDetails
    recall_id: int

    def page(self, actor: Actor, query: DetailQuery) -> Page[ExportedDetailView]:
        return self.recalled.page(actor, query, self.recall_id)

    def iterate(self, actor: Actor, query: DetailQuery) -> Iterator[ExportedDetailView]:
        return self.recalled.iterate(actor, query, self.recall_id)


class RecalledUseController(Controller):
    path = "/api/consumption-details/{detail_id:int}/recall-seen"
    tags = ("recalls",)

    @post(guards=[requires(Permission.MANAGE_RECALLS)], status_code=204, sync_to_thread=True)
    def acknowledge_recalled_use(self, request: ApiRequest, detail_id: PathId) -> None:
        """Acknowledge a recalled use: it disappears from the worklist."""
        request.use_cases.recalls.acknowledge_use(request.user, detail_id)
