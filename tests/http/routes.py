"""Table of every route and its answers by role (docs/contract.md)."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute

from adapters.http.authentication import requires
from domain.errors import Code, Reason
from domain.inbound_message import InboundMessage
from domain.kit import Kit, KitLine
from domain.policy import Permission, Role
from tests.builders import an_outbound_message
from tests.hl7.messages import adt
from tests.http.hospital import DETAILS, PASSWORD, SHEETS, Caller, Hospital

# Makes a caller for each column, in a new session: calls don't affect the callers of other calls.
CALLERS: dict[str, Callable[[Hospital], Caller]] = {
    "anonymous": lambda hospital: hospital.stranger,
    "bad token": lambda hospital: Caller(hospital.client, headers={"Authorization": "Bearer e30.e30.e30"}),
    "expired": lambda hospital: hospital.sign_in(hospital.someone(Role.ADMIN), lasts=timedelta(seconds=-1)),
    "revoked": lambda hospital: _signed_out(hospital.someone(Role.ADMIN)),
    "newcomer": lambda hospital: hospital.someone(Role.USER, profile=False),
    "nurse": lambda hospital: hospital.someone(Role.USER),
    "supervisor": lambda hospital: hospital.someone(Role.SUPERVISOR),
    "admin": lambda hospital: hospital.someone(Role.ADMIN, profile=False),
}

Prepare = Callable[[Hospital, Caller], tuple[str, object]]


@dataclass(frozen=True)
class Call:
    """One call of a route; ``prepare`` returns a valid path and body."""

    method: str
    route: str
    prepare: Prepare
    answers: dict[str, int]
    about: str = ""

    def __str__(self) -> str:
        return f"{self.method} {self.route} {self.about}".strip()


def _signed_out(caller: Caller) -> Caller:
    assert caller.post("/api/auth/logout").status_code == 204
    return caller


def _answers(anonymous: int, bad_token: int, *others: int) -> dict[str, int]:
    """The status for each caller; an expired token counts as a bad one."""
    return dict(zip(CALLERS, (anonymous, bad_token, bad_token, bad_token, *others), strict=True))


EVERYONE = _answers(200, 200, 200, 200, 200, 200)
SIGNED_IN = _answers(401, 401, 200, 200, 200, 200)
WARD = _answers(401, 401, 403, 200, 200, 200)
WARD_CREATES = _answers(401, 401, 403, 201, 201, 201)
SUPERVISION = _answers(401, 401, 403, 403, 200, 200)
ADMINISTRATION = _answers(401, 401, 403, 403, 403, 200)
ADMINISTRATION_CREATES = _answers(401, 401, 403, 403, 403, 201)
ADMINISTRATION_DELETES = _answers(401, 401, 403, 403, 403, 204)
# Ward staff may make the call, but not for this thing.
SUPERVISION_OF_THINGS = _answers(401, 401, 403, 422, 200, 200)
DECIDING = _answers(401, 401, 403, 403, 403, 204)
MESSAGES = "/api/inbound-messages"
# A static document, whose examples were recorded from a hospital such as that of the tests.
DOCUMENT = "/schema/openapi.json"

# Refusals that forbid one thing to a caller who may make the call.
DENIED_FOR_ONE_THING = {
    Code.DETAIL_NOT_OWN,
    Code.SHEET_FOR_SUPERVISION,
    Code.SHEET_FOR_ADMINISTRATION,
    Code.KIT_FOR_SUPERVISION,
    Code.REPORT_FOR_SUPERVISION,
    Code.USER_NOT_OWN,
    Code.USER_FOR_ADMINISTRATION,
    Code.ROLE_FOR_ADMINISTRATION,
}


def _at(path: str, body: object = None) -> Prepare:
    return lambda *_: (path, body)


def _of(path: str, thing: str) -> Prepare:
    return lambda hospital, _: (f"{path}/{getattr(hospital, thing)}", None)


def _used(hospital: Hospital) -> dict[str, object]:
    return {"product_id": hospital.gauze, "quantity": 3}


def _a_code(hospital: Hospital, _: Caller) -> tuple[str, object]:
    code = {"system": "hibc", "code": f"+{next(hospital.numbers)}"}
    added = hospital.supervisor.post(f"/api/products/{hospital.gauze}/codes", code).json()
    return f"/api/product-codes/{added['id']}", None


def _a_typed_name(answer: str) -> Prepare:
    def prepare(hospital: Hospital, _: Caller) -> tuple[str, object]:
        path, text = f"/api/products/{hospital.gauze}/typed-names", f"apósito {next(hospital.numbers)}"
        for _time in range(3):
            assert hospital.nurse.post(path, {"text": text}).status_code == 204
        typed = hospital.supervisor.get(path).json()["items"]
        return f"/api/typed-names/{max(one['id'] for one in typed)}/{answer}", None

    return prepare


def _an_unknown_code(hospital: Hospital, _: Caller) -> tuple[str, object]:
    hospital.nurse.get("/api/products/lookup?scan=ZZ/1")
    return "/api/unknown-codes/code?code=ZZ/1", None


def _recalled(hospital: Hospital) -> dict[str, object]:
    return {"product_id": hospital.gauze, "lot": "L1", "reason": "Empaque"}


def _a_recall(path: str = "") -> Prepare:
    def prepare(hospital: Hospital, _: Caller) -> tuple[str, object]:
        opened = hospital.supervisor.post("/api/recalls", _recalled(hospital)).json()
        return f"/api/recalls/{opened['id']}{path}", _recalled(hospital)

    return prepare


def _a_recalled_use(hospital: Hospital, _: Caller) -> tuple[str, object]:
    """A recalled line that is not marked as seen."""
    hospital.supervisor.post("/api/recalls", _recalled(hospital))
    used = _used(hospital) | {"lot": "L1", "acknowledged": ["lot.recalled"]}
    path = f"/api/consumption-sheets/{hospital.open_sheet()}/consumption-details"
    return f"{DETAILS}/{hospital.admin.post(path, used).json()['id']}/recall-seen", None


def _to_another_room(hospital: Hospital, _: Caller) -> tuple[str, object]:
    return f"{SHEETS}/{hospital.open_sheet()}/transfer", {"room_id": hospital.theatre_room}


def _transferred(hospital: Hospital, caller: Caller) -> tuple[str, object]:
    """A sheet with a transfer that can be undone."""
    path, body = _to_another_room(hospital, caller)
    hospital.supervisor.post(path, body)
    return path.replace("transfer", "stays/last"), None


def _late(hospital: Hospital) -> dict[str, object]:
    return {"items": [_used(hospital)], "occurred_at": hospital.clock().isoformat()}


_UNLISTED = {"description": "bisturí láser", "quantity": 1}


def _an_unlisted_item(path: str = "") -> Prepare:
    """An item that the nurse noted on an open sheet."""

    def prepare(hospital: Hospital, _: Caller) -> tuple[str, object]:
        noted = hospital.nurse.post(f"{SHEETS}/{hospital.open_sheet()}/unlisted-items", _UNLISTED).json()["id"]
        bodies = {"/resolve": {"product_id": hospital.gauze}, "/discard": {"reason": "No se usó"}}
        return f"/api/unlisted-items/{noted}{path}", bodies.get(path)

    return prepare


def _own_unlisted_item(hospital: Hospital, caller: Caller) -> tuple[str, object]:
    """An item noted by the caller, or by the nurse if the caller may not."""
    path = f"{SHEETS}/{hospital.open_sheet()}/unlisted-items"
    noted = caller.post(path, _UNLISTED)
    noted = noted if noted.status_code == 201 else hospital.nurse.post(path, _UNLISTED)
    return f"/api/unlisted-items/{noted.json()['id']}", None


def _late_for(path: str) -> Prepare:
    """A late entry of a sheet that was reopened."""

    def prepare(hospital: Hospital, _: Caller) -> tuple[str, object]:
        sheet = hospital.closed_sheet()
        late = hospital.nurse.post(f"{SHEETS}/{sheet}/late-entries", _late(hospital)).json()["id"]
        hospital.admin.post(f"{SHEETS}/{sheet}/reopen", {"reason": "Llegó tarde"})
        return f"/api/late-entries/{late}/{path}", {
            "dismiss": {"reason": "Ya está en otra hoja"},
            "record": {"acknowledged": ["quantity.far_out"]},
        }[path]

    return prepare


def _a_message(path: str = "", **answer: str) -> Prepare:
    """An inbound message that is held because of an unknown room."""

    def prepare(hospital: Hospital, _: Caller) -> tuple[str, object]:
        body = {name: getattr(hospital, value, value) for name, value in answer.items()}
        return f"{MESSAGES}/{held_message(hospital)}{path}", body or None

    return prepare


def _a_dismissed_message(hospital: Hospital, _: Caller) -> tuple[str, object]:
    hospital.admin.post(f"{MESSAGES}/{held_message(hospital)}/dismiss", {"reason": "De prueba"})
    return MESSAGES, None


def held_message(hospital: Hospital) -> int:
    """The id of a message held for an unknown room, and then for its patient."""
    number = next(hospital.numbers)
    location = f"UCI^{number}"
    kept = InboundMessage(
        source="HIS|HOSPITAL", control_id=f"C-{number}", digest="d", kind="A01",
        body=adt("A01", number=None, location=location, control_id=f"C-{number}"),
        event_at=hospital.clock(), received_at=hospital.clock(),
        user_id=hospital.admin.user_id, location=location, visit_number=f"V-{number}", record_number=f"M-{number}",
    )  # fmt: skip
    kept.hold(Reason(Code.LOCATION_UNKNOWN, params={"location": location}))
    with hospital.store.begin() as work:
        work.inbound_messages.add(kept)
    return kept.id


def _late_of_sheet(hospital: Hospital, _: Caller) -> tuple[str, object]:
    sheet = hospital.closed_sheet()
    hospital.nurse.post(f"{SHEETS}/{sheet}/late-entries", _late(hospital))
    return f"{SHEETS}/{sheet}/late-entries", None


def _an_outbound_message(path: str = "", body: object = None) -> Prepare:
    """A message to billing that waits."""

    def prepare(hospital: Hospital, _: Caller) -> tuple[str, object]:
        message = an_outbound_message(hospital.store, hospital.clock(), hospital.closed_sheet())
        return f"/api/outbound-messages/{message}{path}", body

    return prepare


def _someones_detail(hospital: Hospital, _: Caller) -> tuple[str, object]:
    return f"{DETAILS}/{hospital.add_detail(hospital.open_sheet())['id']}", _used(hospital)


def _sheet_with_lines(hospital: Hospital, _: Caller) -> tuple[str, object]:
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet)
    return f"{SHEETS}/{sheet}", None


def _own_detail(hospital: Hospital, caller: Caller) -> tuple[str, object]:
    may_record = caller.staff_id is not None and caller.get("/api/auth/profile").status_code == 200
    return f"{DETAILS}/{hospital.add_detail(hospital.open_sheet(), by=caller if may_record else None)['id']}", None


def _several_own(hospital: Hospital, caller: Caller) -> tuple[str, object]:
    path, _ = _own_detail(hospital, caller)
    return f"{DETAILS}/void", {"ids": [int(path.rpartition("/")[2])], "reason": "Repetida"}


def _to_another_sheet(hospital: Hospital, caller: Caller) -> tuple[str, object]:
    path, _ = _own_detail(hospital, caller)
    detail = hospital.admin.get(path).json()
    body = {"detail_ids": [detail["id"]], "to_sheet_id": hospital.open_sheet(), "reason": "Otro paciente"}
    return f"{SHEETS}/{detail['consumption_sheet_id']}/move-details", body


def _on_new(path: str, body: dict[str, object], *, send: bool = True) -> Prepare:
    """A new thing without references, created for this call."""

    def prepare(hospital: Hospital, _: Caller) -> tuple[str, object]:
        made = hospital.admin.call("POST", f"/api/{path}", _fresh(hospital, body))
        return made.headers["location"], _fresh(hospital, body) if send else None

    return prepare


def _creating(path: str, body: dict[str, object]) -> Prepare:
    return lambda hospital, _: (f"/api/{path}", _fresh(hospital, body))


def _fresh(hospital: Hospital, body: dict[str, object]) -> dict[str, object]:
    """The body with a new value in each unique field."""
    return {name: f"N{next(hospital.numbers)}" if value == UNIQUE else value for name, value in body.items()}


def _email(hospital: Hospital) -> str:
    """An unused email; equal in two hospitals with the same history."""
    return f"new-{next(hospital.numbers)}@consumo.test"


def _user(role: Role, *, role_to_give: str | None = None, path: str = "") -> Prepare:
    """Another user with that role."""

    def prepare(hospital: Hospital, _: Caller) -> tuple[str, object]:
        user = hospital.someone(role)
        body = role_to_give and {"email": _email(hospital), "role": role_to_give, "staff_id": 0}
        return f"/api/users/{user.user_id}{path}", body

    return prepare


def _session(hospital: Hospital, user_id: int) -> str:
    """The path of a session of that user."""
    with hospital.store.read() as views:
        sessions = views.sessions(user_id, hospital.clock())
    return f"/api/users/{user_id or 1}/sessions/{sessions[0].id if sessions else 'none'}"


def _kit_draft(hospital: Hospital, **changes: object) -> dict[str, object]:
    return {
        "name": f"Kit {next(hospital.numbers)}",
        "lines": [{"product_id": hospital.gauze, "quantity": 2}],
        **changes,
    }


def _kit(*, own: bool = False, send: bool = False) -> Prepare:
    """A kit of the hospital, or the caller's own."""

    def prepare(hospital: Hospital, caller: Caller) -> tuple[str, object]:
        line = KitLine(product_id=hospital.gauze, quantity=Decimal(2))
        owner = (caller.user_id or hospital.admin.user_id) if own else None
        kit = Kit(name=f"Kit {next(hospital.numbers)}", user_id=owner, lines=(line,))
        with hospital.store.begin() as work:
            work.kits.add(kit)
        return f"/api/kits/{kit.id}", _kit_draft(hospital) if send else None

    return prepare


