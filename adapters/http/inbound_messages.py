"""Routes of messages from other systems, and decisions on them."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.params import QueryParameter

from adapters.http.body import JsonBody, request_body_schema
from adapters.http.errors import language_of
from adapters.http.routing import get, post
from adapters.http.wire import DecimalJSONResponse, FilterId, PathId
from adapters.i18n import messages
from application.inbound_messages.held_messages import DismissMessageDraft, PatientAnswerDraft, RoomAnswerDraft
from application.use_cases import UseCases
from application.views import InboundMessagesView, InboundMessageView
from domain.errors import Code, Reason
from domain.inbound_message import InboundState
from domain.policy import Actor, Permission

MESSAGES = "/api/inbound-messages"
_ONE = MESSAGES + "/{message_id:int}"


@get(
    MESSAGES,
    operation_id="listInboundMessages",
    may=Permission.READ_MESSAGES,
    summary="List messages of other systems",
    tags=["messages"],
)
def list_inbound_messages(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    in_state: Annotated[
        InboundState | None, QueryParameter(name="state", description="those in that state", required=False)
    ] = None,
    after: FilterId = None,
) -> Response[InboundMessagesView]:
    """List the latest messages; held ones oldest first.

    For the next page, send ``next`` as ``after``.
    """
    found = use_cases.list_inbound_messages(actor, in_state, after)
    for view in found["items"]:
        _localize_reason(request, view)
    return DecimalJSONResponse(found)


@get(
    _ONE,
    operation_id="readInboundMessage",
    may=Permission.READ_MESSAGES,
    summary="Read a message of another system",
    tags=["messages"],
)
def read_inbound_message(
    request: Request[Any, Any, Any], use_cases: UseCases, actor: Actor, message_id: PathId
) -> Response[InboundMessageView]:
    """Return a message with its content; noted in the audit log."""
    return DecimalJSONResponse(_localize_reason(request, use_cases.read_inbound_message(actor, message_id)))


@post(
    f"{_ONE}/retry",
    operation_id="retryInboundMessage",
    may=Permission.RESOLVE_MESSAGES,
    summary="Retry a message",
    tags=["messages"],
    status_code=204,
)
def retry_inbound_message(use_cases: UseCases, actor: Actor, message_id: PathId) -> None:
    """Retry a held message, and those that may have waited for it.

    The response does not have the outcome; read the message for it.
    """
    use_cases.reprocess_held_messages(use_cases.retry_inbound_message(actor, message_id))


@post(
    f"{_ONE}/dismiss",
    operation_id="dismissInboundMessage",
    may=Permission.RESOLVE_MESSAGES,
    operation_class=request_body_schema(DismissMessageDraft, "reason"),
    summary="Dismiss a message",
    tags=["messages"],
    status_code=204,
)
def dismiss_inbound_message(use_cases: UseCases, actor: Actor, body: JsonBody, message_id: PathId) -> None:
    """Dismiss a message with a reason: it has no effect."""
    use_cases.dismiss_inbound_message(actor, message_id, body.read(DismissMessageDraft))


@post(
    f"{_ONE}/room",
    operation_id="answerRoomOfMessage",
    may=Permission.RESOLVE_MESSAGES,
    operation_class=request_body_schema(RoomAnswerDraft, "room_id"),
    summary="Say which room a message means",
    tags=["messages"],
    status_code=204,
)
def answer_room_of_message(use_cases: UseCases, actor: Actor, body: JsonBody, message_id: PathId) -> None:
    """Map the message's location to a room.

    All messages of the same source that wait for this location are retried.
    """
    answered = use_cases.answer_room_of_message(actor, message_id, body.read(RoomAnswerDraft))
    use_cases.reprocess_held_messages(answered, (answered.source, answered.location or ""))


@post(
    f"{_ONE}/patient",
    operation_id="answerPatientOfMessage",
    may=Permission.RESOLVE_MESSAGES,
    operation_class=request_body_schema(PatientAnswerDraft, "patient_id"),
    summary="Say which patient a message means",
    tags=["messages"],
    status_code=204,
)
def answer_patient_of_message(use_cases: UseCases, actor: Actor, body: JsonBody, message_id: PathId) -> None:
    """Set the message's patient.

    If its record number is unknown, that number finds this patient from now on.
    """
    use_cases.reprocess_held_messages(
        use_cases.answer_patient_of_message(actor, message_id, body.read(PatientAnswerDraft))
    )


def _localize_reason(request: Request[Any, Any, Any], view: InboundMessageView) -> InboundMessageView:
    """Add the reason in the request's language to a view."""
    reason = Reason(Code(view["code"]), view["field"], view["params"]) if view["code"] else None
    view["why"] = messages.refusal(language_of(request), reason) if reason else None
    return view


ROUTES = [
    list_inbound_messages,
    read_inbound_message,
    retry_inbound_message,
    dismiss_inbound_message,
    answer_room_of_message,
    answer_patient_of_message,
]
