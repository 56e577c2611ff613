"""Routes of recalls, and of the use of recalled lots."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Request, Response
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.details import provide_query
from adapters.http.lists import list_response
from adapters.http.routing import get, post, put
from adapters.http.wire import AskedList, DecimalJSONResponse, FilterId, PathId, provide_list
from application.paging import Page
from application.recalls import ListRecalledDetails, RecallDraft
from application.use_cases import UseCases
from application.views import DetailQuery, ExportedDetailView, RecallQuery, RecallView
from domain.policy import Actor, Permission

_REQUEST_BODY = request_body_schema(RecallDraft, "product_id", "reason")


@get(
    "/api/recalls",
    operation_id="listRecalls",
    may=Permission.MANAGE_RECALLS,
    summary="List recalls",
    tags=["recalls"],
    dependencies={"asked": Provide(provide_list)},
)
def list_recalls(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
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
    page: Page[RecallView] = list_response(request, "recalls", use_cases, actor, query, hospital)
    return page


@get(
    "/api/recalls/{recall_id:int}",
    operation_id="readRecall",
    may=Permission.MANAGE_RECALLS,
    summary="Read a recall",
    tags=["recalls"],
)
def read_recall(use_cases: UseCases, actor: Actor, recall_id: PathId) -> RecallView:
    return use_cases.recalls.one(actor, recall_id)


@post(
    "/api/recalls",
    operation_id="openRecall",
    may=Permission.MANAGE_RECALLS,
    operation_class=_REQUEST_BODY,
    summary="Open a recall",
    tags=["recalls"],
)
def open_recall(use_cases: UseCases, actor: Actor, body: JsonBody) -> Response[RecallView]:
    """Recall one lot of a product, or all lots if none is given."""
    recall = use_cases.open_recall(actor, body.read(RecallDraft))
    location = {"Location": f"/api/recalls/{recall.id}"}
    return DecimalJSONResponse(use_cases.recalls.changed(actor, recall.id), headers=location)


@put(
    "/api/recalls/{recall_id:int}",
    operation_id="updateRecall",
    may=Permission.MANAGE_RECALLS,
    operation_class=_REQUEST_BODY,
    summary="Update a recall",
    tags=["recalls"],
)
def update_recall(use_cases: UseCases, actor: Actor, body: JsonBody, recall_id: PathId) -> RecallView:
    """Update a recall; ``closed`` closes it, or puts it in force again."""
    use_cases.update_recall(actor, recall_id, body.read(RecallDraft))
    return use_cases.recalls.changed(actor, recall_id)


@dataclass(frozen=True, slots=True)
class _RecalledDetails:
    """The details of one recall, as the source of a list."""

    recalled: ListRecalledDetails
    recall_id: int

    def page(self, actor: Actor, query: DetailQuery) -> Page[ExportedDetailView]:
        return self.recalled.page(actor, query, self.recall_id)

    def iterate(self, actor: Actor, query: DetailQuery) -> Iterator[ExportedDetailView]:
        return self.recalled.iterate(actor, query, self.recall_id)


@get(
    "/api/recalls/{recall_id:int}/consumption-details",
    operation_id="listRecalledDetails",
    may=Permission.MANAGE_RECALLS,
    summary="List where a recalled lot was used",
    tags=["recalls"],
    dependencies={"query_of_details": Provide(provide_query)},
)
def list_recalled_details(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    query_of_details: NamedDependency[DetailQuery],
    recall_id: PathId,
) -> Page[ExportedDetailView]:
    """List the details of all sheets with the recalled lot, newest first.

    Each has patient and room. Every call is noted in the audit log.
    """
    source = _RecalledDetails(use_cases.recalled_details, recall_id)
    page: Page[ExportedDetailView] = list_response(
        request, "details", use_cases, actor, query_of_details, hospital, source=source
    )
    return page


@post(
    "/api/consumption-details/{detail_id:int}/recall-seen",
    operation_id="acknowledgeRecalledUse",
    may=Permission.MANAGE_RECALLS,
    summary="Tell that a recalled use was seen",
    tags=["recalls"],
    status_code=204,
)
def see_recalled_use(use_cases: UseCases, actor: Actor, detail_id: PathId) -> None:
    """Acknowledge a recalled use: it disappears from the overview."""
    use_cases.see_recalled_use(actor, detail_id)


ROUTES = [list_recalls, read_recall, open_recall, update_recall, list_recalled_details, see_recalled_use]
