"""Closings: freeze sheets as documents, and backfill older ones.

A document does not change when data changes later.
"""

import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal

from application.audit.access_log import AccessLog
from application.catalogue.views import CategoryView
from application.common.paging import Sort
from application.common.redaction import redact_for
from application.common.use_case import permitted, retried
from application.people.people import name_of_user
from application.sheets.detail_views import DetailQuery, DetailView, Voided
from application.sheets.stores import Closing
from application.sheets.summary_views import (
    ClosingsView,
    ClosingView,
    PrintedCategoryView,
    PrintedDayView,
    SheetDocument,
    WholeSheetView,
)
from application.sheets.unlisted_views import open_unlisted_items
from application.sheets.views import SheetView
from application.sheets.work import Begin, BeginReadOnly, Read, UnitOfWork, Views
from domain.catalogue.product import Category
from domain.common.errors import NotFound
from domain.common.money import ZERO
from domain.common.policy import Actor, Permission
from domain.sheets.summary import DayCategorySubtotal, Subtotal, Summary, group_by_day_and_category

# The format of new documents. Readers ignore unknown fields.
DOCUMENT_FORMAT = 1
# How many times an open sheet is read again because another user changed it meanwhile.
_MAX_READS = 5
_PAGE_SIZE = 1_000
# How many closings one transaction stores, so that other users do not wait for long.
BACKFILL_BATCH = 200
# Fields of a line that are shown while working on it, but not on paper.
_SCREEN_ONLY_FIELDS = ("acknowledged", "warnings")


def build_document(views: Views, sheet_id: int) -> SheetDocument:
    """Build the document of a sheet as it is now, with prices.

    Its total is always the sum of its lines.
    """
    sheet, details = _read_consistent(views, sheet_id)
    # It belongs to the previous closing.
    sheet.pop("charging", None)
    for detail in details:
        for name in _SCREEN_ONLY_FIELDS:
            detail.pop(name, None)  # type: ignore[misc]
    names = views.plain_names({detail["product_id"] for detail in details})
    for detail in details:
        if plain_name := names.get(detail["product_id"]):
            detail["product"]["plain_name"] = plain_name
    patient = views.patients.one(sheet["patient_id"])
    area_id = sheet["room"]["area_id"]
    groups = group_by_day_and_category((_portion_of(detail), detail) for detail in details)
    summary = Summary(portion for portion, _ in groups)
    return SheetDocument(
        format=DOCUMENT_FORMAT,
        sheet=sheet,
        record_number=patient["record_number"] if patient else None,
        date_of_birth=patient["date_of_birth"] if patient else None,
        area=views.names("area_id", {area_id}).get(area_id),
        lines=summary.all.lines,
        voided=_voided(views, sheet_id),
        unlisted_items=open_unlisted_items(views, sheet_id),
        total=summary.all.total,
        days=[
            PrintedDayView(
                day=day,
                lines=tally.lines,
                total=tally.total,
                categories=[_category(portion, those) for portion, those in groups if portion.day == day],
            )
            for day, tally in summary.by_day
        ],
    )


def sheet_snapshot(document: SheetDocument) -> WholeSheetView:
    """Return the sheet in a document."""
    return WholeSheetView(
        sheet=document["sheet"],
        record_number=document["record_number"],
        date_of_birth=document["date_of_birth"],
        area=document["area"],
        lines=document["lines"],
        voided=document.get("voided", 0),
        total=document["total"],
        days=document["days"],
        unlisted_items=document.get("unlisted_items", []),
    )


def lines_of(document: SheetDocument) -> list[DetailView]:
    """Return the lines of a document."""
    categories = (category for day in document["days"] for category in day["categories"])
    return [line for category in categories for line in category["details"]]


def document_total(document: SheetDocument) -> Decimal:
    """Return the sum of the lines of a document."""
    return sum((line["total"] for line in lines_of(document)), ZERO)


def take_snapshot(
    work: UnitOfWork, sheet_id: int, user_id: int | None, document: SheetDocument | None = None
) -> Closing:
    """Store the closing of a sheet, which is closed and locked.

    Return it with its digest. ``document`` is passed if it was built before.
    """
    document = document or build_document(work.views, sheet_id)
    closed_at = document["sheet"]["deleted_at"]
    assert closed_at is not None, "what is open is not frozen"
    closing = Closing(
        sheet_id=sheet_id,
        turn=work.closings.closing_count(sheet_id) + 1,
        closed_at=closed_at,
        user_id=user_id,
        total=document["total"],
        lines=document["lines"],
        document=document,
        salt=new_salt(),
    )
    return work.closings.add(closing)


