"""Routes of the worklist: what waits for a supervisor."""

from typing import Annotated

from litestar import Controller
from litestar.params import JSONBody, QueryParameter

from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import FilterId
from adapters.http.routes import Use, delete, get, post
from application.reports.judge import JudgementDraft, JudgeRight, UndoJudgement
from application.ward.read_worklist import ReadWorklist
from application.ward.worklist_views import WorklistCountView, WorklistView

JudgementDTO = draft_dto(JudgementDraft, "kind")


class WorklistController(Controller):
    path = "/api/worklist"
    tags = ("worklist",)

    @get(guards=[requires(ReadWorklist)], sync_to_thread=True)
    def read_worklist(self, request: ApiRequest, read_worklist: Use[ReadWorklist]) -> WorklistView:
        """Return what waits for the supervisor, by kind.

        Each kind is for users with its permission: ``late_entries``, ``held_messages`` (for more than ten minutes),
        ``discharges``, ``unusual_lines``, ``unusual_sheets``, ``unlisted_items``, ``recalled_uses``, ``unknown_codes``,
        ``device_outboxes``, ``expiring_keys``, ``open_forms`` and ``products_without_price``. ``count`` is the number
        of items; all held messages are one item, and so are all open forms and all products without price. A kind has
        ``max_per_kind`` items at most.
        """
        return read_worklist(request.user)

    @get("/count", guards=[requires(ReadWorklist.count)], sync_to_thread=True)
    def count_worklist(self, request: ApiRequest, read_worklist: Use[ReadWorklist]) -> WorklistCountView:
        """Return the number of items of the worklist."""
        return read_worklist.count(request.user)

    @post(
        "/judgements",
        guards=[requires(JudgeRight)],
        dto=JudgementDTO,
        status_code=204,
        sync_to_thread=True,
    )
    def judge_right(self, request: ApiRequest, data: JSONBody[JudgementDraft], judge_right: Use[JudgeRight]) -> None:
        """Judge an unusual line or sheet, or the unsent lines of a device, right.

        A line returns to the worklist when it is changed, a sheet when it has been unusual for as long again, a device
        when it reports more lines or other ones.

        A quiet sheet returns after three more days, a sheet that is open for long after thirty, and one without a line
        today on the next day. The judgement is for all users.
        """
        judge_right(request.user, data)

    @delete("/judgements", guards=[requires(UndoJudgement)], sync_to_thread=True)
    def undo_judgement(
        self,
        request: ApiRequest,
        kind: Annotated[str, QueryParameter(description="Kind of record, as in the worklist")],
        undo_judgement: Use[UndoJudgement],
        detail_id: FilterId = None,
        sheet_id: FilterId = None,
        outbox_id: FilterId = None,
    ) -> None:
        """Undo a judgement: the line, sheet or device returns to the worklist.

        404 if there is none.
        """
        draft = JudgementDraft(kind=kind, detail_id=detail_id, sheet_id=sheet_id, outbox_id=outbox_id)
        undo_judgement(request.user, draft)
