"""Routes of labels."""

from litestar import Controller, Response
from litestar.params import JSONBody

from adapters.documents.pdf.labels import labels_pdf
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.files import document_response
from adapters.http.routes import Use, post
from adapters.http.workers.fair_queue import HEAVY_WORK
from application.labels.print_labels import LabelsDraft, PrintLabels


class LabelController(Controller):
    path = "/api/labels"
    tags = ("labels",)

    @post(
        guards=[requires(PrintLabels)],
        dto=draft_dto(LabelsDraft, "what", "items", "size"),
        status_code=200,
        media_type="application/pdf",
    )
    async def print_labels(
        self, request: ApiRequest, data: JSONBody[LabelsDraft], print_labels: Use[PrintLabels]
    ) -> Response[bytes]:
        """Return labels, kit cards or wristbands as PDF, without prices.

        ``what`` is product, kit, patient or band. ``symbol`` is auto, qr or code128 (products only). Labels of patients
        need patients.read and sheets.read.
        """
        language = language_of(request)

        def draw() -> bytes:
            return labels_pdf(print_labels(request.user, data), language)

        return document_response(await HEAVY_WORK.run(request.owner, draw), "labels.pdf", is_shown=True)
