"""What areas use changes no answer about patients."""

import io
import re
from collections.abc import Iterator

from httpx import Response
from pypdf import PdfReader

from domain.common.policy import Role
from tests.http.files.workbooks import XLSX, text_of_workbook
from tests.http.hospital import ON_ANY_DATABASE, SHEETS, Caller, Hospital
from tests.http.routes import EVERY_CALL, area_with_page, page_of_area

# What shows pages of areas, on purpose, and what tells the time or who read.
OTHERS = (
    *("/api/areas/{area_id}/sheets", "/api/area-sheets/{sheet_id}", "/api/recalls/{recall_id}/consumption-details"),
    *("/api/areas/{area_id}/restock", "/api/areas/{area_id}/restock/pdf", "/api/areas/{area_id}/restock/xlsx"),
    *("/api/shift", "/api/notices", "/api/worklist", "/api/worklist/count", "/api/patients/{patient_id}/readers"),
    *(
        "/api/reconciliations",
        "/api/audit",
        "/api/status",
        "/api/metrics",
        "/api/hospital/now",
        "/api/session",
        "/health",
    ),
)
MORE = (
    *(f"{SHEETS}?closed=true", f"{SHEETS}?sort=-total", f"{SHEETS}?q=cama", f"{SHEETS}?q=urgencias"),
    *("/api/rooms?limit=100", "/api/ward", "/api/overview", "/api/patients?sort=name", "/api/products?limit=100"),
    *(f"/fhir/R4/{kind}?_lastUpdated=ge2000" for kind in ("ChargeItem", "Encounter", "Device", "DeviceUseStatement")),
)


def paths_of(hospital: Hospital) -> Iterator[str]:
    """The address of every GET route about something that exists."""
    for call in EVERY_CALL:
        is_left_out = call.route.startswith(OTHERS) or call.things in (page_of_area, area_with_page)
        if call.method == "GET" and not is_left_out:
            yield call.prepare(hospital, hospital.admin)[0]
    yield from MORE


def content_of(answer: Response) -> object:
    """The bytes, without what only tells the time."""
    kind = answer.headers.get("content-type")
    if kind == "application/pdf":
        return [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]
    if kind == XLSX:
        return text_of_workbook(answer)
    return re.sub(rb'"(recordable_from|at)":"[^"]*"', b"", answer.content)


def answers(callers: dict[str, Caller], paths: list[str]) -> dict[tuple[str, str], tuple[int, object]]:
    found = {}
    for name, caller in callers.items():
        for path in paths:
            answer = caller.get(path)
            found[name, path] = answer.status_code, content_of(answer)
    return found


def use_in_areas(hospital: Hospital, *authors: Caller) -> None:
    """Record on pages of two areas; void, correct, return and move a line."""
    for area in (hospital.emergency, hospital.theatre):
        page = hospital.admin.post(f"/api/areas/{area}/sheet").json()["id"]
        for by in authors:
            for reason in ("crash_cart", "expired"):
                hospital.add_detail(page, by=by, use_reason=reason, quantity=30)
            pack = {"lot": "L-9", "serial": f"S-{area}-{by.user_id}"}
            hospital.add_detail(page, by=by, use_reason="defective", quantity=1, **pack)
            line = hospital.add_detail(page, by=by, use_reason="other", product_id=hospital.cannula, quantity=3)
            returned = {"quantity": 1, "reason": "unused"}
            assert by.post(f"/api/consumption-details/{line['id']}/return", returned).status_code == 200
            voided = hospital.add_detail(page, by=by, use_reason="training")
            assert by.delete(f"/api/consumption-details/{voided['id']}").status_code == 204


@ON_ANY_DATABASE
def test_lines_of_areas_change_no_answer_about_patients(hospital: Hospital) -> None:
    nurse = hospital.someone(Role.USER)
    callers = {
        "nurse": nurse,
        "other nurse": hospital.someone(Role.USER),
        "supervisor": hospital.someone(Role.SUPERVISOR),
        "admin": hospital.someone(Role.ADMIN),
    }
    for by in (nurse, hospital.admin):
        hospital.add_detail(hospital.open_sheet(), by=by, quantity=3, area_id=hospital.emergency)
    paths = list(paths_of(hospital))
    assert len(paths) > 70
    answers(callers, paths)
    # The second time, what notes the first look is there.
    before = answers(callers, paths)
    use_in_areas(hospital, nurse, hospital.admin)
    after = answers(callers, paths)
    assert [key for key in before if before[key] != after[key]] == []


@ON_ANY_DATABASE
def test_calls_about_a_stay_know_no_page(hospital: Hospital) -> None:
    page, path = page_of_area(hospital, hospital.admin), ""
    for ending in ("", "/summary", "/pdf", "/closings", "/closings/1", "/closings/1/pdf", "/implant-card"):
        path = f"{SHEETS}/{page}{ending}"
        assert hospital.admin.get(path).status_code == 404, path
        assert hospital.admin.get(path, **{"If-None-Match": '"2"'}).status_code == 404, path
    for method, ending, body in (
        ("DELETE", "/close", None),
        ("POST", "/close/undo", None),
        ("POST", "/reopen", {"reason": "Por error"}),
        ("POST", "/transfer", {"room_id": hospital.room}),
        ("PUT", "", hospital.admission()),
        ("DELETE", "", None),
    ):
        answer = hospital.admin.call(method, f"{SHEETS}/{page}{ending}", body)
        assert answer.status_code == 422, (ending, answer.text)
        [error] = answer.json()["errors"]
        assert error["code"] == "sheet.of_area"
        assert error["message"] == "Esta hoja es del área Urgencias, no de un paciente."
