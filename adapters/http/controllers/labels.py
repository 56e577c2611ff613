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

        ``size`` is 50x25, 57x32, a4-3x8 or letter-3x10, for kits a6 too, for wristbands band-adult or band-child. auto
        prints a product's code as bars if it scans as itself and fits, otherwise a QR code; code128 refuses those that
        do not (symbol.unfit). ``start_at`` is the first free place of a label sheet. At most 200 items, 50 copies of
        each and 2,000 labels (labels.too_many). Labels of products and kits need catalogue.read; those of patients are
        in the access log each time.

        The text of a label is CNS, a letter (P patient, K kit, R product, S sheet, F contingency form), the six digits
        of the installation, the id and two check digits: 98 − (kind, installation and id as one number × 100 mod 97),
        the kind being the place of its letter in PKRSFCD. Patient 742 of installation 123456 is CNSP12345674220, in any
        case; ``installation`` is in GET /api/catalogue.
        """
        language = language_of(request)

        def draw() -> bytes:
            return labels_pdf(print_labels(request.user, data), language)

        return document_response(await HEAVY_WORK.run(request.owner, draw), "labels.pdf", is_shown=True)
