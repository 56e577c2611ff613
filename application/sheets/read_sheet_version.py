"""Look whether a sheet has changed."""

from dataclasses import dataclass

from application.ports.views import Read
from domain.errors import NotFound
from domain.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class ReadSheetVersion:
    """The version at which a sheet is: whoever knows it need not read the sheet again. One look at one row."""

    read: Read

    def __call__(self, actor: Actor, sheet_id: int) -> int:
        actor.must(Permission.READ_SHEETS)
        with self.read() as views:
            version = views.version_of_sheet(sheet_id)
        if version is None:
            raise NotFound
        return version
