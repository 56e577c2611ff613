"""Read the version of a sheet."""

from dataclasses import dataclass

from application.common.use_case import permitted
from application.sheets.work import Read
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class ReadSheetVersion:
    """Return the version, so that clients reload the sheet only if needed.

    It takes one query of one row. With ``of_patient``, a page of an area is no sheet.
    """

    read: Read

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int, *, of_patient: bool = False) -> int:
        with self.read() as views:
            read = views.version_of_patient_sheet if of_patient else views.version_of_sheet
            version = read(sheet_id)
        if version is None:
            raise NotFound
        return version
