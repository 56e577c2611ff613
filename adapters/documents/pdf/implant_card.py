"""The patient's card of implants as PDF, A4."""

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from adapters.documents.pdf.gs1_data_matrix import gs1_data_matrix
from adapters.documents.pdf.page import LEADING, LEFT, RIGHT, SIZE, SMALL, Block, head, pages_of, pdf_of, repeat_head
from adapters.documents.pdf.symbols import DOT, DataMatrix, data_matrix_dots, draw_data_matrix
from adapters.documents.pdf.text import BOLD, PLAIN, wrapped
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats, messages
from application.sheets.implant_views import CardImplantView, ImplantCardView
from domain.common.text import full_name

# The side of a module, in dots: 0.5 mm, which office printers print and phones read.
MODULE_DOTS = 4
_MAX_SYMBOL = (26 + 4) * MODULE_DOTS * DOT
_NAME, _NAME_LEADING, _PADDING = 11.0, 14.0, 10.0
_SYMBOL_LEFT = RIGHT - _MAX_SYMBOL
_TEXT_WIDTH = _SYMBOL_LEFT - LEFT - 12


def implant_card_pdf(hospital: HospitalProfile, card: ImplantCardView, language: str) -> bytes:
    """Return the card as PDF. Its metadata do not name the patient."""
    with formats.numbers_as(hospital.number_format):
        return _ImplantCard(hospital, card, language).pdf()


@dataclass(frozen=True, slots=True)
class _ImplantCard:
    """Layout of one card."""

    hospital: HospitalProfile
    card: ImplantCardView
    language: str

    def pdf(self) -> bytes:
        title = self._word("implant.title")
        first = head(self.hospital, title, [], self._facts(), 0, lambda _canvas, _y: None)
        again = repeat_head(title, [], [self._name(), self.card["record_number"] or ""], [])
        keep = wrapped(self._word("implant.keep"), PLAIN, SIZE, RIGHT - LEFT)
        blocks = [*map(self._block, self.card["implants"]), _text_block(keep)]
        printed = formats.moment(self.language, self.card["printed_at"], self.hospital.zone)
        foot = self._word("implant.printed", moment=printed)
        pages = list(pages_of(blocks, first, again))
        return pdf_of(pages, hospital=self.hospital, language=self.language, title=title, foot=foot)

    def _facts(self) -> list[list[tuple[str, str]]]:
        born = self.card["date_of_birth"]
        pairs = [
            ("patient", self._name()),
            ("record_number", self.card["record_number"] or ""),
            ("born", formats.day(self.language, born) if born else ""),
            ("doctor", self.card["doctor"]),
            ("implant.sheet", str(self.card["sheet_id"])),
            ("closed_at", formats.moment(self.language, self.card["closed_at"], self.hospital.zone)),
        ]
        facts = [(self._word(label), value) for label, value in pairs if value]
        return [[*facts[at : at + 2], ("", "")][:2] for at in range(0, len(facts), 2)]

    def _name(self) -> str:
        patient = self.card["patient"]
        return full_name(patient["name"], patient["first_surname"], patient["second_surname"])

    def _block(self, implant: CardImplantView) -> Block:
        """Return an implant: its data at the left, its symbol at the right."""
        symbol = gs1_data_matrix(implant["symbol"]) if implant["symbol"] else None
        names = wrapped(implant["product"], BOLD, _NAME, _TEXT_WIDTH)
        lines = [part for line in self._lines(implant) for part in wrapped(line, PLAIN, SIZE, _TEXT_WIDTH)]
        notes = [part for note in self._notes(implant, symbol) for part in wrapped(note, PLAIN, SMALL, _TEXT_WIDTH)]
        written = len(names) * _NAME_LEADING + (len(lines) + len(notes)) * LEADING
        height = max(written, _MAX_SYMBOL if symbol else 0) + 2 * _PADDING

        def draw(canvas: Canvas, y: float) -> None:
            baseline = y - _PADDING - _NAME + 2
            for font, size, leading, texts in (
                (BOLD, _NAME, _NAME_LEADING, names),
                (PLAIN, SIZE, LEADING, lines),
                (PLAIN, SMALL, LEADING, notes),
            ):
                canvas.setFont(font, size)
                for text in texts:
                    canvas.drawString(LEFT, baseline, text)
                    baseline -= leading
            if symbol:
                # On the dot grid of the page, so that a printer rounds no module.
                side = data_matrix_dots(symbol, MODULE_DOTS)
                left, bottom = int(RIGHT / DOT) - side, int((y - _PADDING) / DOT) - side
                draw_data_matrix(canvas, symbol, left, bottom, module_dots=MODULE_DOTS)
            canvas.line(LEFT, y - height + 0.5, RIGHT, y - height + 0.5)

        return Block(height, draw)

    def _lines(self, implant: CardImplantView) -> Iterator[str]:
        unknown, expiry = self._word("implant.unknown"), implant["expiry"]
        quantity = " ".join(filter(None, (formats.quantity(self.language, implant["quantity"]), implant["unit"])))
        values = [
            ("code", implant["code"] or ""),
            ("implant.quantity", quantity),
            ("implant.day", formats.day(self.language, implant["day"])),
            ("lot", implant["lot"] or unknown),
            ("serial", implant["serial"] or unknown),
            ("expiry", formats.day(self.language, expiry) if expiry else unknown),
        ]
        yield from (f"{self._word(label)}: {value}" for label, value in values if value)
        if implant["implant_reason"]:
            yield self._word("implant.missing", reason=implant["implant_reason"])

    def _notes(self, implant: CardImplantView, symbol: DataMatrix | None) -> Iterator[str]:
        """Yield the UDI as people read it, and why it has no symbol."""
        if implant["udi"]:
            yield f"{self._word('implant.udi')}:"
            yield implant["udi"]
        if symbol is None:
            yield self._word("implant.unfit" if implant["has_gtin"] else "implant.without_gtin")

    def _word(self, label: str, **values: str) -> str:
        return messages.pdf(self.language, label).format(**values)


def _text_block(lines: list[str]) -> Block:
    def draw(canvas: Canvas, y: float) -> None:
        canvas.setFont(PLAIN, SIZE)
        for number, line in enumerate(lines):
            canvas.drawString(LEFT, y - 18 - number * LEADING, line)

    return Block(18 + len(lines) * LEADING, draw)
