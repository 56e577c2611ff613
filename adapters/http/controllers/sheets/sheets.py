"""Routes of consumption sheets."""

from datetime import date
from functools import partial
from typing import Annotated, Any

from litestar import Controller, Response
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import SHEETS
from adapters.documents.pdf.sheet import sheet_pdf
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.files import document_response
from adapters.http.responses.lists import list_response
from adapters.http.responses.statuses import UnprocessableException
from adapters.http.responses.wire import (
    Cursor,
    DecimalJSONResponse,
    FilterId,
    FreeText,
    IdempotencyKeyHeader,
    IfMatch,
    IfNoneMatch,
    Limit,
    PageNumber,
    PathCount,
    PathId,
    SortBy,
    created,
    expected_versions,
    idempotency_key_of,
    not_modified,
    paging,
    parse_etags,
    sort_by,
    versioned,
)
from adapters.http.routes import Use, delete, get, post, put
from adapters.http.workers.fair_queue import HEAVY_WORK
from application.closing.close_sheet import CloseSheet
from application.closing.delete_sheet import DeleteSheet
from application.closing.reopen_sheet import ReopenDraft, ReopenSheet
from application.closing.undo_closing import UndoClosing
from application.reports.check_paper import CheckPaper
from application.sheets.admit_unidentified import AdmitUnidentified, UnidentifiedDraft
from application.sheets.closings import ListClosings, ReadClosing
from application.sheets.detail_views import RepeatableView
from application.sheets.lines.list_repeatable import ListRepeatable
from application.sheets.lines.list_usual_products import ListUsualProducts
from application.sheets.lines.missed_charges import AnswerMissedCharge, ListMissedCharges, MissedChargeDraft
from application.sheets.lines.proposal_views import MissedChargesView, UsualProductsView
from application.sheets.open_sheet import OpenSheet
from application.sheets.print_sheet import PrintSheet
from application.sheets.read_sheet import ReadSheet
from application.sheets.read_sheet_version import ReadSheetVersion
from application.sheets.sheet_access import ListSheets
from application.sheets.sheet_draft import SheetDraft
from application.sheets.summarize_sheet import SummarizeSheet
from application.sheets.summary_views import ClosingsView, PaperCheckView, SheetSummaryView, WholeSheetView
from application.sheets.transfer_patient import TransferDraft, TransferPatient, UndoTransfer
from application.sheets.update_sheet import UpdateSheet
from application.sheets.views import SheetPage, SheetQuery, SheetVersionView, SheetView

SheetDTO = draft_dto(SheetDraft, "patient_id", "room_id", "admission_date")


