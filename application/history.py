"""The record behind the record: what happened to a sheet, and everything that happened."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from application.browse import Browse
from application.paging import Page
from application.views import AuditQuery, AuditView
from domain.policy import Actor, Permission
from domain.refusal import NotFound


@dataclass(frozen=True, slots=True)
class ReadSheetHistory:
    """A sheet's story, its details' included, newest first. It outlives the sheet."""

    trail: Browse[AuditView, AuditQuery]

    def __call__(self, actor: Actor, sheet_id: int, query: AuditQuery) -> Page[AuditView]:
        actor.must(Permission.READ_SHEET_HISTORY)
        page = self.trail.page(actor, replace(query, sheet_id=sheet_id))
        if page["meta"]["total"] == 0 and self._is_unheard_of(actor, sheet_id):
            raise NotFound
        return page

    def _is_unheard_of(self, actor: Actor, sheet_id: int) -> bool:
        """Whether there never was such a sheet, whatever else was asked for."""
        return self.trail.page(actor, AuditQuery(sheet_id=sheet_id, limit=1))["meta"]["total"] == 0

    def every(self, actor: Actor, sheet_id: int, query: AuditQuery) -> Iterator[AuditView]:
        """The whole of it."""
        self(actor, sheet_id, replace(query, page=1, cursor=None))
        return self.trail.every(actor, replace(query, sheet_id=sheet_id))
