"""Consumption sheet as PDF, A4."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from adapters.documents.pdf.page import (
    GAP,
    GREY,
    HEADINGS,
    LEADING,
    LEFT,
    RIGHT,
    SIZE,
    SMALL,
    Block,
    Cell,
    Column,
    build_line,
    columns_across,
    draw_headings,
    head,
    kept_together,
    pages_of,
    pdf_of,
    repeat_head,
    write,
)
from adapters.documents.pdf.proof import proof_block
from adapters.documents.pdf.text import BOLD, PLAIN, fitted, wrapped
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats, messages
from application.people.views import PersonView
from application.sheets.detail_views import DetailView
from application.sheets.summary_views import PrintedSheetView
from domain.common.day import day_of
from domain.common.money import ZERO
from domain.common.text import fold, full_name
from domain.sheets.summary import days_without_lines

HEADING_SIZE = 10.0


def sheet_pdf(hospital: HospitalProfile, view: PrintedSheetView, language: str) -> bytes:
    """Return the sheet as PDF. Its metadata do not name the patient."""
    with formats.numbers_as(hospital.number_format):
        return _SheetOnPaper(hospital, view, language).pdf()


@dataclass(slots=True)
class _SheetOnPaper:
    """Layout of one sheet."""

    hospital: HospitalProfile
    view: PrintedSheetView
    language: str
    columns: list[Column[DetailView]] = field(default_factory=list)

    def pdf(self) -> bytes:
        self.columns = columns_across(self._cells(), self._details())
        first = head(
            self.hospital,
            self._title(),
            self._marks(),
            self._facts(),
            HEADINGS,
            lambda canvas, y: draw_headings(canvas, y, self.columns),
        )
        again = repeat_head(self._title(), self._marks(), self._identity(), self.columns)
        pages = list(pages_of(kept_together([*self._blocks()], [*self._ending()]), first, again))
        printed = formats.moment(self.language, self.view["printed_at"], self.hospital.zone)
        foot = self._word("printed_by", moment=printed, name=self.view["printed_by"])
        return pdf_of(
            pages,
            hospital=self.hospital,
            language=self.language,
            title=self._title(),
            foot=foot,
            keywords=self.view["proof"] or "",
            created_at=self.view["printed_at"],
        )

    # --- head ---

    def _title(self) -> str:
        return self._word("title", number=self.view["sheet"]["id"])

    def _marks(self) -> list[str]:
        """Return the marks in the head: sheet still open, copy after a reopening."""
        open_mark = [] if self.view["sheet"]["closed"] else [self._word("open")]
        return [*open_mark, *([self._word("copy")] if self.view["reopened"] else [])]

    def _identity(self) -> list[str]:
        """Return the patient's name and data for the head of later pages."""
        identifiers = [f"{self._word(label)}: {value}" for label, value in self._identifiers() if value]
        return [_name(self.view["sheet"]["patient"]), " · ".join(identifiers)]

    def _identifiers(self) -> list[tuple[str, str]]:
        view, room = self.view, self.view["sheet"]["room"]["name"]
        born = view["date_of_birth"]
        return [
            ("record_number", view["record_number"] or ""),
            ("born", formats.day(self.language, born) if born else ""),
            ("room", f"{room} ({view['area']})" if view["area"] else room),
        ]

    def _facts(self) -> list[list[tuple[str, str]]]:
        sheet, language = self.view["sheet"], self.language
        closed_at = sheet["deleted_at"]
        pairs = [
            ("patient", _name(sheet["patient"])),
            *self._identifiers(),
            ("admission", formats.day(language, sheet["admission_date"])),
            ("closed_at", formats.moment(language, closed_at, self.hospital.zone) if closed_at else ""),
            ("doctor", sheet["doctor"]),
        ]
        facts = [(self._word(label), value) for label, value in pairs if value]
        # The last fact of an odd number keeps half of the width.
        rows = [[*facts[at : at + 2], ("", "")][:2] for at in range(0, len(facts), 2)]
        return [*rows, *([[(self._word("diagnosis"), sheet["diagnosis"])]] if sheet["diagnosis"] else [])]

    # --- lines ---

    def _details(self) -> list[DetailView]:
        return [detail for day in self.view["days"] for category in day["categories"] for detail in category["details"]]

    def _cells(self) -> list[Cell[DetailView]]:
        language, zone = self.language, self.hospital.zone
        coded = any(detail["product"].get("code") for detail in self._details())
        code: Cell[DetailView] = Cell(
            name=self._word("code"), tells=lambda each: each["product"].get("code") or "", least=80, max_lines=4
        )
        cells: list[Cell[DetailView]] = [
            Cell(
                name=self._word("time"),
                tells=lambda each: formats.time(_used_at(each), zone),
                whole=True,
            ),
            *([code] if coded else []),
            Cell(
                name=self._word("quantity"),
                tells=lambda each: formats.quantity(language, each["quantity"]),
                numeric=True,
            ),
            Cell(name=self._word("product"), tells=_product, least=120),
            Cell(
                name=self._word("staff"),
                tells=lambda each: _name(each["staff"]) if each["staff"] else "",
                least=58,
                max_lines=6,
            ),
            Cell(
                name=self._word("area"),
                tells=lambda each: each["area"]["name"] if each["area"] else "",
                least=50,
                max_lines=6,
            ),
        ]
        if "total" in self.view:
            cells += [
                Cell(name=self._word("price"), tells=lambda each: self._money(each["unit_price"]), numeric=True),
                Cell(name=self._word("total"), tells=lambda each: self._money(each["total"]), numeric=True),
            ]
        return cells

    def _blocks(self) -> Iterator[Block]:
        """Yield the blocks of days and their lines, and what concerns all days."""
        for day in self.view["days"]:
            date = formats.day(self.language, day["day"])
            yield self._heading(date, day.get("total"), 24)
            details = [detail for category in day["categories"] for detail in category["details"]]
            for number, detail in enumerate(sorted(details, key=_used_at)):
                yield build_line(self.columns, detail, self._continued(date) if number else "", self._notes(detail))
        if not self.view["days"]:
            yield Block(30, lambda canvas, y: write(canvas, y - 20, self._word("nothing")))
        yield from self._days_without_lines()
        yield from self._unlisted_items()
        yield from self._categories()

    def _days_without_lines(self) -> Iterator[Block]:
        """Yield the days of the stay without lines, in one paragraph."""
        sheet, zone = self.view["sheet"], self.hospital.zone
        until = day_of(sheet["deleted_at"] or self.view["printed_at"], zone)
        recorded = {day["day"] for day in self.view["days"]}
        missing = days_without_lines(recorded, sheet["admission_date"], until)
        if missing and recorded:
            days = ", ".join(formats.day(self.language, day) for day in missing)
            yield Block(8, lambda _canvas, _y: None, stays=True)
            yield self._text(self._word("no_lines", days=days), "")

    def _categories(self) -> Iterator[Block]:
        """Yield the summary by category."""
        totals: dict[str, tuple[int, Decimal | None]] = {}
        for category in (category for day in self.view["days"] for category in day["categories"]):
            name, total = category["category"]["name"], category.get("total")
            lines, before = totals.get(name, (0, total and ZERO))
            totals[name] = lines + category["lines"], before if total is None or before is None else before + total
        if not totals:
            return
        yield self._heading(self._word("by_category"), None, 28)
        for number, (name, (lines, total)) in enumerate(sorted(totals.items(), key=lambda each: fold(each[0]))):
            counted = self._word("lines", number=formats.whole(self.language, lines))
            amount = "" if total is None else self._money(total)
            continues = self._continued(self._word("by_category")) if number else ""
            yield self._text(f"{name} · {counted}", continues, amount)

    def _unlisted_items(self) -> Iterator[Block]:
        """Yield the open unlisted items, below the days and without prices."""
        items = self.view["unlisted_items"]
        if items:
            yield self._heading(self._word("unlisted"), None, 24)
        continues = self._continued(self._word("unlisted"))
        for number, item in enumerate(items):
            parts = [
                formats.moment(self.language, item["occurred_at"], self.hospital.zone),
                formats.counted(self.language, item["quantity"], item["description"]),
                item["staff"] or item["by"] or "",
                item["area"] or "",
            ]
            yield self._text(" · ".join(part for part in parts if part), continues if number else "")

    def _text(self, text: str, continues: str, amount: str = "") -> Block:
        """Return a text across the page and an amount, with a line below it."""
        room = RIGHT - LEFT - (stringWidth(amount, PLAIN, SIZE) + GAP if amount else 0)
        lines = wrapped(text, PLAIN, SIZE, room)
        height = len(lines) * LEADING + 3

        def draw(canvas: Canvas, y: float) -> None:
            canvas.setFont(PLAIN, SIZE)
            for number, line in enumerate(lines):
                canvas.drawString(LEFT, y - 9 - number * LEADING, line)
            canvas.drawRightString(RIGHT, y - 9, amount)
            canvas.line(LEFT, y - height + 0.5, RIGHT, y - height + 0.5)

        return Block(height, draw, continues=continues)

    def _notes(self, detail: DetailView) -> str:
        """Return pack data of a line, why it was thrown away or is not charged."""
        lot, expiry, serial = detail.get("lot"), detail.get("expiry"), detail.get("serial")
        wasted, unbilled = detail.get("use_reason"), detail.get("unbilled")
        values = [
            ("lot", lot or ""),
            ("expiry", formats.day(self.language, expiry) if expiry else ""),
            ("serial", serial or ""),
        ]
        notes = [f"{self._word(label)}: {value}" for label, value in values if value]
        if wasted:
            notes.append(f"{self._word('wasted')}: {messages.value(self.language, f'use_reason.{wasted}')}")
        if unbilled:
            notes.append(messages.value(self.language, f"unbilled.{unbilled}"))
        return " · ".join(notes)

    def _continued(self, heading: str) -> str:
        """Return the heading of a continued group, cut to one line."""
        room = RIGHT - LEFT - stringWidth(self._word("continued", heading=""), BOLD, SIZE)
        return self._word("continued", heading="".join(fitted(heading, BOLD, SIZE, room, 1)))

    def _heading(self, text: str, total: Decimal | None, height: float) -> Block:
        amount = self._money(total) if total is not None else ""
        room = RIGHT - LEFT - (stringWidth(amount, BOLD, HEADING_SIZE) + GAP if amount else 0)
        lines = wrapped(text, BOLD, HEADING_SIZE, room)
        below = (len(lines) - 1) * LEADING

        def draw(canvas: Canvas, y: float) -> None:
            baseline = y - height + 5
            canvas.setFont(BOLD, HEADING_SIZE)
            for number, line in enumerate(lines):
                canvas.drawString(LEFT, baseline - number * LEADING, line)
            canvas.drawRightString(RIGHT, baseline, amount)

        return Block(height + below, draw, stays=True)

    # --- foot ---

    def _ending(self) -> Iterator[Block]:
        """Return the total, the signatures and the proof, together on one page."""
        lines = self._word("lines", number=formats.whole(self.language, self.view["lines"]))
        total = self.view.get("total")
        notes = [self._word(part, number=formats.whole(self.language, number)) for part, number in self._uncounted()]

        def draw_total(canvas: Canvas, y: float) -> None:
            write(canvas, y - 22, lines)
            for place, note in enumerate(notes, start=1):
                write(canvas, y - 22 - place * LEADING, note)
            if total is not None:
                canvas.setFont(BOLD, 12)
                canvas.drawRightString(RIGHT, y - 22, f"{self._word('total')}  {self._money(total)}")

        def draw_signatures(canvas: Canvas, y: float) -> None:
            width = (RIGHT - LEFT - 40) / 2
            canvas.setStrokeGray(0)
            for number, who in enumerate(("responsible", "recipient")):
                left = LEFT + number * (width + 40)
                canvas.line(left, y - 54, left + width, y - 54)
                canvas.setFont(PLAIN, SIZE)
                canvas.drawString(left, y - 66, self._word(who))
                canvas.setFont(PLAIN, SMALL)
                canvas.setFillGray(GREY)
                canvas.drawString(left, y - 77, self._word("signature"))
                canvas.setFillGray(0)

        yield Block(30 + len(notes) * LEADING, draw_total, stays=True)
        proof = self.view["proof"]
        yield Block(82, draw_signatures, stays=bool(proof))
        if proof:
            yield proof_block(proof, self._word("proof", turn=self.view["turn"]))

    def _uncounted(self) -> Iterator[tuple[str, int]]:
        """Return the words and counts of lines that are not in the total."""
        counts = [("voided", self.view["voided"]), ("late", self.view["late_entries"])]
        return ((f"{part}.one" if number == 1 else f"{part}.other", number) for part, number in counts if number)

    def _word(self, part: str, /, **values: object) -> str:
        return messages.pdf(self.language, part).format(**values)

    def _money(self, amount: Decimal) -> str:
        return formats.money(self.language, amount, self.hospital.currency)


def _used_at(detail: DetailView) -> datetime:
    return detail.get("occurred_at") or detail["created_at"]


def _product(detail: DetailView) -> str:
    """Return the product's name and unit."""
    product = detail["product"]
    return " · ".join(part for part in (product["name"], product.get("unit")) if part)


def _name(person: PersonView) -> str:
    return full_name(person["name"], person["first_surname"], person["second_surname"])
