"""Every call that the application answers, in order and with whom it lets in: the contract's table, section 3."""

from collections.abc import Callable
from dataclasses import dataclass

from domain.policy import Role
from tests.http.hospital import DETAILS, PASSWORD, SHEETS, Caller, Hospital

# A person in the situation of the column, signed in afresh: what one call does to a person, the next one does not see.
CALLERS: dict[str, Callable[[Hospital], Caller]] = {
    "nobody": lambda hospital: hospital.stranger,
    "bad token": lambda hospital: Caller(hospital.client, headers={"Authorization": "Bearer e30.e30.e30"}),
    "newcomer": lambda hospital: hospital.someone(Role.USER, profile=False),
    "nurse": lambda hospital: hospital.someone(Role.USER),
    "supervisor": lambda hospital: hospital.someone(Role.SUPERVISOR),
    "admin": lambda hospital: hospital.someone(Role.ADMIN, profile=False),
}

Prepare = Callable[[Hospital, Caller], tuple[str, object]]


@dataclass(frozen=True)
class Call:
    """A call to a route; ``prepare`` gives the path and the body of one that is in order."""

    method: str
    route: str
    prepare: Prepare
    answers: dict[str, int]
    about: str = ""

    def __str__(self) -> str:
        return f"{self.method} {self.route} {self.about}".strip()


def _answers(*statuses: int) -> dict[str, int]:
    return dict(zip(CALLERS, statuses, strict=True))


EVERYONE = _answers(200, 200, 200, 200, 200, 200)
SIGNED_IN = _answers(401, 401, 200, 200, 200, 200)
WARD = _answers(401, 401, 403, 200, 200, 200)
WARD_CREATES = _answers(401, 401, 403, 201, 201, 201)
SUPERVISION = _answers(401, 401, 403, 403, 200, 200)
ADMINISTRATION = _answers(401, 401, 403, 403, 403, 200)


def _at(path: str, body: object = None) -> Prepare:
    return lambda *_: (path, body)


def _of(path: str, thing: str) -> Prepare:
    return lambda hospital, _: (f"{path}/{getattr(hospital, thing)}", None)


def _used(hospital: Hospital) -> dict[str, object]:
    return {"product_id": hospital.gauze, "quantity": 3}


def _someones_detail(hospital: Hospital, _: Caller) -> tuple[str, object]:
    return f"{DETAILS}/{hospital.add_detail(hospital.open_sheet())['id']}", _used(hospital)


def _own_detail(hospital: Hospital, caller: Caller) -> tuple[str, object]:
    may_record = caller.staff_id is not None
    return f"{DETAILS}/{hospital.add_detail(hospital.open_sheet(), by=caller if may_record else None)['id']}", None


PROFILE = {"name": "Ana", "first_surname": "Ríos"}

