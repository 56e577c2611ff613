"""Routes of contingency forms: paper for the time without the system."""

from typing import Annotated

from litestar import Controller, Response
from litestar.params import JSONBody, QueryParameter

from adapters.documents.pdf.forms import forms_pdf
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of, localize_warnings
from adapters.http.responses.files import document_response
from adapters.http.responses.wire import IdempotencyKeyHeader, PathId, idempotency_key_of, recorded
from adapters.http.routes import Use, get, post
from adapters.http.workers.fair_queue import HEAVY_WORK
from application.forms.contingency_forms import (
    DiscardForm,
    DiscardFormDraft,
    FormRecordDraft,
    ListForms,
    ReadForm,
    RecordForm,
)
from application.forms.print_forms import FormsDraft, PrintForms
from application.forms.views import FormsView, FormView, FormWithProductsView, RecordedFormView
from domain.forms.contingency_form import FormState


class ContingencyFormController(Controller):
    path = "/api/contingency-forms"
    tags = ("contingency forms",)

    @post(
        guards=[requires(PrintForms)],
        dto=draft_dto(FormsDraft),
        status_code=200,
        media_type="application/pdf",
    )
    async def print_forms(
        self, request: ApiRequest, data: JSONBody[FormsDraft], print_forms: Use[PrintForms]
    ) -> Response[bytes]:
        """Return contingency forms as PDF, one page each, without prices.

        There is a form for each sheet in ``sheet_ids`` (60 at most), or, without them, for each open sheet of the area.
        ``blank`` forms (50 at most) have the usual products of the area.

        The ``blank`` ones are for a patient or for what the area used. With nothing to print: 422, code forms.none. It
        needs sheets.read, patients.read and catalogue.read; each patient is in the access log.
        """
        language, hospital = language_of(request), request.hospital

        def draw() -> bytes:
            forms = print_forms(request.user, data)
            return forms_pdf(forms, language, hospital.zone, hospital.letterhead)

        return document_response(await HEAVY_WORK.run(request.owner, draw), "forms.pdf", is_shown=True)

    @get(guards=[requires(ListForms)], sync_to_thread=True)
    def list_forms(
        self,
        request: ApiRequest,
        list_forms: Use[ListForms],
        in_state: Annotated[
            FormState,
            QueryParameter(
                name="state", description="Only forms in this state; `standby`: printed in advance", required=False
            ),
        ] = FormState.OPEN,
    ) -> FormsView:
        """List the contingency forms in a state, the oldest 200 first.

        open (the default): printed and not back; standby: printed in advance.
        """
        return list_forms(request.user, in_state)

    @get("/{form_id:int}", guards=[requires(ReadForm)], sync_to_thread=True)
    def read_form(self, request: ApiRequest, form_id: PathId, read_form: Use[ReadForm]) -> FormWithProductsView:
        """Return a contingency form by its number, with its products."""
        return read_form(request.user, form_id)

    @post(
        "/{form_id:int}/record",
        guards=[requires(RecordForm)],
        dto=draft_dto(
            FormRecordDraft,
            *("sheet_id", "items", "items.product_id", "items.quantity", "occurred_at"),
            leaves_out=("items.consumption_sheet_id", "items.total", "items.kit_id", "items.occurred_at"),
        ),
        sync_to_thread=True,
    )
    def record_form(
        self,
        request: ApiRequest,
        data: JSONBody[FormRecordDraft],
        form_id: PathId,
        idempotency_key: IdempotencyKeyHeader,
        record_form: Use[RecordForm],
    ) -> Response[RecordedFormView]:
        """Record what was noted on a contingency form, once for all users.

        The time of use may be long ago. With ``as_late_entry``, a form of a closed sheet becomes a late entry.

        Afterwards it is a 422: form.recorded (with user, time and ``sheet_id``), form.discarded, or
        form.recorded_before if only the lines exist. Another patient's sheet is form.of_another, which roles 2 and 10
        may acknowledge. The lines of a blank form may be recorded on the page of an area, each with its ``use_reason``.
        """
        promise = idempotency_key_of(request, idempotency_key)
        done = record_form(request.user, form_id, data, idempotency_key=promise)
        return recorded(localize_warnings(request, done.answer), replayed=done.replayed)

    @post(
        "/{form_id:int}/discard",
        guards=[requires(DiscardForm)],
        dto=draft_dto(DiscardFormDraft, "reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def discard_form(
        self, request: ApiRequest, data: JSONBody[DiscardFormDraft], form_id: PathId, discard_form: Use[DiscardForm]
    ) -> FormView:
        """Discard a contingency form with a reason.

        It needs late_entries.manage.
        """
        return discard_form(request.user, form_id, data)
