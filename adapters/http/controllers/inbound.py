"""Routes of messages from other systems, and decisions on them."""

from typing import Annotated, Any

from litestar import Controller, Request
from litestar.params import JSONBody, QueryParameter

from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.wire import FilterId, PathId
from adapters.http.routes import Use, get, post
from adapters.i18n import messages
from application.inbound.held_messages import (
    AssignMessagePatient,
    AssignMessageRoom,
    AssignMessageSheet,
    DismissInboundMessage,
    DismissMessageDraft,
    OpenSheetWithMessage,
    PatientAnswerDraft,
    RetryInboundMessage,
    RetryMessagesDraft,
    RoomAnswerDraft,
    SheetAnswerDraft,
)
from application.inbound.read_messages import ListInboundMessages, ReadInboundMessage
from application.inbound.receive_message import ReprocessHeldMessages
from application.inbound.views import DecidedMessagesView, InboundMessageQuery, InboundMessagesView, InboundMessageView
from domain.common.errors import Code, Reason
from domain.interop.inbound_message import InboundState

MESSAGES = "/api/inbound-messages"
_SEARCHED = "a visit number, a record number, a control id, a source or a location, or its beginning"


class InboundMessageController(Controller):
    path = "/api/inbound-messages"
    tags = ("messages",)

    @get(guards=[requires(ListInboundMessages)], sync_to_thread=True)
    def list_inbound_messages(
        self,
        request: ApiRequest,
        list_inbound_messages: Use[ListInboundMessages],
        in_state: Annotated[
            InboundState | None, QueryParameter(name="state", description="Only messages in this state", required=False)
        ] = None,
        kind: Annotated[str | None, QueryParameter(description="Only messages of this event", required=False)] = None,
        reason: Annotated[
            str | None, QueryParameter(description="Only messages held for this reason", required=False)
        ] = None,
        q: Annotated[str | None, QueryParameter(description=_SEARCHED, required=False)] = None,
        after: FilterId = None,
    ) -> InboundMessagesView:
        """List the latest messages; held ones oldest first.

        For the next page, send ``next`` as ``after``. With ``kind``, ``reason`` or ``q``, a page is found among 20,000
        messages, and ``next`` continues behind them.

        ``q`` is a visit number, a record number, a control id, a source or a location, or its beginning, in capitals or
        not. A page may be short or empty and still have ``next``. ``held`` is the number of all held messages, and
        ``reasons`` say why. ``why`` words ``code`` and ``params``; an applied message may have a ``code``, too: a part
        was omitted, or should be checked. With state=refused the list has the messages that were refused and not
        stored, without their content; ``tries`` is how often they came.
        """
        query = InboundMessageQuery(state=in_state, kind=kind, reason=reason, q=q, after=after)
        found = list_inbound_messages(request.user, query)
        for view in found["items"]:
            _localize_reason(request, view)
        return found

    @get("/{message_id:int}", guards=[requires(ReadInboundMessage)], sync_to_thread=True)
    def read_inbound_message(
        self, request: ApiRequest, message_id: PathId, read_inbound_message: Use[ReadInboundMessage]
    ) -> InboundMessageView:
        """Return a message with its content; noted in the audit log."""
        return _localize_reason(request, read_inbound_message(request.user, message_id))

    @post("/{message_id:int}/retry", guards=[requires(RetryInboundMessage)], status_code=204, sync_to_thread=True)
    def retry_inbound_message(
        self,
        request: ApiRequest,
        message_id: PathId,
        reprocess_held_messages: Use[ReprocessHeldMessages],
        retry_inbound_message: Use[RetryInboundMessage],
    ) -> None:
        """Retry a held message, and those that may have waited for it.

        The response does not have the outcome; read the message for it.
        """
        reprocess_held_messages(retry_inbound_message(request.user, message_id))

    @post(
        "/retry",
        guards=[requires(RetryInboundMessage.several)],
        dto=draft_dto(RetryMessagesDraft, "ids"),
        status_code=200,
        sync_to_thread=True,
    )
    def retry_inbound_messages(
        self, request: ApiRequest, data: JSONBody[RetryMessagesDraft], retry_inbound_message: Use[RetryInboundMessage]
    ) -> DecidedMessagesView:
        """Retry up to 200 held messages, and those that waited for them.

        ``done`` no longer wait, ``held`` still wait, ``decided`` did not wait any more. Each is retried as if alone.
        """
        return retry_inbound_message.several(request.user, data)

    @post(
        "/dismiss",
        guards=[requires(DismissInboundMessage.several)],
        dto=draft_dto(DismissMessageDraft, "ids", "reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def dismiss_inbound_messages(
        self,
        request: ApiRequest,
        data: JSONBody[DismissMessageDraft],
        dismiss_inbound_message: Use[DismissInboundMessage],
    ) -> DecidedMessagesView:
        """Dismiss up to 200 held messages with one reason."""
        return dismiss_inbound_message.several(request.user, data)

    @post(
        "/{message_id:int}/dismiss",
        guards=[requires(DismissInboundMessage)],
        dto=draft_dto(DismissMessageDraft, "reason", leaves_out=("ids",)),
        status_code=204,
        sync_to_thread=True,
    )
    def dismiss_inbound_message(
        self,
        request: ApiRequest,
        data: JSONBody[DismissMessageDraft],
        message_id: PathId,
        dismiss_inbound_message: Use[DismissInboundMessage],
    ) -> None:
        """Dismiss a message with a reason: it has no effect."""
        dismiss_inbound_message(request.user, message_id, data)

    @post(
        "/{message_id:int}/room",
        guards=[requires(AssignMessageRoom)],
        dto=draft_dto(RoomAnswerDraft, "room_id"),
        status_code=204,
        sync_to_thread=True,
    )
    def answer_room_of_message(
        self,
        request: ApiRequest,
        data: JSONBody[RoomAnswerDraft],
        message_id: PathId,
        assign_message_room: Use[AssignMessageRoom],
        reprocess_held_messages: Use[ReprocessHeldMessages],
    ) -> None:
        """Map the message's location to a room.

        All messages of the same source that wait for this location are retried. If the message has no location, the
        room applies to this message alone.
        """
        answered = assign_message_room(request.user, message_id, data)
        reprocess_held_messages(answered, (answered.source, answered.location) if answered.location else None)

    @post(
        "/{message_id:int}/open",
        guards=[requires(OpenSheetWithMessage)],
        dto=draft_dto(RoomAnswerDraft),
        status_code=204,
        sync_to_thread=True,
    )
    def open_sheet_with_message(
        self,
        request: ApiRequest,
        data: JSONBody[RoomAnswerDraft],
        message_id: PathId,
        open_sheet_with_message: Use[OpenSheetWithMessage],
        reprocess_held_messages: Use[ReprocessHeldMessages],
    ) -> None:
        """Open the sheet of the message's visit, although it is no admission.

        ``room_id`` is the patient's room; without it, the room is that of the message's location.
        """
        reprocess_held_messages(open_sheet_with_message(request.user, message_id, data))

    @post(
        "/{message_id:int}/sheet",
        guards=[requires(AssignMessageSheet)],
        dto=draft_dto(SheetAnswerDraft, "consumption_sheet_id"),
        status_code=204,
        sync_to_thread=True,
    )
    def answer_sheet_of_message(
        self,
        request: ApiRequest,
        data: JSONBody[SheetAnswerDraft],
        message_id: PathId,
        assign_message_sheet: Use[AssignMessageSheet],
        reprocess_held_messages: Use[ReprocessHeldMessages],
    ) -> None:
        """Give the message's visit number to an open sheet without one."""
        reprocess_held_messages(assign_message_sheet(request.user, message_id, data))

    @post(
        "/{message_id:int}/patient",
        guards=[requires(AssignMessagePatient)],
        dto=draft_dto(PatientAnswerDraft, "patient_id"),
        status_code=204,
        sync_to_thread=True,
    )
    def answer_patient_of_message(
        self,
        request: ApiRequest,
        data: JSONBody[PatientAnswerDraft],
        message_id: PathId,
        assign_message_patient: Use[AssignMessagePatient],
        reprocess_held_messages: Use[ReprocessHeldMessages],
    ) -> None:
        """Set the message's patient.

        If its record number is unknown, that number finds this patient from now on.
        """
        reprocess_held_messages(assign_message_patient(request.user, message_id, data))


def _localize_reason(request: Request[Any, Any, Any], view: InboundMessageView) -> InboundMessageView:
    """Add the reason in the request's language to a view."""
    reason = Reason(Code(view["code"]), view["field"], view["params"]) if view["code"] else None
    view["why"] = messages.refusal(language_of(request), reason) if reason else None
    return view
