"""Contract of every store: contingency forms are recorded once for all users."""

from functools import partial

import pytest

from domain.common.errors import Code, Refused
from domain.forms.contingency_form import FormState
from domain.scanning.label import Label, LabelKind, read_label
from tests.assertions import refused
from tests.builders import NOON, Ward
from tests.contracts.common.concurrently import at_once
from tests.use_cases.forms.test_contingency_forms import actions_about, lines_of, numbers_in, print_forms, record


def test_each_sheet_gets_a_form_with_the_usual_products(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    [form, blank] = print_forms(ward, sheet_ids=(sheet_id,), area_id=ward.area_id, blank=1)
    assert form.patient is not None
    assert (form.patient.name, form.patient.room, form.area, blank.patient) == ("Ana Ríos", "101", "Urgencias", None)
    assert [product.name for product in form.products] == ["Gasa estéril"]
    with ward.store.read() as views:
        installation = views.installation_number()
    read = [read_label(text, installation) for text in (form.text, form.patient.text, form.products[0].text)]
    assert read == [
        Label(LabelKind.FORM, form.number),
        Label(LabelKind.PATIENT, ward.patient_id),
        Label(LabelKind.PRODUCT, ward.product_id),
    ]
    assert blank.products == form.products
    view = ward.use_cases.contingency_forms.read(ward.nurse, form.number)
    assert view["sheet"] is not None
    assert (view["sheet"]["id"], view["state"], view["printed_by"], view["printed_at"]) == (
        sheet_id,
        FormState.OPEN,
        "Nuria Paz",
        NOON,
    )
    assert [product["id"] for product in view["products"]] == [ward.product_id]
    assert numbers_in(ward, FormState.OPEN) == [form.number, blank.number]
    assert actions_about(ward, form.number) == ["form.printed"]


def test_what_cannot_be_printed_is_refused(ward: Ward) -> None:
    closed = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, closed)
    with refused((Code.SHEET_CLOSED, "sheet_ids.0"), (Code.REFERENCE_UNKNOWN, "sheet_ids.1")):
        print_forms(ward, sheet_ids=(closed, 999))
    with refused(Code.FORMS_NONE):
        print_forms(ward, area_id=ward.area_id)
    with refused((Code.REFERENCE_UNKNOWN, "area_id")):
        print_forms(ward, area_id=999)
    with refused((Code.NUMBER_OUT_OF_RANGE, "blank"), (Code.FORMS_TOO_MANY, "sheet_ids")):
        print_forms(ward, blank=51, sheet_ids=tuple(range(1, 62)))
    assert numbers_in(ward, FormState.OPEN) == []


def test_two_nurses_at_once_record_a_form_once(ward: Ward) -> None:
    first, second = ward.sheet()["id"], ward.sheet()["id"]
    [form] = print_forms(ward, sheet_ids=(), blank=1, area_id=ward.area_id)
    calls = [
        partial(record, ward, form.number, sheet_id, by=by, key=f"{by.user_id}-{sheet_id}")
        for sheet_id in (first, second)
        for by in (ward.nurse, ward.supervisor)
    ]
    outcomes = at_once(calls)
    refusals = [one for one in outcomes if isinstance(one, Refused)]
    assert (len(refusals), {reason.code for one in refusals for reason in one.reasons}) == (3, {Code.FORM_RECORDED})
    assert len(lines_of(ward, form.number)) == 1


def test_another_patient_is_an_error_or_a_question_by_role(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    other = ward.sheet(patient_id=ward.patient("Luis", "Soto").id)["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))
    with pytest.raises(Refused) as caught:
        record(ward, form.number, other, acknowledged=(Code.FORM_OF_ANOTHER,), by=ward.nurse)
    [reason] = caught.value.reasons
    assert (reason.code, reason.field, reason.acknowledgeable) == (Code.FORM_OF_ANOTHER, "sheet_id", False)
    with refused((Code.FORM_OF_ANOTHER, "sheet_id")):
        record(ward, form.number, other, by=ward.supervisor)
    record(ward, form.number, other, by=ward.supervisor, acknowledged=(Code.FORM_OF_ANOTHER,))
    assert [line["consumption_sheet_id"] for line in lines_of(ward, form.number)] == [other]
