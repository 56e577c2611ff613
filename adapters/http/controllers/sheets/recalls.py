"""Routes of recalls, and of the use of recalled lots."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, cast

from litestar import Controller, Response
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
    FilterId,
    IdempotencyKeyHeader,
    PathId,
    created,
    idempotency_key_of,
    provide_list,
    recorded,
)
from adapters.http.routes import Use, get, post, put
from application.catalogue.set_aside import ListSetAside, SetAsideDraft, SetAsideRecalled
from application.catalogue.views import RecallQuery, RecallView, SetAsideListView, SetAsideView
from application.common.paging import Page
from application.sheets.detail_views import DetailQuery, ExportedDetailView
from application.sheets.recalls import (
    AcknowledgeRecalledUse,
    ListRecalledDetails,
    ListRecalls,
    ListUsedLines,
    OpenRecall,
    RecallDraft,
    UpdateRecall,
)
from domain.common.policy import Actor

RecallDTO = draft_dto(RecallDraft, "product_id", "reason")


class RecallController(Controller):
    path = "/api/recalls"
    tags = ("recalls",)

    @get(guards=[requires(ListRecalls)], dependencies={"asked": Provide(provide_list)})
    async def list_recalls(
        self,
        request: ApiRequest,
        asked: NamedDependency[AskedList],
        product_id: FilterId = None,
        closed: Annotated[bool | None, QueryParameter(description="true: only ended recalls", required=False)] = None,
    ) -> Page[RecallView]:
        """List recalls, newest first."""
        query = RecallQuery(
            **asked,
            product_id=product_id,
            closed=closed,
        )
        return await list_response(request, RECALLS, query)

    @get("/{recall_id:int}", guards=[requires(ListRecalls)], sync_to_thread=True)
    def read_recall(self, request: ApiRequest, recall_id: PathId, list_recalls: Use[ListRecalls]) -> RecallView:
        """Read a recall."""
        return list_recalls.one(request.user, recall_id)

    @post(guards=[requires(OpenRecall)], dto=RecallDTO, sync_to_thread=True)
    def open_recall(
        self,
        request: ApiRequest,
        data: JSONBody[RecallDraft],
        list_recalls: Use[ListRecalls],
        open_recall: Use[OpenRecall],
    ) -> Response[RecallView]:
        """Recall one lot of a product, or all lots if none is given."""
        recall = open_recall(request.user, data)
        return created(list_recalls.changed(request.user, recall.id), self.path)

    @put("/{recall_id:int}", guards=[requires(UpdateRecall)], dto=RecallDTO, sync_to_thread=True)
    def update_recall(
        self,
        request: ApiRequest,
        data: JSONBody[RecallDraft],
        recall_id: PathId,
        list_recalls: Use[ListRecalls],
        update_recall: Use[UpdateRecall],
    ) -> RecallView:
        """Update a recall; ``closed`` closes it, or puts it in force again."""
        update_recall(request.user, recall_id, data)
        return list_recalls.changed(request.user, recall_id)

    @get(
        "/{recall_id:int}/consumption-details",
        guards=[requires(ListUsedLines)],
        dependencies={"query_of_details": Provide(provide_query)},
    )
    async def list_recalled_details(
        self,
        request: ApiRequest,
        query_of_details: NamedDependency[DetailQuery],
        recall_id: PathId,
        list_recalled_details: Use[ListRecalledDetails],
    ) -> Page[ExportedDetailView]:
        """List the details of all sheets with the recalled lot, newest first.

        Each has patient and room. Every call is noted in the audit log.
        """
        source = _RecalledDetails(list_recalled_details, recall_id)
        # The same list, of details that have their patient and room.
        listed = cast("ExportedList[DetailQuery, Page[ExportedDetailView]]", RECALLED_DETAILS)
        return await list_response(request, listed, query_of_details, source=source)

    @get("/{recall_id:int}/set-aside", guards=[requires(ListSetAside)], sync_to_thread=True)
    def list_set_aside(
        self, request: ApiRequest, recall_id: PathId, list_set_aside: Use[ListSetAside]
    ) -> SetAsideListView:
        """List the units that were set aside, latest first, 200 at most.

        ``quantity`` is the sum of all, which recalls have as ``set_aside``.

        It takes recalls.manage.
        """
        return list_set_aside(request.user, recall_id)

    @post(
        "/{recall_id:int}/set-aside",
        guards=[requires(SetAsideRecalled)],
        dto=draft_dto(SetAsideDraft, "quantity"),
        sync_to_thread=True,
    )
    def set_aside_recalled(
        self,
        request: ApiRequest,
        data: JSONBody[SetAsideDraft],
        recall_id: PathId,
        idempotency_key: IdempotencyKeyHeader,
        set_aside_recalled: Use[SetAsideRecalled],
    ) -> Response[SetAsideView]:
        """Store that recalled units were set aside: no sheet is charged.

        A recall that was closed meanwhile accepts them too.

        Only ``quantity`` is required; a ``lot`` other than the recall's is a 422, lot.not_recalled. With
        Idempotency-Key a repeated request stores nothing twice, however much later it arrives.

        It takes details.add.
        """
        done = set_aside_recalled(
            request.user, recall_id, data, idempotency_key=idempotency_key_of(request, idempotency_key)
        )
        return recorded(done.answer, f"{self.path}/{recall_id}/set-aside", replayed=done.replayed)


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

    @post(guards=[requires(AcknowledgeRecalledUse)], status_code=204, sync_to_thread=True)
    def acknowledge_recalled_use(
        self, request: ApiRequest, detail_id: PathId, acknowledge_recalled_use: Use[AcknowledgeRecalledUse]
    ) -> None:
        """Acknowledge a recalled use: it disappears from the worklist.

        A repetition is a 204, too. The audit log keeps the user.
        """
        acknowledge_recalled_use(request.user, detail_id)
