"""Routes of the audit log: histories, readers of a patient, all entries."""

from dataclasses import replace
from datetime import date
from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.documents.lists import AUDIT, HISTORY, READERS
from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import Cursor, FilterId, FreeText, Limit, PageNumber, PathId, paging
from application.audit.views import AuditPage, AuditQuery, HistoryView
from application.common.paging import Page
from application.history.read_audit_log import ListAccesses, ListEntries, ReadSheetHistory


async def provide_query(
    user_id: FilterId = None,
    action: Annotated[str | None, QueryParameter(required=False)] = None,
    since: Annotated[date | None, QueryParameter(name="from", required=False)] = None,
    until: Annotated[date | None, QueryParameter(name="to", required=False)] = None,
    page: PageNumber = None,
    limit: Limit = None,
    q: FreeText = None,
    cursor: Cursor = None,
) -> AuditQuery:
    """Provide the parameters of the lists."""
    return AuditQuery(**paging(page, limit, cursor), q=q, user_id=user_id, action=action, since=since, until=until)


class SheetHistoryController(Controller):
    path = "/api/consumption-sheets/{sheet_id:int}/history"
    tags = ("sheets",)

    @get(guards=[requires(ReadSheetHistory)], dependencies={"asked": Provide(provide_query)})
    async def read_sheet_history(
        self, request: ApiRequest, asked: NamedDependency[AuditQuery], sheet_id: PathId
    ) -> Page[HistoryView]:
        """List the entries of a sheet and its details, newest first.

        They remain after the sheet is deleted.
        """
        query = replace(asked, sheet_id=sheet_id)
        return await list_response(request, HISTORY, query)


class ReaderController(Controller):
    path = "/api/patients/{patient_id:int}/readers"
    tags = ("patients",)

    @get(guards=[requires(ListAccesses)], dependencies={"asked": Provide(provide_query)})
    async def list_readers(
        self, request: ApiRequest, asked: NamedDependency[AuditQuery], patient_id: PathId
    ) -> Page[HistoryView]:
        """List users who read or changed a patient or a sheet, newest first.

        Repeated reads within one hour are one entry; each print and export has its own.
        """
        query = replace(asked, patient_id=patient_id)
        return await list_response(request, READERS, query)


class AuditController(Controller):
    path = "/api/audit"
    tags = ("audit",)

    @get(guards=[requires(ListEntries)], dependencies={"asked": Provide(provide_query)})
    async def list_audit(
        self,
        request: ApiRequest,
        asked: NamedDependency[AuditQuery],
        entity: Annotated[str | None, QueryParameter(required=False)] = None,
        entity_id: FilterId = None,
    ) -> AuditPage:
        """List all entries, newest first.

        ``entities`` and ``actions`` are what the filters can select, in words.

        Entries have words in the language of the request: ``who`` and ``did`` are a sentence, and ``in_words`` has a
        ``text`` for each changed field that people read, such as *Cantidad: antes 2, ahora 1.234,5*. ``shown`` says
        whether it is the ``change``, a ``note`` beside it, such as a reason, or ``data`` of which the sentence says
        enough. Files have the same words in the columns ``who``, ``did`` and ``in_words_text``.
        """
        query = replace(asked, entity=entity, entity_id=entity_id)
        return await list_response(request, AUDIT, query)
