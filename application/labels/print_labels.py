"""Print labels of products, kits and patients, and wristbands."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from application.accounts.work import Begin, Read, Views
from application.audit.audit_log import access_entry
from application.catalogue.views import KitQuery, KitView, ProductQuery, ProductView
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.scanning import ReadScan, ScanResult
from application.common.use_case import permitted
from application.labels.ports import BarsFit, KitCardLine, LabelSize, LabelSubject, PrintedLabel, PrintedLabels
from application.people.views import PatientQuery, PatientView
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.scanning.label import MAX_LABEL_NUMBER, LabelKind, is_own_label, label_text

MAX_LABEL_ITEMS = 200
MAX_COPIES = 50
MAX_LABELS = 2_000
# Longer codes are not printed as bars.
MAX_BARS_LENGTH = 20

_LABELS = (LabelSize.ROLL_50X25, LabelSize.ROLL_57X32, LabelSize.A4_3X8, LabelSize.LETTER_3X10)
LABEL_SIZES: Mapping[LabelSubject, tuple[LabelSize, ...]] = {
    LabelSubject.PRODUCT: _LABELS,
    LabelSubject.KIT: (*_LABELS, LabelSize.A6),
    LabelSubject.PATIENT: _LABELS,
    LabelSubject.BAND: (LabelSize.BAND_ADULT, LabelSize.BAND_CHILD),
}
# How many labels are on a sheet; rolls have one after another.
PLACES = {LabelSize.A4_3X8: 24, LabelSize.LETTER_3X10: 30}


class LabelSymbol(StrEnum):
    """The symbol on a label of a product; AUTO prefers the product's code."""

    AUTO = "auto"
    QR = "qr"
    CODE128 = "code128"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelItemDraft(Draft):
    """What a label is for, and how many copies."""

    id: int | None = None
    copies: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsDraft(Draft):
    """The form of labels to print.

    ``what`` is product, kit, patient or band. ``start_at`` is the first free place of a used label sheet.
    """

    what: str | None = None
    items: tuple[LabelItemDraft, ...] | None = None
    size: str | None = None
    symbol: str | None = None
    start_at: int | None = None


@dataclass(frozen=True, slots=True)
class PrintLabels:
    """Return the labels to print. They never contain a price.

    Labels of patients need the permissions to read patients and sheets, and are logged in the access log each time.
    """

    begin: Begin
    read: Read
    clock: Clock
    read_scan: ReadScan
    bars_fit: BarsFit

    @permitted(Permission.READ_CATALOGUE)
    def __call__(self, actor: Actor, draft: LabelsDraft) -> PrintedLabels:
        checks = Validator(draft.parse_errors)
        what = checks.str_enum("what", draft.what, LabelSubject)
        is_patient = what in (LabelSubject.PATIENT, LabelSubject.BAND)
        if is_patient:
            actor.require(Permission.READ_PATIENTS)
            actor.require(Permission.READ_SHEETS)
        size = _size(checks, draft, what)
        symbol = _symbol(checks, draft, what)
        start_at = _whole(checks, "start_at", draft.start_at, most=PLACES.get(size, 1))
        items = _items(checks, draft)
        checks.raise_if_invalid()
        ids = frozenset(item_id for item_id, _ in items if item_id <= MAX_LABEL_NUMBER)
        with self.read() as views:
            found = dict(self._labels(views, actor, what, size, symbol, ids))
        labels = []
        for place, (item_id, copies) in enumerate(items):
            label = found.get(item_id)
            if label is None:
                checks.add_error(Code.REFERENCE_UNKNOWN, f"items.{place}.id")
            elif symbol is LabelSymbol.CODE128 and label.bars is None:
                checks.add_error(Code.SYMBOL_UNFIT, f"items.{place}.id", name=label.name)
            else:
                labels.append(replace(label, copies=copies))
        checks.raise_if_invalid()
        if is_patient:
            self._log(actor, ids)
        return PrintedLabels(what=what, size=size, start_at=start_at, labels=tuple(labels))

    def _labels(
        self,
        views: Views,
        actor: Actor,
        what: LabelSubject,
        size: LabelSize,
        symbol: LabelSymbol,
        ids: frozenset[int],
    ) -> Iterator[tuple[int, PrintedLabel]]:
        """Yield the labels by id; what the actor may not see has none."""
        installation = views.installation_number()
        if what is LabelSubject.PRODUCT:
            for product in views.products.page(ProductQuery(ids=ids, limit=MAX_LABEL_ITEMS))["items"]:
                text = label_text(LabelKind.PRODUCT, product["id"], installation)
                yield product["id"], self._of_product(product, text, size, symbol)
        elif what is LabelSubject.KIT:
            query = KitQuery(ids=ids, limit=MAX_LABEL_ITEMS, user_id=actor.user_id)
            for kit in views.kits.page(query)["items"]:
                yield kit["id"], _of_kit(kit, label_text(LabelKind.KIT, kit["id"], installation))
        else:
            for patient in views.patients.page(PatientQuery(ids=ids, limit=MAX_LABEL_ITEMS, merged=None))["items"]:
                text = label_text(LabelKind.PATIENT, patient["id"], installation)
                yield patient["id"], self._of_patient(patient, text, size)

    def _of_product(self, product: ProductView, text: str, size: LabelSize, symbol: LabelSymbol) -> PrintedLabel:
        code = product["code"] or ""
        bars = code if symbol is not LabelSymbol.QR and self._is_plain(code) and self.bars_fit(code, size) else None
        return PrintedLabel(
            text=text, has_qr=bars is None, bars=bars, name=product["name"], number=code, unit=product["unit"] or ""
        )

    def _of_patient(self, patient: PatientView, text: str, size: LabelSize) -> PrintedLabel:
        number = patient["record_number"] or ""
        has_bars = size is LabelSize.ROLL_57X32 and _is_printable(number) and self.bars_fit(number, size)
        surnames = " ".join(filter(None, (patient["first_surname"], patient["second_surname"])))
        return PrintedLabel(
            text=text,
            bars=number if has_bars else None,
            name=surnames or patient["name"],
            below=patient["name"] if surnames else "",
            number=number,
            born=patient["date_of_birth"],
        )

    def _is_plain(self, code: str) -> bool:
        """Return whether a scan of the code is read as this code only."""
        return _is_printable(code) and not is_own_label(code) and self.read_scan(code) == ScanResult(text=code)

    def _log(self, actor: Actor, patient_ids: Iterable[int]) -> None:
        now = self.clock()
        with self.begin() as work:
            for patient_id in sorted(patient_ids):
                work.audit_log.append(
                    access_entry(actor, now, AuditAction.PATIENT_PRINTED, patient_id, patient_id=patient_id)
                )


