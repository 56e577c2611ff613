"""Read the version of a sheet."""

from dataclasses import dataclass

from application.common.use_case import permitted
from application.sheets.work import Read
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class ReadSheetVersion:
    """Return the version, so that clients reload the sheet only if needed.

    It takes one query of one row.
    """

    read: Read

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int) -> int:
        with self.read() as views:
            version = views.version_of_sheet(sheet_id)
        if version is None:
            raise NotFound
        return version