UNIQUE = "unique"
UPKEEP: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("areas", "area", {"name": UNIQUE}),
    ("categories", "category", {"code": UNIQUE, "name": "Sondas"}),
    ("products", "product", {"name": "Sonda Foley 16 Fr", "price": 3.2, "category_id": 1}),
    ("rooms", "room", {"name": "Cama 9", "status": 1, "type": 1, "area_id": 1}),
    ("patients", "patient", {"name": "Luz", "first_surname": "Soto", "active": 1}),
    ("staff", "staff", {"name": "Luz", "first_surname": "Soto"}),
)
UPKEEP_CREATES = _answers(401, 401, 403, 403, 201, 201)
OWN_ENDS = _answers(401, 401, 204, 204, 204, 204)
UPKEEP_DELETES = _answers(401, 401, 403, 403, 204, 204)


def _import(path: str, query: str = "") -> Prepare:
    """A file with one new area."""

    def prepare(hospital: Hospital, _: Caller) -> tuple[str, object]:
        return f"/api/imports{path}?{query}", f"name;area\nSala {next(hospital.numbers)};Urgencias\n".encode()

    return prepare


def _imported(path: str = "") -> Prepare:
    """A finished import."""

    def prepare(hospital: Hospital, caller: Caller) -> tuple[str, object]:
        sent = hospital.admin.post(*_import("", "noun=rooms&file_name=salas.csv")(hospital, caller))
        imported = json.loads(sent.text.splitlines()[-1])["report"]["import_id"]
        return f"/api/imports/{imported}{path}", None

    return prepare


