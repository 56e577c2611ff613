"""Delete a consumption detail, which voids it."""

from dataclasses import dataclass
from datetime import tzinfo

from application.common.clock import Clock
from application.common.use_case import permitted
from application.sheets.lines.void_details import void
from application.sheets.locked_sheets import lock_detail
from application.sheets.work import Begin
from domain.common.day import day_of
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class DeleteDetail:
    """Void a detail of an open sheet.

    Ward staff may void their own details, supervisors any.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.DELETE_OWN_DETAILS)
    def __call__(self, actor: Actor, detail_id: int, expected: frozenset[int] | None = None) -> None:
        with self.begin() as work:
            sheet, detail = lock_detail(work, actor, detail_id, self.clock())
            if detail.voided:
                raise NotFound
            detail.ensure_may_void(actor)
            detail.ensure_version(expected)
            now = self.clock()
            void(work, actor, sheet, [detail], now, day_of(now, self.zone))
