"""Routes of messages to billing about closings."""

from typing import Annotated

from litestar import Controller
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import OUTBOUND_MESSAGES
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import Cursor, FilterId, FreeText, Limit, PageNumber, PathId, paging
from adapters.http.routes import Use, get, post
from application.billing.outbound_messages import (
    ListOutboundMessages,
    MarkOutboundMessageSent,
    ReadOutboundMessage,
    RetryOutboundMessage,
    SettleDraft,
)
from application.billing.views import OutboundMessageQuery, OutboundMessageView, WholeOutboundMessageView
from application.common.paging import Page
from domain.interop.outbound_message import OutboundState


class OutboundMessageController(Controller):
    path = "/api/outbound-messages"
    tags = ("outbound messages",)

    @get(guards=[requires(ListOutboundMessages)])
    async def list_outbound_messages(
        self,
        request: ApiRequest,
        in_state: Annotated[OutboundState | None, QueryParameter(name="state", required=False)] = None,
        consumption_sheet_id: FilterId = None,
        page: PageNumber = None,
        limit: Limit = None,
        q: FreeText = None,
        cursor: Cursor = None,
    ) -> Page[OutboundMessageView]:
        """List messages about closings without content, newest first.

        There are none if no destination is set.
        """
        query = OutboundMessageQuery(
            **paging(page, limit, cursor),
            q=q,
            state=in_state,
            consumption_sheet_id=consumption_sheet_id,
        )
        return await list_response(request, OUTBOUND_MESSAGES, query)

    @get(
        "/{outbound_message_id:int}",
        guards=[requires(ReadOutboundMessage)],
        sync_to_thread=True,
    )
    def read_outbound_message(
        self, request: ApiRequest, outbound_message_id: PathId, read_outbound_message: Use[ReadOutboundMessage]
    ) -> WholeOutboundMessageView:
        """Return a message with its content, for users who see prices.

        Every call is noted in the audit log.
        """
        return read_outbound_message(request.user, outbound_message_id)

    @post(
        "/{outbound_message_id:int}/retry",
        guards=[requires(RetryOutboundMessage)],
        status_code=200,
        sync_to_thread=True,
    )
    def retry_outbound_message(
        self, request: ApiRequest, outbound_message_id: PathId, retry_outbound_message: Use[RetryOutboundMessage]
    ) -> OutboundMessageView:
        """Make a message due now. If it was sent: 422, code message.sent.

        It takes messages.decide.
        """
        return retry_outbound_message(request.user, outbound_message_id)

    @post(
        "/{outbound_message_id:int}/settle",
        guards=[requires(MarkOutboundMessageSent)],
        dto=draft_dto(SettleDraft, "reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def mark_outbound_message_sent(
        self,
        request: ApiRequest,
        data: JSONBody[SettleDraft],
        outbound_message_id: PathId,
        mark_outbound_message_sent: Use[MarkOutboundMessageSent],
    ) -> OutboundMessageView:
        """Mark a message as sent by other means, with a reason; stop sending it.

        If it was sent: 422, code message.sent. It takes messages.decide.
        """
        return mark_outbound_message_sent(request.user, outbound_message_id, data)