class SheetController(Controller):
    path = "/api/consumption-sheets"
    tags = ("sheets",)

    @get(guards=[requires(ListSheets)])
    async def list_sheets(
        self,
        request: ApiRequest,
        closed: Annotated[bool, QueryParameter()] = False,
        patient_id: FilterId = None,
        room_id: FilterId = None,
        area_id: FilterId = None,
        since: Annotated[date | None, QueryParameter(name="from", required=False)] = None,
        until: Annotated[date | None, QueryParameter(name="to", required=False)] = None,
        without_visit: Annotated[bool, QueryParameter(description="Only open sheets without a visit number")] = False,
        page: PageNumber = None,
        limit: Limit = None,
        sort: SortBy = None,
        q: FreeText = None,
        cursor: Cursor = None,
    ) -> SheetPage:
        """List open sheets, newest admission first, or closed ones.

        With closed=true the latest closing comes first. A search finds people and rooms: an exact room first, then an
        exact number. ``exact`` is the unambiguous match. If no open sheet matches, ``nearest`` has those of people with
        similar names.
        """
        query = SheetQuery(
            **paging(page, limit, cursor),
            sort=sort_by(sort),
            q=q,
            closed=closed,
            patient_id=patient_id,
            room_id=room_id,
            area_id=area_id,
            since=since,
            until=until,
            without_visit=without_visit,
        )
        return await list_response(request, SHEETS, query)

    @post(guards=[requires(OpenSheet)], dto=SheetDTO, sync_to_thread=True)
    def open_sheet(
        self,
        request: ApiRequest,
        data: JSONBody[SheetDraft],
        idempotency_key: IdempotencyKeyHeader,
        open_sheet: Use[OpenSheet],
    ) -> Response[SheetView]:
        """Open a sheet."""
        done = open_sheet(request.user, data, idempotency_key_of(request, idempotency_key))
        return created(done.answer, "/api/consumption-sheets", replayed=done.replayed)

    @post(
        "/unidentified",
        guards=[requires(AdmitUnidentified)],
        dto=draft_dto(UnidentifiedDraft, "room_id"),
        sync_to_thread=True,
    )
    def admit_unidentified(
        self,
        request: ApiRequest,
        data: JSONBody[UnidentifiedDraft],
        idempotency_key: IdempotencyKeyHeader,
        admit_unidentified: Use[AdmitUnidentified],
    ) -> Response[SheetView]:
        """Admit a patient whose name is unknown.

        It creates a patient with a numbered name, and opens the sheet. ``sex`` (female or male) and the approximate
        ``age`` may be left out; the default day of admission is today.

        Only ``room_id`` is required. The surname is the name that the ward says, such as *Sin identificar 3 · hombre ·
        ~40 años*; its number is one above the highest of those still unidentified. Needs patients.save too.
        """
        key = idempotency_key_of(request, idempotency_key)
        done = admit_unidentified(request.user, data, key)
        return created(done.answer, "/api/consumption-sheets", replayed=done.replayed)

    @get("/{sheet_id:int}", guards=[requires(ReadSheetVersion)], sync_to_thread=True)
    def read_sheet(
        self,
        request: ApiRequest,
        sheet_id: PathId,
        read_sheet: Use[ReadSheet],
        read_sheet_version: Use[ReadSheetVersion],
        if_none_match: IfNoneMatch = None,
    ) -> Response[SheetView]:
        """Return a sheet with its ETag; 304 if the caller has this version.

        ``consumptions`` has an entry for each day with details: its first moment, how many details, and when the last
        one was recorded.
        """
        if if_none_match is not None:
            version = read_sheet_version(request.user, sheet_id, of_patient=True)
            if version in parse_etags(if_none_match):
                return not_modified(version)
        return versioned(read_sheet(request.user, sheet_id))

    @get(
        "/{sheet_id:int}/version",
        guards=[requires(ReadSheetVersion)],
        responses={204: ResponseSpec(None, description="Unchanged since `version`")},
        sync_to_thread=True,
    )
    def read_sheet_version(
        self,
        request: ApiRequest,
        sheet_id: PathId,
        read_sheet_version: Use[ReadSheetVersion],
        known: Annotated[
            int | None, QueryParameter(name="version", description="Version known to the client", required=False)
        ] = None,
    ) -> Response[SheetVersionView]:
        """Return the sheet's version; 204 if the caller has it.

        This makes polling a sheet cheap.
        """
        version = read_sheet_version(request.user, sheet_id)
        if version == known:
            return Response[Any](None, status_code=204)
        return DecimalJSONResponse(SheetVersionView(version=version))

    @get("/{sheet_id:int}/summary", guards=[requires(SummarizeSheet)], sync_to_thread=True)
    def summarize_sheet(
        self, request: ApiRequest, sheet_id: PathId, summarize_sheet: Use[SummarizeSheet]
    ) -> Response[SheetSummaryView]:
        """Preview what closing freezes.

        The preview has the totals by day and category, and the lines without quantity or price.

        ``days`` has each hospital day from the admission to today, or to the discharge, also days without lines; of a
        stay of more than 60 days, empty days before the last 60 are left out. ``recordable_from`` is the first time of
        use that the caller may record, null for any. Lines to look at are in ``without_quantity``, ``without_price``
        (for callers who see prices), ``far_out`` (as quantity.far_out) and ``unlisted_items``. ``incomplete_implants``
        are those without lot or serial number.
        """
        return versioned(summarize_sheet(request.user, sheet_id))

    @get("/{sheet_id:int}/pdf", guards=[requires(PrintSheet)], media_type="application/pdf")
    async def print_sheet(self, request: ApiRequest, sheet_id: PathId) -> Response[bytes]:
        """Return the sheet as a PDF with lines, totals and places to sign.

        Lines are grouped by day and category. A closed sheet is printed as its closing froze it.

        It says how many lines were voided and how many entries arrived after the closing. Its ``Keywords`` are the text
        of the QR code, its ``CreationDate`` is the time of printing. Until a closed sheet has its closing (for files
        some seconds, else until the operator has run ``consumo migrate --fill``), it is printed with current data.
        """
        return await HEAVY_WORK.run(request.owner, partial(_print, request, sheet_id))

    @get("/{sheet_id:int}/closings", guards=[requires(ListClosings)], sync_to_thread=True)
    def list_closings(self, request: ApiRequest, sheet_id: PathId, list_closings: Use[ListClosings]) -> ClosingsView:
        """List the sheet's closings, oldest first, with user, time and total.

        ``by`` is null for sheets that were closed before closings were kept, and for sheets imported as closed.
        """
        return list_closings(request.user, sheet_id)

    @get("/{sheet_id:int}/closings/{turn:int}", guards=[requires(ReadClosing)], sync_to_thread=True)
    def read_closing(
        self, request: ApiRequest, sheet_id: PathId, turn: PathCount, read_closing: Use[ReadClosing]
    ) -> WholeSheetView:
        """Return the sheet as that closing froze it, by day and category."""
        return read_closing(request.user, sheet_id, turn)

    @get("/paper", guards=[requires(CheckPaper)], sync_to_thread=True, raises=[UnprocessableException])
    def check_paper(
        self,
        request: ApiRequest,
        text: Annotated[str, QueryParameter(description="Text in the paper's symbol")],
        check_paper: Use[CheckPaper],
    ) -> PaperCheckView:
        """Return whether a closed sheet's paper equals the stored closing.

        A text that is on no such paper, another hospital's paper and a closing that is not stored here are refused with
        422.
        """
        return check_paper(request.user, text)

    @get(
        "/{sheet_id:int}/closings/{turn:int}/pdf",
        guards=[requires(PrintSheet)],
        media_type="application/pdf",
    )
    async def print_closing(self, request: ApiRequest, sheet_id: PathId, turn: PathCount) -> Response[bytes]:
        """Print the sheet as that closing froze it.

        Later renames and lines have no effect.
        """
        return await HEAVY_WORK.run(request.owner, partial(_print, request, sheet_id, turn))

    @get(
        "/{sheet_id:int}/usual-products",
        guards=[requires(ListUsualProducts)],
        sync_to_thread=True,
    )
    def list_usual_products(
        self, request: ApiRequest, sheet_id: PathId, list_usual_products: Use[ListUsualProducts]
    ) -> UsualProductsView:
        """List up to 12 active usual products.

        The order is: the caller's pinned products (6 at most), those the caller recorded last, then those the sheet's
        area uses most at present. ``pinned`` marks the pinned ones.

        The places of the products are the numbers that users type. They are stored for each user, area and shift of the
        hospital. Within a shift, products are only added at the end, and one of them takes the place of a product that
        became inactive. The next shift begins with new pins first, and other products keep their places where they can.
        ``changed`` has the ids of the products at whose number the shift before had another one.
        """
        return list_usual_products(request.user, sheet_id)

    @get(
        "/{sheet_id:int}/missed-charges",
        guards=[requires(ListMissedCharges)],
        sync_to_thread=True,
    )
    def list_missed_charges(
        self,
        request: ApiRequest,
        sheet_id: PathId,
        list_missed_charges: Use[ListMissedCharges],
        kit_id: FilterId = None,
    ) -> MissedChargesView:
        """List up to three products that were probably used and not recorded.

        On recently closed sheets they almost always come with a product of this sheet. With kit_id they come with the
        products of that kit, and are not in it. A closed sheet has none.

        Of ``sheets`` that were closed in the last 180 days and have the product ``because``, ``together`` have this
        one, too. The most certain comes first. Voided lines and those that were returned completely do not count, nor
        do quantities and prices. Inactive products are left out. The pairs are learned each night by 3:00 of the
        hospital's time.
        """
        return list_missed_charges(request.user, sheet_id, kit_id=kit_id)

    @put(
        "/{sheet_id:int}/missed-charges/{product_id:int}",
        guards=[requires(AnswerMissedCharge)],
        dto=draft_dto(MissedChargeDraft, "because_id", "used"),
        status_code=204,
        sync_to_thread=True,
    )
    def answer_missed_charge(
        self,
        request: ApiRequest,
        data: JSONBody[MissedChargeDraft],
        sheet_id: PathId,
        product_id: PathId,
        answer_missed_charge: Use[AnswerMissedCharge],
    ) -> None:
        """Answer whether a missing product was used.

        It is asked about no more on this sheet if it was not. A pair of products that was denied twenty times is asked
        about on no sheet. Nothing is recorded.

        A sheet counts once for a pair, and the other answer takes its denial back. The audit entry has the ``denials``
        of the pair and whether it is still ``asked`` about.
        """
        answer_missed_charge(request.user, sheet_id, product_id, data)

    @get(
        "/{sheet_id:int}/repeatable",
        guards=[requires(ListRepeatable)],
        sync_to_thread=True,
    )
    def list_repeatable(
        self,
        request: ApiRequest,
        sheet_id: PathId,
        list_repeatable: Use[ListRepeatable],
        day: Annotated[date | None, QueryParameter(required=False)] = None,
        from_sheet: FilterId = None,
    ) -> RepeatableView:
        """List by product what was recorded on a day or on another sheet.

        The default is the last day that has lines. Nothing is recorded. A call for another sheet is noted in both
        histories.

        ``items`` have ``product``, ``quantity`` and ``times``; ``days`` are those that have lines.
        """
        return list_repeatable(request.user, sheet_id, day=day, from_sheet=from_sheet)

    @put("/{sheet_id:int}", guards=[requires(UpdateSheet)], dto=SheetDTO, sync_to_thread=True)
    def update_sheet(
        self,
        request: ApiRequest,
        data: JSONBody[SheetDraft],
        sheet_id: PathId,
        if_match: IfMatch,
        update_sheet: Use[UpdateSheet],
    ) -> Response[SheetView]:
        """Update the admission data."""
        return versioned(update_sheet(request.user, sheet_id, data, expected_versions(if_match)))

    @post(
        "/{sheet_id:int}/transfer",
        guards=[requires(TransferPatient)],
        dto=draft_dto(TransferDraft, "room_id"),
        status_code=200,
        sync_to_thread=True,
    )
    def transfer_patient(
        self,
        request: ApiRequest,
        data: JSONBody[TransferDraft],
        sheet_id: PathId,
        if_match: IfMatch,
        transfer_patient: Use[TransferPatient],
    ) -> Response[SheetView]:
        """Transfer the patient to another room, now or at the time ``at``.

        The present stay ends and another begins. To correct a room that was wrong from the beginning, update the sheet.

        Refused are the same room (room.same), a future time (moment.in_future; up to 5 minutes ahead counts as now), a
        time before the admission (moment.before_admission) and one before the present stay began (moment.before_stay).
        """
        draft, expected = data, expected_versions(if_match)
        return versioned(transfer_patient(request.user, sheet_id, draft, expected))

    @delete(
        "/{sheet_id:int}/stays/last",
        guards=[requires(UndoTransfer)],
        status_code=200,
        sync_to_thread=True,
    )
    def undo_transfer(
        self, request: ApiRequest, sheet_id: PathId, if_match: IfMatch, undo_transfer: Use[UndoTransfer]
    ) -> Response[SheetView]:
        """Undo the last transfer: the patient stays in the previous room.

        422, code sheet.not_transferred, if there is none.
        """
        return versioned(undo_transfer(request.user, sheet_id, expected_versions(if_match)))

    @delete("/{sheet_id:int}", guards=[requires(DeleteSheet)], sync_to_thread=True)
    def delete_sheet(
        self, request: ApiRequest, sheet_id: PathId, if_match: IfMatch, delete_sheet: Use[DeleteSheet]
    ) -> None:
        """Delete a sheet and its details permanently.

        Its accounts are deleted, too. Its history stays.
        """
        delete_sheet(request.user, sheet_id, expected_versions(if_match))

    @delete("/{sheet_id:int}/close", guards=[requires(CloseSheet)], status_code=200, sync_to_thread=True)
    def close_sheet(
        self,
        request: ApiRequest,
        sheet_id: PathId,
        if_match: IfMatch,
        close_sheet: Use[CloseSheet],
        acknowledged: Annotated[str | None, QueryParameter(required=False)] = None,
    ) -> Response[SheetView]:
        """Close a sheet: the patient's account is final.

        Open unlisted items, an unidentified patient and incomplete implants need an acknowledgement: 422 with the code
        unlisted_items.open, patient.unidentified or implants.incomplete, unless ``acknowledged`` names it.
        Several codes are separated by commas.
        """
        codes = (acknowledged or "").split(",")
        return versioned(close_sheet(request.user, sheet_id, expected_versions(if_match), acknowledged=codes))

    @post(
        "/{sheet_id:int}/reopen",
        guards=[requires(ReopenSheet)],
        dto=draft_dto(ReopenDraft, "reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def reopen_sheet(
        self, request: ApiRequest, data: JSONBody[ReopenDraft], sheet_id: PathId, reopen_sheet: Use[ReopenSheet]
    ) -> Response[SheetView]:
        """Reopen a closed sheet, with a reason."""
        return versioned(reopen_sheet(request.user, sheet_id, data))

    @post(
        "/{sheet_id:int}/close/undo",
        guards=[requires(UndoClosing)],
        status_code=200,
        sync_to_thread=True,
    )
    def undo_closing(
        self, request: ApiRequest, sheet_id: PathId, undo_closing: Use[UndoClosing]
    ) -> Response[SheetView]:
        """Undo the caller's own closing, within ten minutes.

        Later, or after another user's closing: 422, code closing.not_undoable.

        No reason is needed. ``undo_closing_until`` of a sheet read by id says until when the caller may; all others do
        not have it. A closing by an import cannot be undone this way.
        """
        return versioned(undo_closing(request.user, sheet_id))


def _print(request: ApiRequest, sheet_id: int, turn: int | None = None) -> Response[bytes]:
    printed = sheet_pdf(
        request.hospital, request.use_cases.sheets.print(request.user, sheet_id, turn), language_of(request)
    )
    return document_response(printed, f"{sheet_id}.pdf" if turn is None else f"{sheet_id}-{turn}.pdf")
