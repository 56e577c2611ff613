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

        ``kind`` is voided, moved, returned, wasted, quantity_corrected or product_corrected. A notice has ``by``,
        ``at``, the line (``detail_id``) and its ``sheet`` after the change, ``moved_from``, and product and quantity
        before and after. It is deleted after 90 days.
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

        Each sheet has the number of ``lines`` and the sum of their quantities (``units``), without voided lines and
        with corrections by others at the time of use. ``notices`` are those since then, seen or not; ``shifts`` are the
        present one and the one before. With the ``since`` of the shift before, all that ends with that shift, at
        ``until``; otherwise ``until`` is null. A moment more than 72 hours ago is a 400. There are no prices for any
        role.
        """
        return read_shift(request.user, since)
