"""Routes of a user's own work: notices of changed lines, and the shift."""

from datetime import datetime
from typing import Annotated

from litestar import Controller
from litestar.params import JSONBody, QueryParameter

from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.routes import Use, get, post
from application.sheets.notice_views import NoticesView
from application.sheets.notices import ListNotices, MarkNoticesSeen, SeenDraft
from application.ward.read_shift import ReadShift
from application.ward.shift_views import ShiftView


class NoticeController(Controller):
    path = "/api/notices"
    tags = ("own work",)

    @get(guards=[requires(ListNotices)], sync_to_thread=True)
    def list_notices(self, request: ApiRequest, list_notices: Use[ListNotices]) -> NoticesView:
        """List the caller's unseen notices, 100 at most, the latest first.

        A notice says what another user changed on a line that the caller recorded.
        """
        return list_notices(request.user)

    @post(
        "/seen",
        guards=[requires(MarkNoticesSeen)],
        dto=draft_dto(SeenDraft, "ids"),
        status_code=204,
        sync_to_thread=True,
    )
    def mark_notices_seen(
        self, request: ApiRequest, data: JSONBody[SeenDraft], mark_notices_seen: Use[MarkNoticesSeen]
    ) -> None:
        """Mark the caller's notices as seen, 100 at most.

        Notices that are unknown or seen already are ignored.
        """
        mark_notices_seen(request.user, data)


class ShiftController(Controller):
    path = "/api/shift"
    tags = ("own work",)

    @get(guards=[requires(ReadShift)], sync_to_thread=True)
    def read_shift(
        self,
        request: ApiRequest,
        read_shift: Use[ReadShift],
        since: Annotated[
            datetime | None,
            QueryParameter(
                description="Start of the shift, at most 72 hours ago (default: the shift to hand over)", required=False
            ),
        ] = None,
    ) -> ShiftView:
        """Return what the caller recorded since a moment, by sheet.

        It includes the caller's open unlisted items, and what others changed. Without a moment, it is the beginning of
        the present shift, or of the last one for two hours after its end.
        """
        return read_shift(request.user, since)