EVERY_CALL = [
    # session, own account
    Call(
        "POST",
        "/api/auth/login",
        lambda hospital, _: ("/api/auth/login", {"email": hospital.email(hospital.colleague), "password": PASSWORD}),
        _answers(201, 201, 201, 201, 201, 201),
    ),
    Call("POST", "/api/auth/logout", _at("/api/auth/logout"), _answers(401, 401, 204, 204, 204, 204)),
    Call("GET", "/api/auth/profile", _at("/api/auth/profile"), SIGNED_IN),
    Call("GET", "/api/staff/profile", _at("/api/staff/profile"), SIGNED_IN),
    Call("PUT", "/api/staff/profile", _at("/api/staff/profile", PROFILE), SIGNED_IN),
    # sheets
    Call("GET", SHEETS, _at(SHEETS), WARD),
    Call("GET", SHEETS, _at(f"{SHEETS}?closed=true"), WARD, "closed"),
    Call("POST", SHEETS, lambda hospital, _: (SHEETS, hospital.admission()), WARD_CREATES),
    Call("GET", f"{SHEETS}/{{sheet_id}}", lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}", None), WARD),
    Call(
        "GET",
        f"{SHEETS}/{{sheet_id}}",
        lambda hospital, _: (f"{SHEETS}/{hospital.closed_sheet()}", None),
        WARD,
        "closed",
    ),
    Call(
        "PUT",
        f"{SHEETS}/{{sheet_id}}",
        lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}", hospital.admission()),
        WARD,
    ),
    Call(
        "DELETE",
        f"{SHEETS}/{{sheet_id}}",
        lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}", None),
        _answers(401, 401, 403, 403, 204, 204),
    ),
    Call(
        "DELETE",
        f"{SHEETS}/{{sheet_id}}",
        lambda hospital, _: (f"{SHEETS}/{hospital.closed_sheet()}", None),
        _answers(401, 401, 403, 403, 403, 204),
        "closed",
    ),
    Call(
        "DELETE",
        f"{SHEETS}/{{sheet_id}}/close",
        lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}/close", None),
        WARD,
    ),
    Call(
        "POST",
        f"{SHEETS}/{{sheet_id}}/reopen",
        lambda hospital, _: (f"{SHEETS}/{hospital.closed_sheet()}/reopen", {"reason": "Faltó una cánula"}),
        ADMINISTRATION,
    ),
    # details
    Call("GET", DETAILS, _at(DETAILS), WARD),
    Call(
        "GET",
        f"{SHEETS}/{{sheet_id}}/consumption-details",
        lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}/consumption-details", None),
        WARD,
    ),
    Call(
        "POST",
        DETAILS,
        lambda hospital, _: (DETAILS, {**_used(hospital), "consumption_sheet_id": hospital.open_sheet()}),
        WARD_CREATES,
    ),
    Call(
        "POST",
        f"{SHEETS}/{{sheet_id}}/consumption-details",
        lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}/consumption-details", _used(hospital)),
        WARD_CREATES,
    ),
    Call(
        "GET",
        f"{DETAILS}/{{detail_id}}",
        lambda hospital, caller: (_someones_detail(hospital, caller)[0], None),
        WARD,
    ),
    Call("PUT", f"{DETAILS}/{{detail_id}}", _someones_detail, SUPERVISION),
    Call("DELETE", f"{DETAILS}/{{detail_id}}", _own_detail, _answers(401, 401, 403, 204, 204, 204), "own"),
    Call(
        "DELETE",
        f"{DETAILS}/{{detail_id}}",
        lambda hospital, caller: (_someones_detail(hospital, caller)[0], None),
        _answers(401, 401, 403, 403, 204, 204),
        "of someone else",
    ),
    # what the forms choose from
    Call("GET", "/api/products", _at("/api/products?q=gasa"), WARD),
    Call("GET", "/api/products/{product_id}", _of("/api/products", "gauze"), WARD),
    Call("GET", "/api/categories", _at("/api/categories"), WARD),
    Call("GET", "/api/categories/{category_id}", _of("/api/categories", "tubes"), WARD),
    Call("GET", "/api/areas", _at("/api/areas"), WARD),
    Call("GET", "/api/areas/{area_id}", _of("/api/areas", "theatre"), WARD),
    Call("GET", "/api/rooms", _at("/api/rooms"), WARD),
    Call("GET", "/api/rooms/{room_id}", _of("/api/rooms", "room"), WARD),
    Call("GET", "/api/patients", _at("/api/patients"), WARD),
    Call("GET", "/api/patients/{patient_id}", _of("/api/patients", "patient"), WARD),
    Call("GET", "/api/staff", _at("/api/staff"), SUPERVISION),
    Call("GET", "/api/staff", _at("/api/staff?unassigned=true"), SUPERVISION, "unassigned"),
    Call(
        "GET",
        "/api/staff/{staff_id}",
        lambda hospital, _: (f"/api/staff/{hospital.colleague.staff_id}", None),
        SUPERVISION,
    ),
    # everyone's
    Call("GET", "/api/settings", _at("/api/settings"), EVERYONE),
    Call("GET", "/health/live", _at("/health/live"), EVERYONE),
    Call("GET", "/health/ready", _at("/health/ready"), EVERYONE),
    Call("GET", "/schema/openapi.json", _at("/schema/openapi.json"), EVERYONE),
    Call("GET", "/", _at("/"), EVERYONE),
    Call("GET", "/{file_path}", _at("/assets/app-1a2b.js"), EVERYONE),
]
