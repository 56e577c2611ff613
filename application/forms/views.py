"""Views of contingency forms. They contain no price."""

from datetime import datetime
from typing import NotRequired, TypedDict

from application.sheets.detail_views import DetailView, WarningView
from application.sheets.views import SheetPatientView
from domain.forms.contingency_form import FormState


class FormSheetView(TypedDict):
    """The sheet for whose patient a form was printed."""

    id: int
    closed: bool
    patient: SheetPatientView
    room: str


class FormProductView(TypedDict):
    """A product that is printed on a form."""

    id: int
    name: str
    code: str | None
    unit: str | None
    active: bool


class FormView(TypedDict):
    """A contingency form.

    * ``sheet`` is null on a blank form, and if the sheet was deleted.
    * ``area`` is the name of the area, null if it was deleted.
    * ``decided_at`` and ``decided_by`` tell when and by whom it was recorded or discarded, ``reason`` why it was
      discarded.
    * ``recorded_sheet_id`` is the sheet on which it was recorded. ``late_entry_id`` is the late entry that waits for a
      supervisor, if that sheet was closed.
    """

    number: int
    state: FormState
    blank: bool
    sheet: FormSheetView | None
    area_id: int | None
    area: str | None
    printed_at: datetime
    printed_by: str | None
    decided_at: datetime | None
    decided_by: str | None
    recorded_sheet_id: int | None
    late_entry_id: int | None
    reason: str | None


class FormWithProductsView(FormView):
    """A contingency form with the products in printed order."""

    products: list[FormProductView]


class FormsView(TypedDict):
    """Contingency forms in one state, the oldest first.

    ``count`` is their number, also of those that are not listed.
    """

    count: int
    items: list[FormView]


class RecordedFormView(TypedDict):
    """The details of a recorded form, in the order of the request.

    If the sheet is closed, there are none, but the late entry ``late_entry_id``.
    """

    number: int
    consumption_sheet_id: int
    late_entry_id: int | None
    items: list[DetailView]
    warnings: NotRequired[list[WarningView]]
