"""Routes of the audit log: histories, readers of a patient, all entries."""

from dataclasses import replace
from datetime import date
from typing import Annotated, Any

from litestar import Request
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.lists import list_response
from adapters.http.routing import get
from adapters.http.wire import Cursor, FilterId, FreeText, Limit, PageNumber, PathId, paging
from application.paging import Page
from application.use_cases import UseCases
from application.views import AuditQuery, HistoryView
from domain.policy import Actor, Permission


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


@get(
    "/api/consumption-sheets/{sheet_id:int}/history",
    operation_id="readSheetHistory",
    may=Permission.READ_SHEET_HISTORY,
    summary="Read a sheet's history",
    tags=["sheets"],
    dependencies={"asked": Provide(provide_query)},
)
def read_sheet_history(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[AuditQuery],
    sheet_id: PathId,
) -> Page[HistoryView]:
    """List the entries of a sheet and its details, newest first.

    They remain after the sheet is deleted.
    """
    query = replace(asked, sheet_id=sheet_id)
    page: Page[HistoryView] = list_response(request, "history", use_cases, actor, query, hospital)
    return page


@get(
    "/api/patients/{patient_id:int}/readers",
    operation_id="listReaders",
    may=Permission.READ_ACCESS_LOG,
    summary="List who looked at a patient",
    tags=["patients"],
    dependencies={"asked": Provide(provide_query)},
)
def list_readers(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[AuditQuery],
    patient_id: PathId,
) -> Page[HistoryView]:
    """List users who read or changed a patient or a sheet, newest first.

    Repeated reads within one hour are one entry; each print and export has its own.
    """
    query = replace(asked, patient_id=patient_id)
    page: Page[HistoryView] = list_response(request, "readers", use_cases, actor, query, hospital)
    return page


@get(
    "/api/audit",
    operation_id="listAudit",
    may=Permission.READ_AUDIT_LOG,
    summary="List the audit log",
    tags=["audit"],
    dependencies={"asked": Provide(provide_query)},
)
def list_audit(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[AuditQuery],
    entity: Annotated[str | None, QueryParameter(required=False)] = None,
    entity_id: FilterId = None,
) -> Page[HistoryView]:
    """List all entries, newest first."""
    query = replace(asked, entity=entity, entity_id=entity_id)
    page: Page[HistoryView] = list_response(request, "audit", use_cases, actor, query, hospital)
    return page


ROUTES = [read_sheet_history, list_readers, list_audit]