def new_salt() -> str:
    """Return a secret salt for the digest of a document.

    The digest is on paper that ward staff see. Without the salt, the prices in the document can't be guessed from it.
    """
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True)
class ListClosings:
    """List the closings of a sheet, the first one first.

    Each of them can be printed.
    """

    read: Read
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int) -> ClosingsView:
        with self.read() as views:
            if views.version_of_patient_sheet(sheet_id) is None:
                raise NotFound
            items = [
                ClosingView(
                    turn=one.turn,
                    closed_at=one.closed_at,
                    by=None if one.user_id is None else name_of_user(views, one.user_id),
                    total=one.total,
                    lines=one.lines,
                )
                for one in views.closings.of_sheet(sheet_id)
            ]
        self.access_log.note_sheet_read(actor, sheet_id)
        return redact_for(actor, ClosingsView(items=items), ClosingsView)


@dataclass(frozen=True, slots=True)
class ReadClosing:
    """Read a closing as it was frozen."""

    read: Read
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int, turn: int) -> WholeSheetView:
        with self.read() as views:
            document = views.closings.document(sheet_id, turn)
            if document is None:
                raise NotFound("turn" if views.version_of_patient_sheet(sheet_id) else None)
        self.access_log.note_sheet_read(actor, sheet_id)
        return redact_for(actor, sheet_snapshot(document), WholeSheetView)


@dataclass(frozen=True, slots=True)
class BackfillClosings:
    """Store missing closings of closed sheets, in batches.

    They are missing if a sheet was closed before closings were stored, or was imported as closed. ``after`` is the last
    id of the previous batch, so the backfill may be stopped and restarted at any time. It is for operators and runs
    after an import.

    The sheets are read before anything is locked. That takes most of the time, and other users do not have to wait for
    it.
    """

    begin: Begin
    begin_read_only: BeginReadOnly

    @retried
    def __call__(self, after: int = 0) -> list[int]:
        """Process a batch. Return its sheet ids, or none when all are done."""
        documents: dict[int, SheetDocument] = {}
        with self.begin_read_only() as work:
            found = work.closings.missing(after=after, most=BACKFILL_BATCH)
            for sheet_id in found:
                with suppress(NotFound):
                    documents[sheet_id] = build_document(work.views, sheet_id)
        if not documents:
            return found
        with self.begin() as work:
            for sheet_id, document in documents.items():
                sheet = work.sheets.lock(sheet_id)
                # A sheet that was reopened meanwhile is frozen when it is closed again.
                if sheet is not None and sheet.version == document["sheet"]["version"]:
                    take_snapshot(work, sheet_id, None, document)
        return found


@dataclass(frozen=True, slots=True)
class BackfillDigests:
    """Store missing digests of closings, in batches.

    They are missing if an earlier version stored the closing. ``after`` is the last sheet and number of the previous
    batch. It is for operators.
    """

    begin: Begin

    @retried
    def __call__(self, after: tuple[int, int] = (0, 0)) -> list[tuple[int, int]]:
        """Process a batch. Return its closings, or none when all are done."""
        with self.begin() as work:
            found = work.closings.without_digest(after=after, most=BACKFILL_BATCH)
            for sheet_id, turn in found:
                work.closings.add_digest(sheet_id, turn, new_salt())
        return found


def _read_consistent(views: Views, sheet_id: int) -> tuple[SheetView, list[DetailView]]:
    """Read the sheet and its details, again if they changed in between.

    After ``_ATTEMPTS`` attempts the last result is used.
    """
    tries = 0
    while True:
        sheet = views.sheets.one(sheet_id)
        if sheet is None:
            raise NotFound
        details = list(_details(views, sheet_id))
        tries += 1
        if tries == _MAX_READS or views.version_of_sheet(sheet_id) == sheet["version"]:
            return sheet, details


def _details(views: Views, sheet_id: int) -> Iterator[DetailView]:
    """Yield all details in the order of recording."""
    query = DetailQuery(consumption_sheet_id=sheet_id, sort=Sort("created_at"), limit=_PAGE_SIZE)
    while True:
        items = views.details.page(query)["items"]
        yield from items
        if len(items) < query.limit:
            return
        query = replace(query, page=query.page + 1)


def _voided(views: Views, sheet_id: int) -> int:
    query = DetailQuery(consumption_sheet_id=sheet_id, voided=Voided.ONLY, limit=1)
    return views.details.page(query)["meta"]["total"]


def _portion_of(detail: DetailView) -> DayCategorySubtotal:
    category = detail["product"]["category"]
    return DayCategorySubtotal(
        detail["day"],
        Category(id=category["id"], code=category["code"], name=category["name"]),
        Subtotal(1, detail["total"]),
    )


def _category(portion: DayCategorySubtotal, details: list[DetailView]) -> PrintedCategoryView:
    category = portion.category
    return PrintedCategoryView(
        category=CategoryView(id=category.id, code=category.code, name=category.name),
        lines=portion.tally.lines,
        total=portion.tally.total,
        details=details,
    )
