"""A patient's account for the family as PDF, A4, in large print."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from adapters.documents.pdf.page import LEFT, RIGHT, Block, head, kept_together, pages_of, pdf_of, repeat_head
from adapters.documents.pdf.proof import proof_block
from adapters.documents.pdf.text import BOLD, PLAIN, wrapped
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats, messages
from application.sheets.account_views import (
    AccountDayView,
    AccountDifferenceView,
    AccountItemView,
    AccountKindView,
    PrintedAccountView,
)

# The usual font size, and the one that is used if it saves the second page.
SIZES = (13.0, 11.0)
# Longer days are printed by category.
MAX_DAY_ROWS = 40


def account_pdf(hospital: HospitalProfile, view: PrintedAccountView, language: str) -> bytes:
    """Return the account as PDF. Its metadata do not name the patient."""
    with formats.numbers_as(hospital.number_format):
        large, small = (_AccountOnPaper(hospital, view, language, size) for size in SIZES)
        pages = large.pages()
        if len(pages) > 1 and len(closer := small.pages()) == 1:
            pages = closer
        return large.pdf(pages)


@dataclass(frozen=True, slots=True)
class _AccountOnPaper:
    """Layout of one account at a font size."""

    hospital: HospitalProfile
    view: PrintedAccountView
    language: str
    size: float

    def pdf(self, pages: list[list[tuple[float, Block]]]) -> bytes:
        return pdf_of(
            pages,
            hospital=self.hospital,
            language=self.language,
            title=self._title(),
            foot=self._number(),
            keywords=self.view["proof"] or "",
            created_at=self.view["printed_at"],
        )

    def pages(self) -> list[list[tuple[float, Block]]]:
        view = self.view
        place = self._word("place", room=view["room"], day=formats.day(self.language, view["admission_date"]))
        subject = [
            *((BOLD, line) for line in self._lines(self._word("used_for", patient=view["patient"]), font=BOLD)),
            *((PLAIN, line) for line in self._lines(place)),
        ]

        def draw(canvas: Canvas, y: float) -> None:
            for number, (font, line) in enumerate(subject, 1):
                canvas.setFont(font, self.size)
                canvas.drawString(LEFT, y - number * self._leading, line)

        first = head(self.hospital, self._title(), [], [], (len(subject) + 0.5) * self._leading, draw)
        again = repeat_head(self._title(), [], [view["patient"]], [])
        return list(pages_of(kept_together([*self._blocks()], [*self._ending()]), first, again))

    @property
    def _leading(self) -> float:
        return self.size * 1.25

    def _number(self) -> str:
        return self._word("number", number=self.view["number"], turn=self.view["turn"])

    def _title(self) -> str:
        at = formats.moment(self.language, self.view["account"]["at"], self.hospital.zone)
        return self._word("title", moment=at)

    def _blocks(self) -> Iterator[Block]:
        account = self.view["account"]
        if "total" in account:
            label = messages.pdf(self.language, "total") if account["closed"] else self._word("so_far")
            yield self._row(label, self._money(account["total"]), BOLD)
        if not account["closed"]:
            yield from self._sentence("open")
        for day in account["days"]:
            yield from self._day(day)
        if not account["days"]:
            yield from self._sentence("nothing")
        if account["returned"]:
            items = ", ".join(
                self._named(one["name"], one["quantity"], articles=one["articles"], counted=True)
                for one in account["returned"]
            )
            yield from self._sentence("returned", items=items)
        for part in ("without_price", "unlisted_items", "late_entries"):
            number = int(account.get(part, 0))  # type: ignore[call-overload]
            if number:
                yield from self._sentence(f"{part}.{'one' if number == 1 else 'other'}", number=number)
        yield from self._changes()

    def _day(self, day: AccountDayView) -> Iterator[Block]:
        weekday = formats.weekday(self.language, day["day"])
        date = weekday[0].upper() + weekday[1:]
        total = day.get("total")
        yield self._row(date, "" if total is None else self._money(total), BOLD, stays=True)
        rows: list[AccountItemView] | list[AccountKindView] = day["items"]
        if len(rows) > MAX_DAY_ROWS:
            for kind in day["kinds"]:
                named = self._named(kind["name"], Decimal(kind["articles"]), articles=True)
                amount = kind.get("total")
                yield self._row(named, "" if amount is None else self._money(amount), continues=date)
            return
        widest = max((stringWidth(self._quantity(item), PLAIN, self.size) for item in day["items"]), default=0)
        for item in day["items"]:
            named = self._named(item["name"], item["quantity"], articles=item["articles"])
            yield self._row(named, self._amount(item), continues=date, before=self._quantity(item), room=widest)

    def _quantity(self, item: AccountItemView) -> str:
        return "" if item["articles"] else formats.quantity(self.language, item["quantity"])

    def _amount(self, item: AccountItemView) -> str:
        """Return the amount of a row, or why there is none."""
        total = item.get("total")
        if item.get("included"):
            return self._word("included")
        if not item["wasted"]:
            return "" if total is None else self._money(total)
        if total is None:
            return self._word("wasted")
        return f"{self._word('wasted')}  {self._money(total)}" if total else self._word("not_charged")

    def _changes(self) -> Iterator[Block]:
        changes = self.view["changes"]
        if changes is None or not changes["items"]:
            return
        at = formats.moment(self.language, changes["since"], self.hospital.zone)
        difference = changes.get("difference")
        if difference is None:
            yield from self._sentence("changed", stays=True, moment=at)
        else:
            word = "more" if difference > 0 else "less" if difference else "same"
            yield from self._sentence(word, stays=True, moment=at, amount=self._money(abs(difference)))
        for one in changes["items"]:
            yield self._row(self._difference(one), self._signed(one.get("amount")))

    def _difference(self, one: AccountDifferenceView) -> str:
        named = self._named(one["name"], abs(one["quantity"]), articles=one["articles"], counted=True)
        return f"{named} · {self._word('kind.' + one['kind'])}"

    def _signed(self, amount: Decimal | None) -> str:
        if not amount:
            return ""
        return f"{'−' if amount < 0 else '+'} {self._money(abs(amount))}"

    def _named(self, name: str, quantity: Decimal, *, articles: bool, counted: bool = False) -> str:
        if articles:
            return self._word(
                f"articles.{'one' if quantity == 1 else 'other'}",
                name=name,
                number=formats.quantity(self.language, quantity),
            )
        return f"{formats.quantity(self.language, quantity)} {name}" if counted and quantity else name

    def _ending(self) -> Iterator[Block]:
        """Yield the proof and what to do with questions."""
        proof = self.view["proof"]
        yield from self._sentence("ask", stays=bool(proof))
        if proof:
            yield Block(self._leading / 2, lambda _canvas, _y: None, stays=True)
            yield proof_block(proof, self._number())

    def _sentence(self, word: str, /, *, stays: bool = False, **values: object) -> Iterator[Block]:
        yield from self._text(self._word(word, **values), stays=stays)

    def _text(self, text: str, *, stays: bool = False) -> Iterator[Block]:
        lines = self._lines(text)

        def draw(canvas: Canvas, y: float) -> None:
            canvas.setFont(PLAIN, self.size)
            for number, line in enumerate(lines):
                canvas.drawString(LEFT, y - (number + 1.2) * self._leading, line)

        yield Block((len(lines) + 0.5) * self._leading, draw, stays=stays)

    def _row(
        self,
        text: str,
        amount: str,
        font: str = PLAIN,
        *,
        stays: bool = False,
        continues: str = "",
        before: str = "",
        room: float = 0,
    ) -> Block:
        """Return a text between a quantity and an amount.

        ``room`` is the width of the quantities. A heading has space above it.
        """
        left = LEFT + (room + 8 if room else 0)
        beside = stringWidth(amount, font, self.size) + 12 if amount else 0
        lines = wrapped(text, font, self.size, RIGHT - left - beside)
        above = self._leading * 0.5 if font == BOLD else 0.0
        height = len(lines) * self._leading + above

        def draw(canvas: Canvas, y: float) -> None:
            canvas.setFont(font, self.size)
            baseline = y - above - self.size
            canvas.drawRightString(LEFT + room, baseline, before)
            canvas.drawRightString(RIGHT, baseline, amount)
            for number, line in enumerate(lines):
                canvas.drawString(left, baseline - number * self._leading, line)

        return Block(height, draw, stays=stays, continues=continues)

    def _lines(self, text: str, font: str = PLAIN) -> list[str]:
        return wrapped(text, font, self.size, RIGHT - LEFT)

    def _word(self, part: str, /, **values: object) -> str:
        return messages.pdf(self.language, f"account.{part}").format(**values)

    def _money(self, amount: Decimal) -> str:
        return formats.money(self.language, amount, self.hospital.currency)
