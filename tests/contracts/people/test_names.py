"""Contract of every store: names of things by their ids, in bulk."""

from application.catalogue.areas import AreaDraft
from tests.builders import Ward


def called(ward: Ward, field: str, *ids: int) -> dict[int, str]:
    with ward.store.read() as views:
        return views.names(field, ids)


def test_things_have_their_name_and_people_their_full_name(ward: Ward) -> None:
    patient = ward.patient("José", "Ibáñez", second_surname="Soto")
    staff = ward.staff("Inés", "Núñez")
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Cirugía"))
    product = ward.product("Sonda")
    assert called(ward, "patient_id", patient.id) == {patient.id: "José Ibáñez Soto"}
    assert called(ward, "staff_id", staff.id) == {staff.id: "Inés Núñez"}
    assert called(ward, "area_id", area.id) == {area.id: "Cirugía"}
    assert called(ward, "product_id", product.id) == {product.id: "Sonda"}
    assert set(called(ward, "category_id", product.category_id)) == {product.category_id}
    room_id = ward.sheet()["room_id"]
    assert called(ward, "room_id", room_id) == {room_id: "101"}


def test_sheets_have_the_patients_name_details_the_products(ward: Ward) -> None:
    patient = ward.patient("José", "Ibáñez")
    sheet_id = ward.sheet(patient_id=patient.id)["id"]
    tube = ward.product("Sonda").id
    kept, deleted = (ward.detail(sheet_id, product_id=tube)["id"] for _ in range(2))
    ward.use_cases.details.delete(ward.admin, deleted)
    assert called(ward, "sheet_id", sheet_id) == {sheet_id: "José Ibáñez"}
    assert called(ward, "detail_id", kept, deleted) == {kept: "Sonda", deleted: "Sonda"}
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    assert called(ward, "detail_id", kept) == {kept: "Sonda"}
    ward.use_cases.products.delete(ward.admin, tube)
    assert called(ward, "detail_id", kept) == {}


def test_users_have_the_profiles_name_and_accounts_the_email(ward: Ward) -> None:
    nurse, admin = ward.nurse.user_id, ward.admin.user_id
    assert called(ward, "user_id", nurse, admin) == {nurse: "Nuria Paz"}
    ward.use_cases.users.delete(ward.admin, nurse)
    assert called(ward, "user_id", nurse) == {}
    assert called(ward, "account_id", nurse, admin) == {nurse: "user@consumo.test", admin: "admin@consumo.test"}


def test_missing_things_have_no_name(ward: Ward) -> None:
    fields = ("product_id", "category_id", "area_id", "room_id", "staff_id", "patient_id")
    for field in (*fields, "user_id", "account_id", "sheet_id", "detail_id"):
        assert called(ward, field, 10**9) == called(ward, field) == {}