def _a_double(hospital: Hospital, *, merged: bool = False) -> tuple[int, int]:
    """Two records of one person; the first has a sheet, and may be merged."""
    one, other = (
        hospital.admin.post("/api/patients", {"name": "Luz", "first_surname": "Soto", "record_number": f"M-{number}"})
        for number in (next(hospital.numbers), next(hospital.numbers))
    )
    first, second = one.json()["id"], other.json()["id"]
    hospital.open_sheet(patient_id=first)
    if merged:
        body = {"into_id": second, "reason": "La misma persona"}
        assert hospital.admin.post(f"/api/patients/{first}/merge", body).status_code == 200
    return first, second


def _previewing(hospital: Hospital, _: Caller) -> tuple[str, object]:
    first, second = _a_double(hospital)
    return f"/api/patients/{first}/merge-preview?into={second}", None


def _merging(hospital: Hospital, _: Caller) -> tuple[str, object]:
    first, second = _a_double(hospital)
    return f"/api/patients/{first}/merge", {"into_id": second, "reason": "La misma persona"}


def _unmerging(hospital: Hospital, _: Caller) -> tuple[str, object]:
    return f"/api/patients/{_a_double(hospital, merged=True)[0]}/unmerge", None


def _a_name(hospital: Hospital) -> dict[str, object]:
    return {"name": f"Programa {next(hospital.numbers)}"}


