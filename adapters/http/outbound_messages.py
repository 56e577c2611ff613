"""Routes of messages to billing about closings."""

from typing import Annotated, Any

from litestar import Request
from litestar.params import QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.lists import list_response
from adapters.http.routing import get, post
from adapters.http.wire import Cursor, FilterId, FreeText, Limit, PageNumber, PathId, paging
from application.outbound_messages import SettleDraft
from application.paging import Page
from application.use_cases import UseCases
from application.views import OutboundMessageQuery, OutboundMessageView, WholeOutboundMessageView
from domain.outbound_message import OutboundState
from domain.policy import Actor, Permission

_TAGS = ["outbound messages"]


@get(
    "/api/outbound-messages",
    operation_id="listOutboundMessages",
    may=Permission.READ_MESSAGES,
    summary="List messages to billing",
    tags=_TAGS,
)
def list_outbound_messages(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
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
    listed: Page[OutboundMessageView] = list_response(request, "outbound-messages", use_cases, actor, query, hospital)
    return listed


@get(
    "/api/outbound-messages/{outbound_message_id:int}",
    operation_id="readOutboundMessage",
    may=(Permission.READ_MESSAGES, Permission.SEE_PRICES),
    summary="Read a message to billing",
    tags=_TAGS,
)
def read_outbound_message(use_cases: UseCases, actor: Actor, outbound_message_id: PathId) -> WholeOutboundMessageView:
    """Return a message with its content, for users who see prices.

    Every call is noted in the audit log.
    """
    return use_cases.read_outbound_message(actor, outbound_message_id)


@post(
    "/api/outbound-messages/{outbound_message_id:int}/retry",
    operation_id="retryOutboundMessage",
    may=Permission.RESOLVE_MESSAGES,
    summary="Send a message again",
    tags=_TAGS,
    status_code=200,
)
def retry_outbound_message(use_cases: UseCases, actor: Actor, outbound_message_id: PathId) -> OutboundMessageView:
    """Make a message due now. If it was sent: 422, code message.sent."""
    return use_cases.retry_outbound_message(actor, outbound_message_id)


@post(
    "/api/outbound-messages/{outbound_message_id:int}/settle",
    operation_id="markOutboundMessageSent",
    may=Permission.RESOLVE_MESSAGES,
    operation_class=request_body_schema(SettleDraft, "reason"),
    summary="Take a message for sent",
    tags=_TAGS,
    status_code=200,
)
def settle_outbound_message(
    use_cases: UseCases, actor: Actor, body: JsonBody, outbound_message_id: PathId
) -> OutboundMessageView:
    """Mark a message as sent by other means, with a reason; stop sending it."""
    return use_cases.settle_outbound_message(actor, outbound_message_id, body.read(SettleDraft))


ROUTES = [list_outbound_messages, read_outbound_message, retry_outbound_message, settle_outbound_message]
