"""Routes of kits: supplies that are recorded together."""

from typing import Annotated

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import KITS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.statuses import UnprocessableException
from adapters.http.responses.wire import (
    AskedList,
    FilterId,
    IfMatch,
    PathId,
    created,
    expected_versions,
    provide_list,
    versioned,
)
from adapters.http.routes import Use, delete, get, post, put
from application.catalogue.kits import BrowseKits, CreateKit, DeleteKit, KitDraft, UpdateKit
from application.catalogue.review_kit import ReviewKit
from application.catalogue.views import KitQuery, KitReviewView, KitView
from application.common.paging import Page

KitDTO = draft_dto(KitDraft, "name", "lines", "lines.product_id", "lines.quantity")


class KitController(Controller):
    path = "/api/kits"
    tags = ("kits",)

    @get(guards=[requires(BrowseKits.page)], dependencies={"asked": Provide(provide_list)})
    async def list_kits(
        self,
        request: ApiRequest,
        asked: NamedDependency[AskedList],
        area_id: FilterId = None,
        own: Annotated[
            bool | None,
            QueryParameter(description="true: only my kits; false: only shared kits", required=False),
        ] = None,
    ) -> Page[KitView]:
        """List the caller's own kits, then the hospital's.

        The hospital's kits of an area come before those for all areas. With area_id, other areas' kits are left out.
        """
        query = KitQuery(**asked, area_id=area_id, own=own)
        return await list_response(request, KITS, query)

    @get("/{kit_id:int}", guards=[requires(BrowseKits.one)], sync_to_thread=True)
    def read_kit(self, request: ApiRequest, kit_id: PathId, browse_kits: Use[BrowseKits]) -> Response[KitView]:
        """Return one kit with its ETag."""
        return versioned(browse_kits.one(request.user, kit_id))

    @get("/{kit_id:int}/review", guards=[requires(ReviewKit)], sync_to_thread=True, raises=[UnprocessableException])
    def review_kit(
        self,
        request: ApiRequest,
        kit_id: PathId,
        review_kit: Use[ReviewKit],
        days: Annotated[
            int | None, QueryParameter(description="Days to review, 1 to 366 (default 180)", required=False)
        ] = None,
    ) -> KitReviewView:
        """Compare a kit with its uses of the last days, and propose changes.

        A use is the lines with equal sheet, author and time of use. Nothing is changed: a proposal is accepted by
        updating the kit.

        ``days`` is 1 to 366. The lines of one request share that time; those that replace a corrected line or were
        split off as waste belong to its use, voided ones to none. Each item has ``in_kit`` with ``quantity`` and
        ``optional``, the number of uses in which it was used (``used_in``), the ``median`` of the quantities that were
        kept and not thrown away, and what was ``recorded``, ``returned`` and ``wasted``. The kit's products come first.

        From 20 uses on ``proposal`` is what the line would become: used in under 5 % of the uses, ``remove``; in under
        60 %, ``change`` to optional; in 90 % or more, to not optional; another quantity in 60 % or more, to that
        quantity; not in the kit and in 60 % or more, ``add``, unless the product is inactive. It takes the permission
        to change the kit, and has no prices.
        """
        return review_kit(request.user, kit_id, days=days)

    @post(guards=[requires(CreateKit)], dto=KitDTO, sync_to_thread=True)
    def create_kit(
        self, request: ApiRequest, data: JSONBody[KitDraft], browse_kits: Use[BrowseKits], create_kit: Use[CreateKit]
    ) -> Response[KitView]:
        """Create an own kit, or one of the hospital, which needs kits.manage."""
        kit = create_kit(request.user, data)
        return created(browse_kits.one(request.user, kit.id), self.path)

    @put("/{kit_id:int}", guards=[requires(UpdateKit)], dto=KitDTO, sync_to_thread=True)
    def update_kit(
        self,
        request: ApiRequest,
        data: JSONBody[KitDraft],
        kit_id: PathId,
        if_match: IfMatch,
        browse_kits: Use[BrowseKits],
        update_kit: Use[UpdateKit],
    ) -> Response[KitView]:
        """Update a kit. Without ``own`` its owner stays; recorded details stay."""
        update_kit(request.user, kit_id, data, expected_versions(if_match))
        return versioned(browse_kits.one(request.user, kit_id))

    @delete("/{kit_id:int}", guards=[requires(DeleteKit)], sync_to_thread=True)
    def delete_kit(self, request: ApiRequest, kit_id: PathId, if_match: IfMatch, delete_kit: Use[DeleteKit]) -> None:
        """Delete a kit. Details recorded with it keep the reference."""
        delete_kit(request.user, kit_id, expected_versions(if_match))
