"""The record behind the record: what happened to a sheet, and everything that happened."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from application.browse import Browse
from application.paging import Page
from application.ports import Read
from application.views import AuditQuery, AuditView, HistoryView
from domain.policy import Actor, Permission
from domain.refusal import NotFound

DETAIL = "consumption_detail"
_REFERENCES = ("product_id", "staff_id", "area_id", "room_id", "patient_id")


@dataclass(frozen=True, slots=True)
class ReadSheetHistory:
    """A sheet's story, its details' included, newest first, with the names of all that it is about.

    It outlives the sheet.
    """

    read: Read
    trail: Browse[AuditView, AuditQuery]

    def __call__(self, actor: Actor, sheet_id: int, query: AuditQuery) -> Page[HistoryView]:
        actor.must(Permission.READ_SHEET_HISTORY)
        page = self.trail.page(actor, replace(query, sheet_id=sheet_id))
        if page["meta"]["total"] == 0 and self._is_unheard_of(actor, sheet_id):
            raise NotFound
        return Page(items=self._with_names(page["items"]), meta=page["meta"])

    def _is_unheard_of(self, actor: Actor, sheet_id: int) -> bool:
        """Whether there never was such a sheet, whatever else was asked for."""
        return self.trail.page(actor, AuditQuery(sheet_id=sheet_id, limit=1))["meta"]["total"] == 0

    def _with_names(self, entries: list[AuditView]) -> list[HistoryView]:
        with self.read() as views:
            names = {
                field: views.names(field, _referred_to(entries, field))
                for field in (*_REFERENCES, "user_id", "detail_id")
            }
        return [
            HistoryView(
                **entry,
                person=names["user_id"].get(entry["user"]["id"]) if entry["user"] else None,
                product=names["detail_id"].get(entry["entity_id"]) if entry["entity"] == DETAIL else None,
                names={
                    field: [
                        names[field].get(each) if isinstance(each, int) else None for each in entry["changes"][field]
                    ]
                    for field in _REFERENCES
                    if field in entry["changes"]
                },
            )
            for entry in entries
        ]

    def every(self, actor: Actor, sheet_id: int, query: AuditQuery) -> Iterator[AuditView]:
        """The whole of it."""
        self(actor, sheet_id, replace(query, page=1, cursor=None))
        return self.trail.every(actor, replace(query, sheet_id=sheet_id))


def _referred_to(entries: Iterable[AuditView], field: str) -> set[int]:
    """The ids in that field of those entries; ``detail_id`` and ``user_id`` are what they are about and who did it."""
    if field == "user_id":
        return {entry["user"]["id"] for entry in entries if entry["user"]}
    if field == "detail_id":
        return {entry["entity_id"] for entry in entries if entry["entity"] == DETAIL}
    return {each for entry in entries for each in entry["changes"].get(field, ()) if isinstance(each, int)}