def _of_kit(kit: KitView, text: str) -> PrintedLabel:
    return PrintedLabel(
        text=text,
        name=kit["name"],
        below=kit["area"]["name"] if kit["area"] else "",
        lines=tuple(KitCardLine(line["quantity"], line["product"]["name"], line["optional"]) for line in kit["lines"]),
    )


def _is_printable(code: str) -> bool:
    """Return whether a Code 128 can hold the code."""
    return 0 < len(code) <= MAX_BARS_LENGTH and code.isascii() and code.isprintable()


def _size(checks: Validator, draft: LabelsDraft, what: LabelSubject) -> LabelSize:
    size = checks.str_enum("size", draft.size, LabelSize)
    if size not in LABEL_SIZES[what]:
        checks.add_error(Code.CHOICE_UNKNOWN, "size", choices=", ".join(LABEL_SIZES[what]))
    return size


def _symbol(checks: Validator, draft: LabelsDraft, what: LabelSubject) -> LabelSymbol:
    """Return the symbol; bars alone are only for products."""
    symbol = checks.str_enum("symbol", draft.symbol or LabelSymbol.AUTO, LabelSymbol)
    if symbol is LabelSymbol.CODE128 and what is not LabelSubject.PRODUCT:
        choices = (LabelSymbol.AUTO, LabelSymbol.QR)
        checks.add_error(Code.CHOICE_UNKNOWN, "symbol", choices=", ".join(choices))
    return symbol


def _items(checks: Validator, draft: LabelsDraft) -> list[tuple[int, int]]:
    """Return ids and copies."""
    given = draft.items or ()
    if not given and "items" not in {reason.field for reason in draft.parse_errors}:
        checks.add_error(Code.REQUIRED, "items")
    if len(given) > MAX_LABEL_ITEMS:
        checks.add_error(Code.ITEMS_TOO_MANY, "items", most=MAX_LABEL_ITEMS)
        return []
    items = []
    for place, item in enumerate(given):
        of_item = Validator(item.parse_errors)
        item_id = of_item.required_id("id", item.id)
        copies = _whole(of_item, "copies", item.copies, most=MAX_COPIES)
        checks.add(of_item.reasons, within=f"items.{place}")
        items.append((item_id, copies))
    total = sum(copies for _, copies in items)
    if total > MAX_LABELS:
        checks.add_error(Code.LABELS_TOO_MANY, "items", most=MAX_LABELS, count=total)
    return items


def _whole(checks: Validator, field: str, value: int | None, *, most: int) -> int:
    """Return a number from 1 to ``most``; 1 if it is missing."""
    number = 1 if value is None else value
    if not 1 <= number <= most:
        checks.add_error(Code.NUMBER_OUT_OF_RANGE, field, least=1, most=most, value=number)
        return 1
    return number
