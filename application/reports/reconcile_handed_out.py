"""Compare what a store handed out, by its file, with what was recorded."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from application.audit.audit_log import access_entry
from application.common.clock import Clock
from application.common.entities import AREA, PRODUCT, AuditAction, EntityKind
from application.common.use_case import permitted
from application.imports.batch import Batch
from application.imports.reading.row import Row, quotable
from application.imports.rows.people import single_match
from application.imports.rows.staged import chunks
from application.reports.reconciliation_views import DoubtfulRow, Reconciliation, ReconciliationRowView
from application.reports.work import Begin, BeginReadOnly, Read, UnitOfWork, Views
from domain.catalogue.area import Area
from domain.catalogue.product import Product
from domain.common.errors import Code, Reason, Refused
from domain.common.fuzzy_search import best_matches
from domain.common.money import MAX_QUANTITY, ZERO_QUANTITY
from domain.common.policy import Actor, Permission
from domain.common.text import code_key, fold_product, product_words, unique_key

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ReconcileHandedOut:
    """Compare the rows of a store's file with the consumption of a period.

    Nothing is stored, neither the file nor the report. Voids and returns are taken off what was recorded. An export is
    logged in the audit log, as that of the consumption report.
    """

    begin: Begin
    begin_read_only: BeginReadOnly
    read_for_reports: Read
    clock: Clock

    @permitted(Permission.IMPORT, Permission.READ_REPORTS)
    def __call__(
        self,
        actor: Actor,
        batch: Batch,
        *,
        area_id: int | None = None,
        since: date | None = None,
        until: date | None = None,
        leave_out: frozenset[int] = frozenset(),
        exports: bool = False,
    ) -> Reconciliation:
        """Return the report.

        ``area_id`` is the area of a file without a column for it, or the only one of interest. The period is that of
        the file's days if it is not given. ``exports`` logs the access.
        """
        if batch.unanswered:
            raise Refused(Reason(Code.IMPORT_UNANSWERED, params={"count": batch.unanswered}))
        if "area" not in batch.given and area_id is None:
            raise Refused(Reason(Code.REQUIRED, "area_id"))
        since, until = _period(batch, since, until, leave_out)
        with self.begin_read_only() as work:
            only = work.areas.get(area_id) if area_id is not None else None
            if area_id is not None and only is None:
                raise Refused(Reason(Code.REFERENCE_UNKNOWN, "area_id"))
            sums = _Sums(batch, only, since, until)
            for rows in chunks(batch.rows()):
                wanted = [row for row in rows if row.line not in leave_out]
                sums.left_out += len(rows) - len(wanted)
                records = _Records(work, wanted)
                for row in wanted:
                    sums.add(row, records)
        with self.read_for_reports() as views:
            items = sorted(sums.compare(views), key=_largest_first)
        if exports:
            with self.begin() as work:
                work.audit_log.append(access_entry(actor, self.clock(), AuditAction.CONSUMPTION_EXPORTED, 0))
        return Reconciliation(
            since=since,
            until=until,
            items=items,
            doubts=sums.doubts,
            counted=sums.counted,
            left_out=sums.left_out,
        )


def _period(batch: Batch, since: date | None, until: date | None, leave_out: frozenset[int]) -> tuple[date, date]:
    """Return the period, by default from the first to the last day."""
    if since is None or until is None:
        rows = (row for row in batch.rows() if row.line not in leave_out)
        days = [day for row in rows if (day := row.day("handed_out_on"))]
        if not days:
            raise Refused(Reason(Code.REQUIRED, "from" if since is None else "to"))
        since, until = since or min(days), until or max(days)
    if since > until:
        raise Refused(Reason(Code.PERIOD_REVERSED, "from", {"since": since, "until": until}))
    return since, until


def _largest_first(row: ReconciliationRowView) -> tuple[Decimal, str, str, str]:
    difference = row["handed_out"] if row["difference"] is None else row["difference"]
    return -abs(difference), row["area"], row["product"], row["code"] or ""


class _Records:
    """The areas and products that a batch of rows refers to."""

    def __init__(self, work: UnitOfWork, rows: Sequence[Row]) -> None:
        areas = {text for row in rows if (text := row.text("area"))}
        codes = {text for row in rows if (text := row.text("product_code"))}
        names = {row.text("product_name") for row in rows if not row.text("product_code")} - {""}
        self._areas_by_name: dict[object, list[Area]] = _find(work, AREA, "name", map(unique_key, areas))
        self._areas_by_code: dict[object, list[Area]] = _find(work, AREA, "code", areas)
        self._by_code: dict[object, list[Product]] = _find(work, PRODUCT, "code", map(code_key, codes))
        self._by_name: dict[object, list[Product]] = _find(work, PRODUCT, "name", map(fold_product, names))

    def area(self, text: str) -> Area | None:
        """Return the area by name, or else by code."""
        found = self._areas_by_name.get(unique_key(text)) or self._areas_by_code.get(text) or []
        return single_match(found, "area", text)

    def product(self, row: Row) -> Product | None:
        """Return the product by code, or by name if the row has no code."""
        code, name = row.text("product_code"), row.text("product_name")
        if code:
            return single_match(self._by_code.get(code_key(code), []), "product_code", code)
        return single_match(self._by_name.get(fold_product(name), []), "product_name", name)


def _find(work: UnitOfWork, kind: EntityKind, key: str, values: Iterable[str]) -> dict[object, list[Any]]:
    found: dict[object, list[Any]] = defaultdict(list)
    wanted = set(values)
    for one in kind.store_of(work).find_many(key, wanted) if wanted else ():
        found[kind.keys[key](one)].append(one)
    return found


@dataclass(slots=True)
class _Sums:
    """The sums of the file's rows by area and product, with its doubtful rows."""

    batch: Batch
    only: Area | None
    since: date
    until: date
    doubts: list[DoubtfulRow] = field(default_factory=list)
    counted: int = 0
    left_out: int = 0
    _rows: dict[tuple[object, ...], ReconciliationRowView] = field(default_factory=dict)
    _areas: dict[int, str] = field(default_factory=dict)
    _lines: dict[tuple[object, ...], int] = field(default_factory=dict)
    _differ: dict[tuple[str, str], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.only:
            self._areas[self.only.id] = self.only.name

    def add(self, row: Row, records: _Records) -> None:
        """Add a row, unless its quantity cannot count."""
        doubts = list(row.warnings)
        try:
            area, area_name = self._area(row, records, doubts)
        except Refused as refused:
            self._doubt(row, False, [*doubts, *refused.reasons])
            return
        if self.only and area is None:
            self._doubt(row, False, doubts)
            return
        if self.only and area != self.only:
            self.left_out += 1
            return
        wrong = [*row.faults, *self._missing(row)]
        if wrong:
            self._doubt(row, False, [*doubts, *wrong])
            return
        quantity = row.number("quantity") or ZERO_QUANTITY
        product = self._product(row, records, doubts)
        self._check_quantity(row, quantity, product, doubts)
        of = self._sum_of(row, area, area_name, product)
        alike = (*of, row.day("handed_out_on"), quantity)
        first = self._lines.setdefault(alike, row.line)
        if first != row.line:
            doubts.append(Reason(Code.HANDED_OUT_REPEATED, params={"line": first}))
        self._rows[of]["handed_out"] += quantity
        self.counted += quantity != 0
        self._doubt(row, quantity != 0, doubts)

    def compare(self, views: Views) -> Iterator[ReconciliationRowView]:
        """Yield the sums with what was recorded in the areas of the file."""
        for area_id, name in self._areas.items():
            for used in views.consumption.recorded_in(area_id, self.since, self.until):
                of = (area_id, used.product_id)
                row = self._rows.get(of)
                if row is None:
                    row = self._rows[of] = _empty_row(area_id, name, used.product_id, used.name)
                    row["code"], row["unit"] = used.code, used.unit
                row["treatment"], row["area_use"], row["wasted"] = used.treatment, used.area_use, used.wasted
                row["returned"], row["recorded"] = used.returned, used.recorded
        for row in self._rows.values():
            if row["recorded"] is not None:
                row["difference"] = row["handed_out"] - row["recorded"]
            yield row

    def _area(self, row: Row, records: _Records, doubts: list[Reason]) -> tuple[Area | None, str]:
        if "area" not in self.batch.given:
            assert self.only is not None, "a file without areas is of one area"
            return self.only, self.only.name
        text = row.text("area")
        if not text:
            raise Refused(*(row.wrong("area") or [Reason(Code.REQUIRED, "area")]))
        area = records.area(text)
        if area is None:
            doubts.append(row.quoting(Reason(Code.REFERENCE_UNKNOWN, "area")))
            return None, text
        return area, area.name

    def _missing(self, row: Row) -> Iterator[Reason]:
        unread = {reason.field for reason in row.faults}
        if not row.text("product_code") and not row.text("product_name"):
            yield Reason(Code.REQUIRED, "product_code" if "product_code" in self.batch.given else "product_name")
        if row.number("quantity") is None and "quantity" not in unread:
            yield Reason(Code.REQUIRED, "quantity")
        if "handed_out_on" in self.batch.given and "handed_out_on" not in unread:
            day = row.day("handed_out_on")
            if day is None:
                yield Reason(Code.REQUIRED, "handed_out_on")
            elif not self.since <= day <= self.until:
                yield row.quoting(Reason(Code.HANDED_OUT_OUTSIDE_PERIOD, "handed_out_on"))

    def _product(self, row: Row, records: _Records, doubts: list[Reason]) -> Product | None:
        try:
            product = records.product(row)
        except Refused as refused:
            doubts.extend(refused.reasons)
            return None
        if product is None:
            about = "product_code" if row.text("product_code") else "product_name"
            doubts.append(row.quoting(Reason(Code.REFERENCE_UNKNOWN, about)))
        elif row.text("product_code"):
            self._check_name(row, product, doubts)
        return product

    def _check_name(self, row: Row, product: Product, doubts: list[Reason]) -> None:
        """Doubt a code whose product has another name than in the row."""
        name = row.text("product_name")
        if not name:
            return
        both = (name, product.name)
        if both not in self._differ:
            self._differ[both] = _names_differ(*both)
        if self._differ[both]:
            number = row.quoted("product_code")
            doubts.append(
                Reason(
                    Code.HANDED_OUT_NAME_MISMATCH,
                    "product_name",
                    {"value": quotable(name), "known": quotable(product.name), "number": number},
                )
            )

    def _check_quantity(self, row: Row, quantity: Decimal, product: Product | None, doubts: list[Reason]) -> None:
        if quantity == 0:
            doubts.append(row.quoting(Reason(Code.HANDED_OUT_ZERO, "quantity")))
        if quantity < 0:
            doubts.append(row.quoting(Reason(Code.HANDED_OUT_NEGATIVE, "quantity")))
        if abs(quantity) > MAX_QUANTITY:
            doubts.append(Reason(Code.QUANTITY_FAR_OUT, "quantity", {"quantity": quantity}))
        if product and quantity != quantity.quantize(Decimal(1).scaleb(-product.decimals)):
            doubts.append(row.quoting(Reason(Code.QUANTITY_TOO_FINE, "quantity", {"decimals": product.decimals})))

    def _sum_of(self, row: Row, area: Area | None, area_name: str, product: Product | None) -> tuple[object, ...]:
        """Return the key of the row's sum, which exists then."""
        of: tuple[object, ...]
        if area and product:
            of = (area.id, product.id)
        else:
            named = product.id if product else (code_key(row.text("product_code")), row.text("product_name"))
            of = (area.id if area else unique_key(area_name), named)
        if area:
            self._areas[area.id] = area.name
        if of not in self._rows:
            new = _empty_row(
                area.id if area else None,
                area_name,
                product.id if product else None,
                product.name if product else row.text("product_name"),
            )
            new["code"] = product.code if product else row.text("product_code") or None
            new["unit"] = product.unit if product else None
            self._rows[of] = new
        return of

    def _doubt(self, row: Row, counts: bool, reasons: list[Reason]) -> None:
        if reasons:
            self.doubts.append(DoubtfulRow(row.line, counts, tuple(map(row.quoting, reasons))))


def _names_differ(one: str, other: str) -> bool:
    """Return whether two names of a product clearly differ.

    They do if few of their words are alike, or if both have numbers and none is the same: another number is another
    size. Either may be the longer one, and words may be abbreviated.
    """
    folded = fold_product(one), fold_product(other)
    numbers = [set(_NUMBER.findall(name)) for name in folded]
    if all(numbers) and numbers[0].isdisjoint(numbers[1]):
        return True
    return not any(
        best_matches(product_words(asked), [(0, name)], most=1) for asked, name in (folded, reversed(folded))
    )


def _empty_row(area_id: int | None, area: str, product_id: int | None, product: str) -> ReconciliationRowView:
    recorded = None if area_id is None or product_id is None else ZERO_QUANTITY
    return ReconciliationRowView(
        area_id=area_id,
        area=area,
        product_id=product_id,
        code=None,
        product=product,
        unit=None,
        handed_out=ZERO_QUANTITY,
        treatment=recorded,
        area_use=recorded,
        wasted=recorded,
        returned=recorded,
        recorded=recorded,
        difference=None,
    )
