"""A sheet with invented data, to show the letterhead."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from adapters.i18n import messages
from application.catalogue.views import CategoryView
from application.sheets.detail_views import DetailProductView, DetailView
from application.sheets.summary_views import PrintedCategoryView, PrintedDayView, PrintedSheetView
from application.sheets.views import SheetPatientView, SheetRoomView, SheetView

_LINES = (("gauze", Decimal(4), Decimal("0.25")), ("syringe", Decimal(2), Decimal("1250.00")))


def sample_sheet(language: str, now: datetime | None = None) -> PrintedSheetView:
    """Return the sample; it is of no patient."""

    def word(part: str) -> str:
        return messages.pdf(language, f"sample.{part}")

    at = now or datetime.now(UTC)
    today = at.date()
    category = CategoryView(id=1, name=word("category"))
    details = [
        DetailView(
            id=number,
            consumption_sheet_id=1,
            product_id=number,
            product=DetailProductView(id=number, name=word(name), unit=word("unit"), category=category),
            staff_id=None,
            staff=None,
            user_id=1,
            area_id=None,
            area=None,
            quantity=quantity,
            unit_price=price,
            total=price * quantity,
            created_at=at - timedelta(minutes=10 * number),
            version=1,
        )
        for number, (name, quantity, price) in enumerate(_LINES, start=1)
    ]
    total = sum((price * quantity for _, quantity, price in _LINES), Decimal(0))
    patient = SheetPatientView(
        id=1,
        name=word("patient"),
        first_surname=word("surname"),
        second_surname=None,
        record_number="0001",
        date_of_birth=None,
    )
    sheet = SheetView(
        id=1,
        diagnosis=word("diagnosis"),
        doctor=word("doctor"),
        patient_id=1,
        patient=patient,
        room_id=1,
        room=SheetRoomView(id=1, name=word("room"), area_id=1),
        admission_date=today,
        closed=False,
        deleted_at=None,
        consumptions=[],
        version=1,
    )
    tally = PrintedCategoryView(category=category, lines=len(details), total=total, details=details)
    return PrintedSheetView(
        sheet=sheet,
        record_number="0001",
        date_of_birth=None,
        area=word("area"),
        lines=len(details),
        voided=0,
        total=total,
        days=[PrintedDayView(day=today, lines=len(details), total=total, categories=[tally])],
        unlisted_items=[],
        late_entries=0,
        reopened=False,
        printed_by=word("user"),
        printed_at=at,
        turn=None,
        proof=None,
    )
