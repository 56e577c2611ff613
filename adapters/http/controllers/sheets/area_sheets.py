"""Routes of what areas use for no patient."""

from litestar import Controller, Response
from litestar.openapi import ResponseSpec

from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import (
    FilterId,
    IfNoneMatch,
    PathId,
    created,
    not_modified,
    parse_etags,
    versioned,
)
from adapters.http.routes import Use, get, post
from application.sheets.area_sheets import ListAreaSheets, OpenAreaSheet, ReadAreaSheet
from application.sheets.area_views import AreaPagesView, AreaSheetView

_PATH = "/api/area-sheets"


class AreaSheetController(Controller):
    path = "/api"
    tags = ("area sheets",)

    @post(
        "/areas/{area_id:int}/sheet",
        guards=[requires(OpenAreaSheet)],
        responses={200: ResponseSpec(AreaSheetView, description="The existing page")},
        sync_to_thread=True,
    )
    def open_area_sheet(
        self, request: ApiRequest, area_id: PathId, open_area_sheet: Use[OpenAreaSheet]
    ) -> Response[AreaSheetView]:
        """Open the page of an area for this month, adding it if there is none.

        It has what the area uses for no patient. Its lines use the routes of sheets, with a ``use_reason``.
        """
        view, is_new = open_area_sheet(request.user, area_id)
        return created(view, _PATH) if is_new else versioned(view)

    @get("/area-sheets/{sheet_id:int}", guards=[requires(ReadAreaSheet)], sync_to_thread=True)
    def read_area_sheet(
        self,
        request: ApiRequest,
        sheet_id: PathId,
        read_area_sheet: Use[ReadAreaSheet],
        if_none_match: IfNoneMatch = None,
    ) -> Response[AreaSheetView]:
        """Return the page of an area with its ETag; 304 if the caller has it.

        Its lines are at the routes of sheets with this id.
        """
        if if_none_match is not None:
            version = read_area_sheet.version(request.user, sheet_id)
            if version in parse_etags(if_none_match):
                return not_modified(version)
        return versioned(read_area_sheet(request.user, sheet_id))

    @get("/areas/{area_id:int}/sheets", guards=[requires(ListAreaSheets)], sync_to_thread=True)
    def list_area_sheets(
        self,
        request: ApiRequest,
        area_id: PathId,
        list_area_sheets: Use[ListAreaSheets],
        before: FilterId = None,
    ) -> AreaPagesView:
        """List the pages of an area, 50 at most, latest first.

        ``before`` is the id of the last page of the list before.

        ``value``, price times quantity, is for users who see prices.
        """
        return list_area_sheets(request.user, area_id, before)
