"""Audit entries of changes: user, time, old and new values, keys of programs."""

from collections.abc import Callable

import pytest

from application.scanning.look_up_product import Lookup
from application.sheets.detail_views import DetailQuery
from application.sheets.views import SheetQuery
from domain.common.policy import GRANTS, Actor, Role
from tests.builders import Ward
from tests.hl7.messages import a_post, adt
from tests.use_cases.stored import audit_log


def test_an_entry_has_user_and_time(ward: Ward) -> None:
    ward.clock.advance(hours=5)
    sheet = ward.use_cases.sheets.open(ward.nurse, ward.sheet_draft()).answer
    entry = audit_log(ward)[-1]
    assert (entry.user_id, entry.at, entry.entity_id) == (ward.nurse.user_id, ward.clock.now, sheet["id"])


def test_the_entry_of_an_addition_has_all_values(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2.5", by=ward.nurse)
    assert audit_log(ward)[-1].changes == {
        "sheet_id": (None, sheet_id),
        "product_id": (None, ward.product_id),
        "staff_id": (None, ward.nurse.staff_id),
        "user_id": (None, ward.nurse.user_id),
        "quantity": (None, "2.500"),
        "unit_price": (None, "12.50"),
        "total": (None, "31.25"),
        "created_at": (None, "2091-05-03T12:00:00+00:00"),
        "day": (None, "2091-05-03"),
        "room_id": (None, ward.room_id),
    }


def test_the_entry_of_a_change_has_only_old_and_new_values(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    detail = ward.detail(sheet_id, "2")
    ward.use_cases.details.edit(ward.admin, detail["id"], ward.detail_draft("3"))
    assert audit_log(ward)[-1].changes == {"quantity": ("2.000", "3.000"), "total": ("25.00", "37.50")}
    ward.use_cases.sheets.update(ward.admin, sheet_id, ward.sheet_draft(doctor="Dr. Sol"))
    assert audit_log(ward)[-1].changes == {"doctor": ("Dra. Vega", "Dr. Sol")}


def test_the_entry_of_a_deletion_has_all_values(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"], "2.5", by=ward.nurse)
    added = audit_log(ward)[-1]
    ward.use_cases.details.delete(ward.admin, detail["id"])
    deleted = audit_log(ward)[-1]
    assert deleted.changes == {field: (after, before) for field, (before, after) in added.changes.items()}
    assert deleted.user_id == ward.admin.user_id


def test_the_first_registration_has_no_user(ward: Ward) -> None:
    first = audit_log(ward)[0]
    assert (first.action, first.user_id) == ("user.registered", None)


def with_implant(ward: Ward, sheet_id: int) -> int:
    product_id = ward.product("Marcapasos", implant=True).id
    ward.detail(sheet_id, product_id=product_id, lot="L1", serial="S1")
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    return sheet_id


READS_AS_A_PROGRAM: dict[str, Callable[[Ward, Actor, int], object]] = {
    "consumption_sheet.read": lambda ward, program, sheet_id: ward.use_cases.sheets.reader.one(program, sheet_id),
    "consumption_sheet.listed": lambda ward, program, _: ward.use_cases.sheets.reader.page(program, SheetQuery()),
    "consumption_sheet.exported": lambda ward, program, sheet_id: list(
        ward.use_cases.details.reader.iterate(program, DetailQuery(consumption_sheet_id=sheet_id))
    ),
    "patient.read": lambda ward, program, _: ward.use_cases.patients.reader.one(program, ward.patient_id),
    "sheet.printed": lambda ward, program, sheet_id: ward.use_cases.sheets.print(program, sheet_id),
    "sheet.account_printed": lambda ward, program, sheet_id: ward.use_cases.accounts.print(
        program, with_implant(ward, sheet_id), "closing-1", with_prices=True
    ),
    "sheet.implants_printed": lambda ward, program, sheet_id: ward.use_cases.implants.print_card(
        program, with_implant(ward, sheet_id)
    ),
    "implant.listed": lambda ward, program, _: ward.use_cases.implants.list.page(program, DetailQuery()),
    "sheet.copied_from": lambda ward, program, sheet_id: ward.use_cases.sheets.list_repeatable(
        program, sheet_id, from_sheet=ward.sheet()["id"]
    ),
    "unknown_code.ignored": lambda ward, program, _: ward.use_cases.products.ignore_unknown_code(
        program, "code", "ZZ-1"
    ),
}


@pytest.mark.parametrize("action", READS_AS_A_PROGRAM)
def test_reads_prints_and_decisions_of_a_program_name_its_key(ward: Ward, action: str) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.products.look_up(ward.nurse, Lookup(scan="ZZ-1"))
    program = Actor(
        user_id=9, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=GRANTS[Role.SERVICE_ACCOUNT], api_key_id=4
    )
    READS_AS_A_PROGRAM[action](ward, program, sheet_id)
    entries = [entry for entry in audit_log(ward) if entry.action == action]
    assert entries
    assert {(entry.user_id, entry.api_key_id) for entry in entries} == {(9, 4)}


def test_a_transfer_message_to_the_same_room_is_an_update(ward: Ward) -> None:
    post = a_post(ward)
    post.send(adt("A04", patient_class="E"))
    post.send(adt("A02", at=post.after(hours=1)))
    assert audit_log(ward)[-1].action == "sheet.updated"
