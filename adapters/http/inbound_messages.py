"""What other systems sent, and what somebody decides on it."""

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
    """The latest; of those that are held the oldest first. For more, send what next says as after."""
    found = use_cases.list_inbound_messages(actor, in_state, after)
    for view in found["items"]:
        _say_why(request, view)
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
    """A message with all that it said. Each look is noted in the audit log."""
    return DecimalJSONResponse(_say_why(request, use_cases.read_inbound_message(actor, message_id)))


@post(
    f"{_ONE}/retry",
    operation_id="retryInboundMessage",
    may=Permission.RESOLVE_MESSAGES,
    summary="Try a message once more",
    tags=["messages"],
    status_code=204,
)
def retry_inbound_message(use_cases: UseCases, actor: Actor, message_id: PathId) -> None:
    """Try a message that is held, and what may have waited for it. Whether it could be done, reading it tells."""
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
    """Decide, with a reason, that what it says is not done."""
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
    """Its location means that room from now on: all messages of the same source that wait for it are tried again."""
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
    """It is about that patient; a record number that nobody has finds that patient from now on."""
    use_cases.reprocess_held_messages(
        use_cases.answer_patient_of_message(actor, message_id, body.read(PatientAnswerDraft))
    )


def _say_why(request: Request[Any, Any, Any], view: InboundMessageView) -> InboundMessageView:
    """The view, with its reason in the language of the request."""
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
