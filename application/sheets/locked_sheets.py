"""Lock sheets and details that are changed."""

from datetime import datetime

from application.sheets.work import UnitOfWork
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor
from domain.sheets.detail import Detail
from domain.sheets.sheet import AreaSheet, PatientSheet, Sheet


def lock_patient_sheet(work: UnitOfWork, sheet_id: int) -> PatientSheet:
    """Return the locked sheet of a patient.

    Raise ``NotFound`` if there is none, and ``Refused`` (sheet.of_area) for the page of an area.
    """
    sheet = work.sheets.lock(sheet_id)
    if sheet is None:
        raise NotFound
    return ensure_of_patient(work, sheet)


def ensure_of_patient(work: UnitOfWork, sheet: Sheet) -> PatientSheet:
    """Return the sheet, or raise ``Refused`` (sheet.of_area)."""
    if isinstance(sheet, AreaSheet):
        area = work.areas.get(sheet.area_id)
        assert area is not None, "an area with pages exists"
        raise Refused(Reason(Code.SHEET_OF_AREA, params={"area": area.name}))
    assert isinstance(sheet, PatientSheet), "no third kind exists"
    return sheet


def lock_detail(work: UnitOfWork, actor: Actor, detail_id: int, at: datetime) -> tuple[Sheet, Detail]:
    """Return a detail that the actor wants to change, and its locked sheet.

    It is read under the sheet's lock, so that other users cannot change it meanwhile. Raise ``NotFound`` if there is
    none, and ``Refused`` (detail.too_old) if it is too old for the actor.
    """
    sheet = work.sheets.lock_of_detail(detail_id)
    detail = work.details.get(detail_id)
    if sheet is None or detail is None:
        raise NotFound
    if reasons := sheet.check_age(detail, by=actor, at=at):
        raise Refused(*reasons)
    return sheet, detail