def _service_account(path: str = "", *, send: bool = True) -> Prepare:
    def prepare(hospital: Hospital, _: Caller) -> tuple[str, object]:
        made = hospital.admin.post("/api/service-accounts", _a_name(hospital)).json()
        body = {**_a_name(hospital), "scopes": ["sheets.read"]}
        return f"/api/service-accounts/{made['id']}{path}", body if send else None

    return prepare


def _a_key(hospital: Hospital, caller: Caller) -> tuple[str, object]:
    path, body = _service_account("/keys")(hospital, caller)
    return f"/api/keys/{hospital.admin.post(path, body).json()['key']['id']}", None


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
    *(
        Call(
            "GET",
            f"{SHEETS}/{{sheet_id}}/{part}",
            lambda hospital, _, part=part: (f"{SHEETS}/{hospital.closed_sheet()}/{part}", None),  # type: ignore[misc]
            WARD,
        )
        for part in ("version", "summary", "pdf", "usual-products", "repeatable", "closings")
    ),
    *(
        Call(
            "GET",
            f"{SHEETS}/{{sheet_id}}/closings/{{turn}}{part}",
            lambda hospital, _, part=part: (f"{SHEETS}/{hospital.closed_sheet()}/closings/1{part}", None),  # type: ignore[misc]
            WARD,
        )
        for part in ("", "/pdf")
    ),
    Call(
        "PUT",
        f"{SHEETS}/{{sheet_id}}",
        lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}", hospital.admission()),
        WARD,
    ),
    Call("POST", f"{SHEETS}/{{sheet_id}}/transfer", _to_another_room, WARD),
    Call("DELETE", f"{SHEETS}/{{sheet_id}}/stays/last", _transferred, SUPERVISION),
    Call(
        "DELETE",
        f"{SHEETS}/{{sheet_id}}",
        lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}", None),
        _answers(401, 401, 403, 204, 204, 204),
    ),
    Call("DELETE", f"{SHEETS}/{{sheet_id}}", _sheet_with_lines, _answers(401, 401, 403, 422, 204, 204), "with lines"),
    Call(
        "DELETE",
        f"{SHEETS}/{{sheet_id}}",
        lambda hospital, _: (f"{SHEETS}/{hospital.closed_sheet()}", None),
        _answers(401, 401, 403, 422, 422, 204),
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
        "POST",
        f"{SHEETS}/{{sheet_id}}/consumption-details/several",
        lambda hospital, _: (
            f"{SHEETS}/{hospital.open_sheet()}/consumption-details/several",
            {"items": [_used(hospital), {**_used(hospital), "product_id": hospital.cannula}]},
        ),
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
        _answers(401, 401, 403, 422, 204, 204),
        "of someone else",
    ),
    Call(
        "POST",
        f"{DETAILS}/{{detail_id}}/void",
        lambda hospital, caller: (f"{_own_detail(hospital, caller)[0]}/void", {"reason": "Repetida"}),
        WARD,
        "own",
    ),
    Call(
        "POST",
        f"{DETAILS}/{{detail_id}}/void",
        lambda hospital, caller: (f"{_someones_detail(hospital, caller)[0]}/void", {"reason": "Repetida"}),
        SUPERVISION_OF_THINGS,
        "of someone else",
    ),
    Call(
        "POST",
        f"{DETAILS}/{{detail_id}}/correct",
        lambda hospital, caller: (f"{_own_detail(hospital, caller)[0]}/correct", {"quantity": 7}),
        WARD_CREATES,
        "own",
    ),
    Call(
        "POST",
        f"{DETAILS}/{{detail_id}}/correct",
        lambda hospital, caller: (f"{_someones_detail(hospital, caller)[0]}/correct", {"quantity": 7}),
        _answers(401, 401, 403, 422, 201, 201),
        "of someone else",
    ),
    Call("POST", f"{DETAILS}/void", _several_own, WARD),
    Call("POST", f"{SHEETS}/{{sheet_id}}/move-details", _to_another_sheet, WARD),
    Call(
        "POST",
        f"{DETAILS}/{{detail_id}}/return",
        lambda hospital, caller: (
            f"{_someones_detail(hospital, caller)[0]}/return",
            {"quantity": 1, "reason": "unused"},
        ),
        WARD,
    ),
    *(
        Call(
            method,
            "/api/products/{product_id}/favourite",
            lambda hospital, _: (f"/api/products/{hospital.gauze}/favourite", None),
            _answers(401, 401, 403, 204, 204, 204),
        )
        for method in ("PUT", "DELETE")
    ),
    # late entries
    Call(
        "POST",
        f"{SHEETS}/{{sheet_id}}/late-entries",
        lambda hospital, _: (f"{SHEETS}/{hospital.closed_sheet()}/late-entries", _late(hospital)),
        WARD_CREATES,
    ),
    Call("GET", f"{SHEETS}/{{sheet_id}}/late-entries", _late_of_sheet, SUPERVISION),
    Call(
        "POST",
        f"{SHEETS}/{{sheet_id}}/unlisted-items",
        lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}/unlisted-items", _UNLISTED),
        WARD_CREATES,
    ),
    Call(
        "GET",
        f"{SHEETS}/{{sheet_id}}/unlisted-items",
        lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}/unlisted-items", None),
        WARD,
    ),
    Call("POST", "/api/unlisted-items/{unlisted_item_id}/resolve", _an_unlisted_item("/resolve"), SUPERVISION),
    Call("POST", "/api/unlisted-items/{unlisted_item_id}/discard", _an_unlisted_item("/discard"), SUPERVISION),
    Call(
        "DELETE", "/api/unlisted-items/{unlisted_item_id}", _own_unlisted_item, _answers(401, 401, 403, 204, 204, 204)
    ),
    Call("GET", MESSAGES, _a_dismissed_message, SUPERVISION),
    Call("GET", f"{MESSAGES}/{{message_id}}", _a_message(), SUPERVISION),
    Call("POST", f"{MESSAGES}/{{message_id}}/retry", _a_message("/retry"), DECIDING),
    Call("POST", f"{MESSAGES}/{{message_id}}/dismiss", _a_message("/dismiss", reason="De prueba"), DECIDING),
    Call("POST", f"{MESSAGES}/{{message_id}}/room", _a_message("/room", room_id="room"), DECIDING),
    Call("POST", f"{MESSAGES}/{{message_id}}/patient", _a_message("/patient", patient_id="patient"), DECIDING),
    Call("POST", "/api/late-entries/{late_entry_id}/record", _late_for("record"), SUPERVISION),
    Call("POST", "/api/late-entries/{late_entry_id}/dismiss", _late_for("dismiss"), SUPERVISION),
    # messages to billing
    Call("GET", "/api/outbound-messages", _at("/api/outbound-messages?state=waiting"), SUPERVISION),
    Call("GET", "/api/outbound-messages/{outbound_message_id}", _an_outbound_message(), SUPERVISION),
    Call("POST", "/api/outbound-messages/{outbound_message_id}/retry", _an_outbound_message("/retry"), ADMINISTRATION),
    Call(
        "POST",
        "/api/outbound-messages/{outbound_message_id}/settle",
        _an_outbound_message("/settle", {"reason": "Se registró a mano"}),
        ADMINISTRATION,
    ),
    # kits
    Call("GET", "/api/kits", lambda hospital, caller: (_kit()(hospital, caller)[0].rpartition("/")[0], None), WARD),
    Call("GET", "/api/kits/{kit_id}", _kit(), WARD),
    Call(
        "POST",
        "/api/kits",
        lambda hospital, _: ("/api/kits", _kit_draft(hospital)),
        _answers(401, 401, 403, 422, 201, 201),
        "of the hospital",
    ),
    Call("POST", "/api/kits", lambda hospital, _: ("/api/kits", _kit_draft(hospital, own=True)), WARD_CREATES, "own"),
    Call("PUT", "/api/kits/{kit_id}", _kit(send=True), SUPERVISION_OF_THINGS, "of the hospital"),
    Call("PUT", "/api/kits/{kit_id}", _kit(own=True, send=True), WARD, "own"),
    Call("DELETE", "/api/kits/{kit_id}", _kit(), _answers(401, 401, 403, 422, 204, 204), "of the hospital"),
    Call("DELETE", "/api/kits/{kit_id}", _kit(own=True), _answers(401, 401, 403, 204, 204, 204), "own"),
    # lists that forms choose from
    Call("GET", "/api/products", _at("/api/products?q=gasa"), WARD),
    Call("GET", "/api/products", _at("/api/products?q=gaza"), WARD, "nearest"),
    Call("GET", "/api/products/{product_id}", _of("/api/products", "gauze"), WARD),
    Call(
        "GET", "/api/products/{product_id}/prices", lambda h, _: (f"/api/products/{h.gauze}/prices", None), SUPERVISION
    ),
    Call("GET", "/api/products/{product_id}/codes", lambda h, _: (f"/api/products/{h.gauze}/codes", None), SUPERVISION),
    Call(
        "POST",
        "/api/products/{product_id}/codes",
        lambda h, _: (f"/api/products/{h.gauze}/codes", {"system": "hibc", "code": f"+{next(h.numbers)}"}),
        UPKEEP_CREATES,
    ),
    Call("DELETE", "/api/product-codes/{code_id}", _a_code, UPKEEP_DELETES),
    Call(
        "POST",
        "/api/products/{product_id}/typed-names",
        lambda h, _: (f"/api/products/{h.gauze}/typed-names", {"text": "suero"}),
        _answers(401, 401, 403, 204, 204, 204),
    ),
    Call(
        "GET",
        "/api/products/{product_id}/typed-names",
        lambda h, _: (f"/api/products/{h.gauze}/typed-names", None),
        SUPERVISION,
    ),
    Call("POST", "/api/typed-names/{typed_name_id}/add", _a_typed_name("add"), SUPERVISION),
    Call("POST", "/api/typed-names/{typed_name_id}/dismiss", _a_typed_name("dismiss"), UPKEEP_DELETES),
    Call("GET", "/api/catalogue", _at("/api/catalogue"), WARD),
    Call("GET", "/api/products/lookup", _at("/api/products/lookup?text=C-7"), WARD),
    Call("GET", "/api/unknown-codes", _at("/api/unknown-codes"), SUPERVISION),
    Call("DELETE", "/api/unknown-codes/{system}", _an_unknown_code, UPKEEP_DELETES),
    Call("GET", "/api/recalls", _at("/api/recalls"), SUPERVISION),
    Call("POST", "/api/recalls", lambda h, _: ("/api/recalls", _recalled(h)), UPKEEP_CREATES),
    Call("GET", "/api/recalls/{recall_id}", _a_recall(), SUPERVISION),
    Call("PUT", "/api/recalls/{recall_id}", _a_recall(), SUPERVISION),
    Call("POST", f"{DETAILS}/{{detail_id}}/recall-seen", _a_recalled_use, UPKEEP_DELETES),
    Call("GET", "/api/recalls/{recall_id}/consumption-details", _a_recall("/consumption-details"), SUPERVISION),
    Call(
        "GET",
        "/api/products/{product_id}/usual-quantity",
        lambda hospital, _: (f"/api/products/{hospital.gauze}/usual-quantity", None),
        WARD,
    ),
    Call("GET", "/api/categories", _at("/api/categories"), WARD),
    Call("GET", "/api/categories/{category_id}", _of("/api/categories", "tubes"), WARD),
    Call("GET", "/api/areas", _at("/api/areas"), WARD),
    Call("GET", "/api/areas/{area_id}", _of("/api/areas", "theatre"), WARD),
    Call("GET", "/api/rooms", _at("/api/rooms"), WARD),
    Call("GET", "/api/rooms/{room_id}", _of("/api/rooms", "room"), WARD),
    Call("GET", "/api/patients", _at("/api/patients"), WARD),
    Call("GET", "/api/patients", _at("/api/patients?q=bruno"), WARD, "searched"),
    Call("GET", "/api/patients/{patient_id}", _of("/api/patients", "patient"), WARD),
    Call("GET", "/api/staff", _at("/api/staff"), SUPERVISION),
    Call("GET", "/api/staff", _at("/api/staff?unassigned=true"), SUPERVISION, "unassigned"),
    Call(
        "GET",
        "/api/staff/{staff_id}",
        lambda hospital, _: (f"/api/staff/{hospital.colleague.staff_id}", None),
        SUPERVISION,
    ),
    # upkeep
    *(
        call
        for path, thing, body in UPKEEP
        for call in (
            Call("POST", f"/api/{path}", _creating(path, body), UPKEEP_CREATES if path != "patients" else WARD_CREATES),
            Call(
                "PUT",
                f"/api/{path}/{{{thing}_id}}",
                _on_new(path, body),
                SUPERVISION if path != "patients" else WARD,
            ),
            Call("DELETE", f"/api/{path}/{{{thing}_id}}", _on_new(path, body, send=False), UPKEEP_DELETES),
        )
    ),
    # merging patients
    Call("GET", "/api/patients/{patient_id}/merge-preview", _previewing, SUPERVISION),
    Call("POST", "/api/patients/{patient_id}/merge", _merging, SUPERVISION),
    Call("POST", "/api/patients/{patient_id}/unmerge", _unmerging, ADMINISTRATION),
    # users
    Call("GET", "/api/users", _at("/api/users"), SUPERVISION),
    Call("GET", "/api/users/{user_id}", _user(Role.USER), _answers(401, 401, 404, 404, 200, 200)),
    Call("GET", "/api/users/{user_id}", _user(Role.ADMIN), _answers(401, 401, 404, 404, 404, 200), "an administrator"),
    Call(
        "GET",
        "/api/users/{user_id}",
        lambda hospital, caller: (f"/api/users/{caller.user_id or 1}", None),
        SIGNED_IN,
        "the own one",
    ),
    Call(
        "POST",
        "/api/auth/register-by-admin",
        lambda hospital, _: ("/api/auth/register-by-admin", {"email": _email(hospital), "role": "1"}),
        UPKEEP_CREATES,
    ),
    Call(
        "POST",
        "/api/auth/register-by-admin",
        lambda hospital, _: ("/api/auth/register-by-admin", {"email": _email(hospital), "role": "10"}),
        _answers(401, 401, 403, 403, 422, 201),
        "an administrator",
    ),
    Call("PUT", "/api/users/{user_id}", _user(Role.USER, role_to_give="2"), _answers(401, 401, 422, 422, 200, 200)),
    Call(
        "PUT",
        "/api/users/{user_id}",
        _user(Role.USER, role_to_give="10"),
        _answers(401, 401, 422, 422, 422, 200),
        "to 10",
    ),
    Call(
        "PUT",
        "/api/users/{user_id}",
        _user(Role.ADMIN, role_to_give="1"),
        _answers(401, 401, 422, 422, 422, 200),
        "from 10",
    ),
    Call(
        "PUT",
        "/api/users/{user_id}",
        lambda hospital, caller: (
            f"/api/users/{caller.user_id or 1}",
            {"email": _email(hospital), "current_password": PASSWORD},
        ),
        SIGNED_IN,
        "the own one",
    ),
    Call("DELETE", "/api/users/{user_id}", _user(Role.USER), UPKEEP_DELETES),
    Call("DELETE", "/api/users/{user_id}", _user(Role.ADMIN), _answers(401, 401, 403, 403, 422, 204), "from 10"),
    Call(
        "DELETE",
        "/api/users/{user_id}",
        lambda hospital, caller: (f"/api/users/{caller.user_id or 1}", None),
        _answers(401, 401, 403, 403, 422, 422),
        "the own one",
    ),
    Call("POST", "/api/users/{user_id}/reset-link", _user(Role.USER, path="/reset-link"), UPKEEP_CREATES),
    Call(
        "POST",
        "/api/users/{user_id}/reset-link",
        _user(Role.ADMIN, path="/reset-link"),
        _answers(401, 401, 403, 403, 422, 201),
        "from 10",
    ),
    # sessions
    Call("POST", "/api/auth/unlock", _at("/api/auth/unlock", {"password": PASSWORD}), OWN_ENDS),
    Call(
        "GET",
        "/api/users/{user_id}/sessions",
        _user(Role.USER, path="/sessions"),
        _answers(401, 401, 404, 404, 200, 200),
    ),
    Call(
        "GET",
        "/api/users/{user_id}/sessions",
        _user(Role.ADMIN, path="/sessions"),
        _answers(401, 401, 404, 404, 404, 200),
        "of an administrator",
    ),
    Call(
        "GET",
        "/api/users/{user_id}/sessions",
        lambda hospital, caller: (f"/api/users/{caller.user_id or 1}/sessions", None),
        SIGNED_IN,
        "the own ones",
    ),
    *(
        call
        for route, path in (
            ("/api/users/{user_id}/sessions", lambda hospital, user_id: f"/api/users/{user_id or 1}/sessions"),
            ("/api/users/{user_id}/sessions/{session_id}", _session),
        )
        for call in (
            Call(
                "DELETE",
                route,
                lambda hospital, _, path=path: (path(hospital, hospital.someone(Role.USER).user_id), None),  # type: ignore[misc]
                _answers(401, 401, 422, 422, 204, 204),
            ),
            Call(
                "DELETE",
                route,
                lambda hospital, _, path=path: (path(hospital, hospital.someone(Role.ADMIN).user_id), None),  # type: ignore[misc]
                _answers(401, 401, 422, 422, 422, 204),
                "of an administrator",
            ),
            Call(
                "DELETE",
                route,
                lambda hospital, caller, path=path: (path(hospital, caller.user_id), None),  # type: ignore[misc]
                OWN_ENDS,
                "the own ones",
            ),
        )
    ),
    Call(
        "POST",
        "/api/auth/password-reset",
        _at("/api/auth/password-reset", {"email": "unknown@consumo.test"}),
        _answers(202, 202, 202, 202, 202, 202),
    ),
    Call(
        "POST",
        "/api/auth/password-reset/confirm",
        _at(
            "/api/auth/password-reset/confirm", {"token": "x", "password": PASSWORD, "password_confirmation": PASSWORD}
        ),
        _answers(422, 422, 422, 422, 422, 422),
    ),
    Call(
        "POST",
        "/api/auth/password-strength",
        _at("/api/auth/password-strength", {"password": PASSWORD}),
        _answers(401, 401, 200, 200, 200, 200),
    ),
    Call(
        "POST",
        "/api/auth/password-reset/strength",
        _at("/api/auth/password-reset/strength", {"token": "x", "password": PASSWORD}),
        _answers(422, 422, 422, 422, 422, 422),
    ),
    # the audit log
    Call(
        "GET",
        f"{SHEETS}/{{sheet_id}}/history",
        lambda hospital, _: (f"{SHEETS}/{hospital.open_sheet()}/history", None),
        SUPERVISION,
    ),
    Call(
        "GET",
        "/api/patients/{patient_id}/readers",
        lambda hospital, _: (f"/api/patients/{hospital.patient}/readers", None),
        SUPERVISION,
    ),
    Call("GET", "/api/audit", _at("/api/audit?limit=25"), ADMINISTRATION),
    # service accounts and their keys
    Call("GET", "/api/service-accounts", _at("/api/service-accounts"), ADMINISTRATION),
    Call(
        "POST",
        "/api/service-accounts",
        lambda hospital, _: ("/api/service-accounts", _a_name(hospital)),
        ADMINISTRATION_CREATES,
    ),
    Call("PUT", "/api/service-accounts/{account_id}", _service_account(), ADMINISTRATION),
    Call("DELETE", "/api/service-accounts/{account_id}", _service_account(send=False), ADMINISTRATION_DELETES),
    Call("POST", "/api/service-accounts/{account_id}/keys", _service_account("/keys"), ADMINISTRATION_CREATES),
    Call("DELETE", "/api/keys/{key_id}", _a_key, ADMINISTRATION_DELETES),
    # FHIR
    Call("GET", "/fhir/R4/metadata", _at("/fhir/R4/metadata"), EVERYONE),
    Call("GET", "/fhir/R4/{kind}", _at("/fhir/R4/Patient"), WARD),
    Call("POST", "/fhir/R4/{kind}/_search", _at("/fhir/R4/Patient/_search"), WARD),
    Call("GET", "/fhir/R4/{kind}/{fhir_id}", _of("/fhir/R4/Patient", "patient"), WARD),
    Call("GET", "/fhir/R4/{kind}", _at("/fhir/R4/Invoice"), SUPERVISION, "accounts"),
    # overview and reports
    Call("GET", "/api/overview", _at("/api/overview"), WARD),
    Call("GET", "/api/reports/consumption", _at("/api/reports/consumption"), WARD),
    Call("GET", "/api/reports/consumption", _at("/api/reports/consumption?by=patient"), WARD, "by patient"),
    Call(
        "GET", "/api/reports/consumption", _at("/api/reports/consumption?by=staff"), SUPERVISION_OF_THINGS, "by staff"
    ),
    # imports of files
    Call("POST", "/api/imports/read", _import("/read", "noun=rooms"), SUPERVISION),
    Call("POST", "/api/imports/check", _import("/check", "noun=rooms"), SUPERVISION),
    Call("POST", "/api/imports/refused-rows", _import("/refused-rows", "noun=rooms"), SUPERVISION),
    Call("POST", "/api/imports", _import("", "noun=rooms&file_name=salas.csv"), SUPERVISION),
    Call("GET", "/api/imports", _at("/api/imports"), SUPERVISION),
    Call("GET", "/api/imports/{import_id}", _imported(), SUPERVISION),
    Call("POST", "/api/imports/{import_id}/undo", _imported("/undo"), SUPERVISION),
    # static and public
    Call("GET", "/api/settings", _at("/api/settings"), EVERYONE),
    Call("GET", "/health/live", _at("/health/live"), EVERYONE),
    Call("GET", "/health/ready", _at("/health/ready"), EVERYONE),
    # For operators, who authenticate as test_monitoring.py describes.
    Call("GET", "/metrics", _at("/metrics"), _answers(404, 404, 404, 404, 404, 404)),
    Call("GET", DOCUMENT, _at(DOCUMENT), EVERYONE),
    Call("GET", "/", _at("/"), EVERYONE),
    Call("GET", "/{file_path}", _at("/assets/app-1a2b.js"), EVERYONE),
]


def rights(hospital: Hospital) -> dict[tuple[str, str], set[Permission]]:
    """The permissions that each call requires, by method and route."""
    return {
        (method, re.sub(r":\w+}", "}", route.path)): permissions_of(handler)
        for route in hospital.client.app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods
    }


def permissions_of(handler: BaseRouteHandler) -> set[Permission]:
    """The permissions that the handler's guards require."""
    return {it for guard in handler.resolve_guards() if isinstance(guard, requires) for it in guard.permissions}


def takes_a_caller(call: Call) -> bool:
    return call.answers["anonymous"] == 401
