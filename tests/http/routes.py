"""Table of every route: its use case, and how to call it.

The status for each caller follows from ``tests/permissions.py``.
"""

import json
import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute

from adapters.http.authentication import requires
from adapters.security.tokens import JwtTokens
from application.accounts.sign_in.begin_oidc_sign_in import SIGN_IN
from domain.accounts.badge import Badge
from domain.catalogue.kit import Kit, KitLine
from domain.common.errors import Code, Reason, Unauthenticated
from domain.common.policy import Permission, Role
from domain.forms.contingency_form import ContingencyForm
from domain.interop.inbound_message import InboundMessage
from domain.sheets.missed_charges import ProductPair
from tests.builders import a_passkey, an_image, an_outbound_message
from tests.devices import TABLET, Device, Proof
from tests.hl7.messages import adt
from tests.http.hospital import ACCOUNTS, DETAILS, PASSWORD, PUBLIC_ADDRESS, SECRET_KEY, SHEETS, Caller, Hospital
from tests.oidc.stub_provider import ISSUER
from tests.passkey_device import Device as PasskeyDevice
from tests.permissions import PERMISSIONS, PUBLIC, RECORDS, ROLES

# Makes each caller, in a new session: calls don't affect the callers of other calls.
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

SUCCESS = {"GET": 200, "POST": 201, "PUT": 200, "DELETE": 204}
REFUSED = {"not_signed_in": 401, "forbidden": 403, "profile_required": 403, "only_for_keys": 403, "not_found": 404}

# Creates what the call is about, and returns its id, or a tuple that starts with the parts of the path.
Things = Callable[[Hospital, Caller], object]


FORMS = "/api/contingency-forms"


@dataclass(frozen=True)
class Call:
    """One call of a route; ``prepare`` returns a valid path and body.

    ``use_case`` is the name in ``tests/permissions.py``, and empty if the route has none. ``things`` may be the name of
    an id in ``Hospital``. A ``body`` may be a function of the hospital and the things.
    """

    method: str
    route: str
    use_case: str
    things: str | Things = ""
    body: object = None
    query: str = ""
    status: int = 0
    about: str | None = None

    def __str__(self) -> str:
        about = self.use_case.partition("(")[2].rstrip(")") if self.about is None else self.about
        return f"{self.method} {self.route} {about}".strip()

    def prepare(self, hospital: Hospital, caller: Caller) -> tuple[str, object]:
        if callable(self.things):
            made = self.things(hospital, caller)
        else:
            made = getattr(hospital, self.things) if self.things else None
        things = made if isinstance(made, tuple) else (made,)
        parts = iter(things)
        path = re.sub("{.*?}", lambda _: str(next(parts)), self.route)
        body = self.body(hospital, *things) if callable(self.body) else self.body
        return f"{path}?{self.query.format(*things)}" if self.query else path, body

    def refusal(self, name: str) -> str | None:
        """The code of the refusal, or None if the caller may."""
        if not self.use_case or self.use_case in PUBLIC:
            return None
        return PERMISSIONS[self.use_case].to(name) if name in ROLES else "not_signed_in"

    @property
    def answers(self) -> dict[str, int]:
        """The status for each caller."""
        success = self.status or SUCCESS[self.method]
        codes = {name: self.refusal(name) for name in CALLERS}
        return {name: success if code is None else REFUSED.get(code, 422) for name, code in codes.items()}


def _signed_out(caller: Caller) -> Caller:
    assert caller.post("/api/auth/logout").status_code == 204
    return caller


# --- sheets and details ----------------------------------------------------------------------------------------------


def open_sheet(hospital: Hospital, _: Caller) -> int:
    return hospital.open_sheet()


def new_area(hospital: Hospital, _: Caller) -> int:
    name = f"Área nueva {next(hospital.numbers)}"
    return int(hospital.admin.post("/api/areas", {"name": name}).json()["id"])


def page_of_area(hospital: Hospital, _: Caller) -> int:
    page = int(hospital.admin.post(f"/api/areas/{hospital.emergency}/sheet").json()["id"])
    hospital.add_detail(page, use_reason="cleaning")
    return page


def area_with_page(hospital: Hospital, caller: Caller) -> int:
    page_of_area(hospital, caller)
    return hospital.emergency


def missed_charge(hospital: Hospital, caller: Caller) -> tuple[int, int]:
    pair = ProductPair(because_id=hospital.gauze, product_id=hospital.cannula, sheets=100, together=96)
    with hospital.store.begin() as work:
        work.missed_charges.replace_pairs([pair], max_denied=0)
    sheet = open_sheet(hospital, caller)
    hospital.add_detail(sheet)
    return sheet, hospital.cannula


def used_in_theatre(hospital: Hospital, caller: Caller) -> tuple[int, int, int]:
    """The area and the product of a line, and the number of the open list."""
    hospital.add_detail(open_sheet(hospital, caller), area_id=hospital.theatre)
    number = hospital.admin.get(f"/api/areas/{hospital.theatre}/restock").json()["number"]
    return hospital.theatre, hospital.gauze, number


def closed_restock_list(hospital: Hospital, caller: Caller) -> int:
    area_id, _, number = used_in_theatre(hospital, caller)
    body = {"number": number, "settle_rest": True}
    list_id: int = hospital.admin.post(f"/api/areas/{area_id}/restock/close", body).json()["id"]
    return list_id


def ticked_in_theatre(hospital: Hospital, caller: Caller) -> tuple[int, int, int]:
    area_id, product_id, number = second_restock_list(hospital, caller)
    tick = {"number": number, "quantity": 1}
    hospital.admin.put(f"/api/areas/{area_id}/restock/products/{product_id}", tick)
    return area_id, product_id, number


def second_restock_list(hospital: Hospital, caller: Caller) -> tuple[int, int, int]:
    closed_restock_list(hospital, caller)
    return used_in_theatre(hospital, caller)


def next_version(hospital: Hospital, _: object) -> dict[str, object]:
    """Record a line of May, and return the version of May that has it."""
    hospital.add_detail(hospital.open_sheet(), occurred_at="2026-05-20T10:00:00Z")
    [may, *_] = hospital.admin.get("/api/months?before=2026-06").json()["items"]
    return {"month": "2026-05", "turn": may["turn"] + 1}


def closed_month(hospital: Hospital, _: Caller) -> int:
    """The number of a closed month that was changed since."""
    closed: int = hospital.admin.post("/api/months", next_version(hospital, None)).json()["id"]
    next_version(hospital, None)
    return closed


def judgement(_: Hospital, sheet_id: int) -> dict[str, object]:
    return {"kind": "sheet_quiet", "sheet_id": sheet_id}


def judged_sheet(hospital: Hospital, _: Caller) -> int:
    sheet = hospital.open_sheet()
    assert hospital.admin.post("/api/worklist/judgements", judgement(hospital, sheet)).status_code == 204
    return sheet


def closed_sheet(hospital: Hospital, _: Caller) -> int:
    return hospital.closed_sheet()


def sheet_closed_by(hospital: Hospital, caller: Caller) -> int:
    """Return a sheet that the caller has just closed."""
    sheet = hospital.open_sheet()
    caller.delete(f"{SHEETS}/{sheet}/close")
    return sheet


def closing(hospital: Hospital, _: Caller) -> tuple[int, int]:
    return hospital.closed_sheet(), 1


def paper(hospital: Hospital, _: Caller) -> str:
    """Return the text on a closed sheet's paper."""
    printed = hospital.admin.get(f"{SHEETS}/{hospital.closed_sheet()}/pdf").content
    found = re.search(rb"/Keywords \((\w+)\)", printed)
    assert found
    return found[1].decode()


def sheet_with_lines(hospital: Hospital, _: Caller) -> int:
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet)
    return sheet


def transferred_sheet(hospital: Hospital, _: Caller) -> int:
    sheet = hospital.open_sheet()
    hospital.supervisor.post(f"{SHEETS}/{sheet}/transfer", {"room_id": hospital.theatre_room})
    return sheet


def used(hospital: Hospital, *_: object) -> dict[str, object]:
    return {"product_id": hospital.gauze, "quantity": 3}


def someones_detail(hospital: Hospital, _: Caller) -> int:
    return int(hospital.add_detail(hospital.open_sheet())["id"])


def someones_wasted_detail(hospital: Hospital, caller: Caller) -> int:
    detail = someones_detail(hospital, caller)
    body = {"quantity": 2, "use_reason": "opened"}
    assert hospital.admin.post(f"{DETAILS}/{detail}/waste", body).is_success
    return detail


def own_detail(hospital: Hospital, caller: Caller) -> int:
    """A detail of the caller, or of another user if the caller may not record."""
    may_record = caller.staff_id is not None and caller.get("/api/auth/profile").status_code == 200
    return int(hospital.add_detail(hospital.open_sheet(), by=caller if may_record else None)["id"])


def sheet_and_own_detail(hospital: Hospital, caller: Caller) -> tuple[int, int]:
    detail = own_detail(hospital, caller)
    return hospital.detail(detail)["consumption_sheet_id"], detail


def moving(hospital: Hospital, _: object, detail: int) -> dict[str, object]:
    return {"detail_ids": [detail], "to_sheet_id": hospital.open_sheet(), "reason": "Otro paciente"}


def form_of_sheet(_: Hospital, sheet: int) -> dict[str, object]:
    return {"sheet_ids": [sheet]}


def form(hospital: Hospital, _: Caller) -> tuple[int, int]:
    """Print a form; returns its number and its sheet."""
    sheet = hospital.open_sheet()
    with hospital.store.begin() as work:
        printed = ContingencyForm(sheet_id=sheet, area_id=None, printed_at=hospital.clock(), printed_by=1)
        work.contingency_forms.add(printed)
    return printed.id, sheet


def noted(hospital: Hospital, _: int, sheet: int) -> dict[str, object]:
    body = {"sheet_id": sheet, "items": [used(hospital)], "occurred_at": hospital.clock().isoformat()}
    return {**body, "acknowledged": ["quantity.far_out"]}


def label_of_gauze(hospital: Hospital, *_: object) -> dict[str, object]:
    return {"what": "product", "items": [{"id": hospital.gauze}], "size": "50x25"}


def wristband(hospital: Hospital, *_: object) -> dict[str, object]:
    return {"what": "band", "items": [{"id": hospital.patient}], "size": "band-adult"}


def late(hospital: Hospital, *_: object) -> dict[str, object]:
    return {"items": [used(hospital)], "occurred_at": hospital.clock().isoformat()}


def sheet_with_late_entry(hospital: Hospital, _: Caller) -> int:
    sheet = hospital.closed_sheet()
    assert hospital.nurse.post(f"{SHEETS}/{sheet}/late-entries", late(hospital)).status_code == 201
    return sheet


def late_entry(hospital: Hospital, _: Caller) -> int:
    """A late entry of a sheet that was reopened."""
    sheet = hospital.closed_sheet()
    entry = hospital.nurse.post(f"{SHEETS}/{sheet}/late-entries", late(hospital)).json()["id"]
    hospital.admin.post(f"{SHEETS}/{sheet}/reopen", {"reason": "Llegó tarde"})
    return int(entry)


UNLISTED = {"description": "bisturí láser", "quantity": 1}


def own_unlisted_item(hospital: Hospital, caller: Caller) -> int:
    """An item noted by the caller, or by the nurse if the caller may not."""
    path = f"{SHEETS}/{hospital.open_sheet()}/unlisted-items"
    noted = caller.post(path, UNLISTED)
    noted = noted if noted.status_code == 201 else hospital.nurse.post(path, UNLISTED)
    return int(noted.json()["id"])


def unlisted_item(hospital: Hospital, _: Caller) -> int:
    """An item that the nurse noted on an open sheet."""
    return own_unlisted_item(hospital, hospital.nurse)


# --- catalogue -------------------------------------------------------------------------------------------------------


def a_code(hospital: Hospital, *_: object) -> dict[str, object]:
    return {"system": "hibc", "code": f"+{next(hospital.numbers)}"}


def code(hospital: Hospital, _: Caller) -> int:
    return int(hospital.supervisor.post(f"/api/products/{hospital.gauze}/codes", a_code(hospital)).json()["id"])


def pictured(hospital: Hospital, _: Caller) -> int:
    path, width = f"/api/products/{hospital.gauze}/picture", 10 + next(hospital.numbers)
    assert hospital.admin.put(path, an_image(size=(width, 8))).status_code == 200
    return hospital.gauze


def typed_name(hospital: Hospital, _: Caller) -> int:
    path, text = f"/api/products/{hospital.gauze}/typed-names", f"apósito {next(hospital.numbers)}"
    for _time in range(3):
        assert hospital.nurse.post(path, {"text": text}).status_code == 204
    return max(int(one["id"]) for one in hospital.supervisor.get(path).json()["items"])


def unknown_code(hospital: Hospital, _: Caller) -> str:
    hospital.nurse.get("/api/products/lookup?scan=ZZ/1")
    return "code"


def recalled(hospital: Hospital, *_: object) -> dict[str, object]:
    return {"product_id": hospital.gauze, "lot": "L1", "reason": "Empaque"}


def recall(hospital: Hospital, _: Caller) -> int:
    return int(hospital.supervisor.post("/api/recalls", recalled(hospital)).json()["id"])


def recalled_use(hospital: Hospital, _: Caller) -> int:
    """A recalled line that is not marked as seen."""
    hospital.supervisor.post("/api/recalls", recalled(hospital))
    return int(
        hospital.add_detail(hospital.open_sheet(), lot="L1", acknowledged=["lot.recalled"], recall_reason="R")["id"]
    )


def sheet_with_implant(hospital: Hospital, _: Caller) -> int:
    """A closed sheet with an implant."""
    product = {"name": "Marcapasos", "price": 1, "category_id": 1, "implant": True}
    product_id = hospital.admin.post("/api/products", product).json()["id"]
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet, product_id=product_id, quantity=1, lot="L1", serial=f"S{next(hospital.numbers)}")
    assert hospital.admin.delete(f"{SHEETS}/{sheet}/close").is_success
    return sheet


def kit_draft(hospital: Hospital, **changes: object) -> dict[str, object]:
    lines = [{"product_id": hospital.gauze, "quantity": 2}]
    return {"name": f"Kit {next(hospital.numbers)}", "lines": lines, **changes}


def kit(hospital: Hospital, _: Caller | None, owner: int | None = None) -> int:
    line = KitLine(product_id=hospital.gauze, quantity=Decimal(2))
    made = Kit(name=f"Kit {next(hospital.numbers)}", user_id=owner, lines=(line,))
    with hospital.store.begin() as work:
        work.kits.add(made)
    return made.id


def own_kit(hospital: Hospital, caller: Caller) -> int:
    return kit(hospital, caller, caller.user_id or hospital.admin.user_id)


# Path, placeholder and body of each entity that is kept.
UPKEEP: tuple[tuple[str, str, Mapping[str, object]], ...] = (
    *((path, record.one, record.fields) for path, record in RECORDS.items()),
    ("products", "product", {"name": "Sonda Foley 16 Fr", "price": 3.2, "category_id": 1}),
    ("patients", "patient", {"name": "Luz", "first_surname": "Soto", "active": 1}),
)


def fresh(body: Mapping[str, object]) -> Callable[..., dict[str, object]]:
    """The body with new texts."""
    return lambda hospital, *_: {
        name: f"N{next(hospital.numbers)}" if isinstance(value, str) else value for name, value in body.items()
    }


def new(path: str, body: Mapping[str, object]) -> Things:
    """An entity without references, created for this call."""
    return lambda hospital, _: int(hospital.admin.post(f"/api/{path}", fresh(body)(hospital)).json()["id"])


# --- patients --------------------------------------------------------------------------------------------------------


def double(hospital: Hospital, _: Caller) -> tuple[int, int]:
    """Two records of one person; the first has a sheet."""
    numbers = (next(hospital.numbers), next(hospital.numbers))
    bodies = ({"name": "Luz", "first_surname": "Soto", "record_number": f"M-{number}"} for number in numbers)
    first, second = (hospital.admin.post("/api/patients", body).json()["id"] for body in bodies)
    hospital.open_sheet(patient_id=first)
    return first, second


def imported_users(hospital: Hospital, _: Caller) -> int:
    """The id of an import of one user."""
    text = f"email;rol\nimported-{next(hospital.numbers)}@hospital.test;1\n"
    sent = hospital.admin.post("/api/imports?noun=users&file_name=users.csv", text.encode())
    return int(json.loads(sent.text.splitlines()[-1])["report"]["import_id"])


def ranges(hospital: Hospital, _: object) -> dict[str, object]:
    return {"ranges": f"R{next(hospital.numbers)}A–B", "area_id": hospital.theatre}


def unidentified(hospital: Hospital, _: Caller) -> int:
    """An unidentified patient, with an open sheet."""
    admitted = hospital.admin.post(f"{SHEETS}/unidentified", {"room_id": hospital.room, "sex": "male", "age": 40})
    return int(admitted.json()["patient_id"])


def identity(hospital: Hospital, _: int) -> dict[str, object]:
    return {"name": "Luz", "first_surname": "Soto", "record_number": f"U-{next(hospital.numbers)}"}


def merging(_: Hospital, __: int, second: int) -> dict[str, object]:
    return {"into_id": second, "reason": "La misma persona"}


def merged(hospital: Hospital, caller: Caller) -> int:
    first, second = double(hospital, caller)
    assert hospital.admin.post(f"/api/patients/{first}/merge", merging(hospital, first, second)).status_code == 200
    return first


# --- messages --------------------------------------------------------------------------------------------------------


def held_message(hospital: Hospital, _: Caller | None = None, *, has_location: bool = True) -> int:
    """The id of a message held for its room, and then for its patient."""
    number = next(hospital.numbers)
    location = f"UCI^{number}" if has_location else None
    kept = InboundMessage(
        source="HIS|HOSPITAL", control_id=f"C-{number}", digest="d", kind="A01",
        body=adt("A01", number=None, location=location, control_id=f"C-{number}"),
        event_at=hospital.clock(), received_at=hospital.clock(),
        user_id=hospital.admin.user_id, location=location, visit_number=f"V-{number}", record_number=f"M-{number}",
    )  # fmt: skip
    unknown = Reason(Code.LOCATION_UNKNOWN, params={"location": location})
    kept.hold(unknown if location else Reason(Code.LOCATION_MISSING))
    with hospital.store.begin() as work:
        work.inbound_messages.add(kept)
    return kept.id


def dismissed_message(hospital: Hospital, _: Caller) -> None:
    hospital.admin.post(f"{MESSAGES}/{held_message(hospital)}/dismiss", {"reason": "De prueba"})


def outbound_message(hospital: Hospital, _: Caller) -> int:
    """A message to billing that waits."""
    return an_outbound_message(hospital.store, hospital.clock(), hospital.closed_sheet())


# --- accounts --------------------------------------------------------------------------------------------------------


def email(hospital: Hospital) -> str:
    """An unused email; equal in two hospitals with the same history."""
    return f"new-{next(hospital.numbers)}@consumo.test"


def user(hospital: Hospital, _: Caller) -> int:
    return hospital.someone(Role.USER).user_id


def administrator(hospital: Hospital, _: Caller) -> int:
    return hospital.someone(Role.ADMIN).user_id


def oneself(_: Hospital, caller: Caller) -> int:
    return caller.user_id or 1


def linked(of: Callable[[Hospital, Caller], int]) -> Things:
    """A user who is linked at the identity provider."""

    def make(hospital: Hospital, caller: Caller) -> int:
        user_id = of(hospital, caller)
        with hospital.store.begin() as work:
            user = work.users.get(user_id)
            assert user is not None
            user.link(ISSUER, f"s-{user.id}")
            work.users.save(user)
        return user.id

    return make


def own_session(hospital: Hospital, caller: Caller) -> str:
    """The id in the caller's token."""
    token = caller.headers.get("Authorization", "").rpartition(" ")[2]
    try:
        return JwtTokens(SECRET_KEY, clock=hospital.clock).read(token)[0]
    except Unauthenticated:
        return "none"


def announced(hospital: Hospital, *_: object) -> bytes:
    return f"logout_token=j-{next(hospital.numbers)}:s:".encode()


def linking(_: Hospital, session_id: str) -> dict[str, object]:
    return OIDC_RETURN | {"transaction": f"link {session_id}"}


def account(**particulars: object) -> Callable[..., dict[str, object]]:
    return lambda hospital, *_: {"email": email(hospital), **particulars}


def passkey(of: Callable[[Hospital, Caller], int]) -> Things:
    """A user, and the id of a passkey of theirs."""

    def make(hospital: Hospital, caller: Caller) -> tuple[int, int]:
        user_id = of(hospital, caller)
        made = a_passkey(user_id, hospital.clock())
        with hospital.store.begin() as work:
            work.passkeys.add(made)
        return user_id, made.id

    return make


def new_credential(_: Hospital, caller: Caller) -> dict[str, object]:
    """The answer of a device to the options for the caller."""
    options = caller.post("/api/auth/passkeys/options")
    return PasskeyDevice(origin=PUBLIC_ADDRESS).create(options.json()["options"]) if options.status_code == 201 else {}


def session(of: Callable[[Hospital, Caller], int]) -> Things:
    """A user, and the id of their first session."""

    def make(hospital: Hospital, caller: Caller) -> tuple[int, str]:
        user_id = of(hospital, caller)
        with hospital.store.read() as views:
            sessions = views.sessions(user_id, hospital.clock())
        return user_id, sessions[0].id if sessions else "none"

    return make


def confirmed(_: Hospital, caller: Caller) -> int:
    """The caller, whose session is confirmed by the password."""
    caller.post("/api/auth/unlock", {"password": PASSWORD})
    return caller.user_id or 1


def signed(caller: Caller, what: str, device: Device = TABLET) -> Proof:
    """A signed nonce of the caller's session, if there is one."""
    answer = caller.post("/api/auth/nonce")
    nonce = answer.json()["nonce"] if answer.status_code == 201 else "none"
    return device.signed(what, nonce, caller.user_id)


def device_form(hospital: Hospital, caller: Caller) -> tuple[object, ...]:
    confirmed(hospital, caller)
    return ({"public_key": TABLET.public_key, **signed(caller, "device")},)


def as_made(_: Hospital, body: object) -> object:
    return body


def a_badge(hospital: Hospital, *_: object) -> dict[str, object]:
    return {"badge": f"BADGE-{next(hospital.numbers)}", "name": "Credencial azul"}


def badge_of(of: Callable[[Hospital, Caller], int]) -> Things:
    """A user, and the id of a badge of theirs."""

    def make(hospital: Hospital, caller: Caller) -> tuple[int, int]:
        user_id = of(hospital, caller)
        badge = Badge(
            user_id=user_id,
            digest=f"digest {next(hospital.numbers)}",
            made_by=hospital.admin.user_id,
            made_at=hospital.clock(),
        )
        with hospital.store.begin() as work:
            work.badges.add(badge)
        return user_id, badge.id

    return make


def scanned_badge(hospital: Hospital, caller: Caller) -> tuple[object, ...]:
    """The form with the badge of a user of the caller's device."""
    someone, badge = hospital.someone(Role.USER), a_badge(hospital)
    for each in (someone, caller):
        (form,) = device_form(hospital, each)
        each.put("/api/auth/device", form)
    assert someone.post(f"/api/users/{someone.user_id}/badges", badge).status_code == 201
    return ({"badge": badge["badge"], **signed(caller, "badge")},)


def device_of_someone(hospital: Hospital, _: Caller) -> str:
    """A device with the session of a new user."""
    someone, device = hospital.someone(Role.USER), Device()
    someone.post("/api/auth/unlock", {"password": PASSWORD})
    form = {"public_key": device.public_key, **signed(someone, "device", device)}
    assert someone.put("/api/auth/device", form).status_code == 204
    return device.thumbprint


def program(hospital: Hospital, *_: object) -> dict[str, object]:
    return {"name": f"Programa {next(hospital.numbers)}"}


def key_draft(hospital: Hospital, *_: object) -> dict[str, object]:
    return {**program(hospital), "scopes": ["sheets.read"]}


def service_account(hospital: Hospital, _: Caller) -> int:
    return int(hospital.admin.post(ACCOUNTS, program(hospital)).json()["id"])


def key(hospital: Hospital, caller: Caller) -> int:
    path = f"{ACCOUNTS}/{service_account(hospital, caller)}/keys"
    return int(hospital.admin.post(path, key_draft(hospital)).json()["key"]["id"])


def hospital_settings(hospital: Hospital, *_: object) -> dict[str, object]:
    settings: dict[str, object] = hospital.admin.get("/api/hospital/settings").json()
    return settings | {"name": f"Hospital {settings['version']}"}


def other_image(hospital: Hospital, *_: object) -> bytes:
    version: int = hospital.admin.get("/api/hospital/settings").json()["version"]
    return an_image(size=(40 + version, 40))


def logo(hospital: Hospital, _: Caller) -> None:
    assert hospital.admin.put("/api/hospital/logo", other_image(hospital)).status_code == 200


# --- imports ---------------------------------------------------------------------------------------------------------


def file_with_a_new_room(hospital: Hospital, *_: object) -> bytes:
    return f"name;area\nSala {next(hospital.numbers)};Urgencias\n".encode()


def file_of_the_store(*_: object) -> bytes:
    return "área;código;descripción;cantidad\nUrgencias;X-1;Gasa;3\n".encode()


def imported(hospital: Hospital, _: Caller) -> int:
    """A finished import."""
    sent = hospital.admin.post("/api/imports?noun=rooms&file_name=salas.csv", file_with_a_new_room(hospital))
    return int(json.loads(sent.text.splitlines()[-1])["report"]["import_id"])


MESSAGES = "/api/inbound-messages"
OUTBOUND = "/api/outbound-messages"
SHEET = f"{SHEETS}/{{sheet_id}}"
DETAIL = f"{DETAILS}/{{detail_id}}"
MESSAGE = f"{MESSAGES}/{{message_id}}"
OUTBOUND_MESSAGE = f"{OUTBOUND}/{{outbound_message_id}}"
MONTH = "/api/months/{month_id}"
PRODUCT = "/api/products/{product_id}"
RESTOCK = "/api/areas/{area_id}/restock"
RESTOCK_LIST = "/api/restock-lists/{restock_list_id}"
USER = "/api/users/{user_id}"
PASSKEY = f"{USER}/passkeys/{{passkey_id}}"
BADGES = f"{USER}/badges"
PIN = "480716"
RESET = "/api/auth/password-reset"
RESET_FORM = {"token": "x", "password": PASSWORD, "password_confirmation": PASSWORD}
OIDC_RETURN: dict[str, object] = {"code": "new", "state": "jq3XvCxUSWHzxTi3BvQPGf9p"}
REPEATED = {"reason": "Repetida"}

EVERY_CALL = [
    # session, own account
    Call(
        "POST",
        "/api/auth/login",
        "session.sign_in",
        body=lambda h, _: {"email": h.email(h.colleague), "password": PASSWORD},
    ),
    Call("POST", "/api/auth/logout", "session.sign_out", status=204),
    Call("POST", "/api/auth/oidc/start", "session.begin_oidc"),
    Call("POST", "/api/auth/oidc/exchange", "session.finish_oidc", body=OIDC_RETURN | {"transaction": SIGN_IN}),
    Call("POST", "/api/auth/oidc/link/start", "account.begin_linking_oidc"),
    Call("POST", "/api/auth/oidc/link", "account.link_oidc", own_session, linking, status=204),
    Call("GET", "/api/auth/oidc/logout-url", "session.read_logout_url"),
    Call("POST", "/api/auth/oidc/backchannel-logout", "session.end_by_provider", body=announced, status=200),
    Call("GET", "/api/auth/profile", "account.read"),
    Call("GET", "/api/staff/profile", "account.read_profile"),
    Call("PUT", "/api/users/account/ward", "account.choose_ward", body={"area_id": None}),
    Call("PUT", "/api/staff/profile", "account.complete_profile", body={"name": "Ana", "first_surname": "Ríos"}),
    # sheets
    Call("GET", SHEETS, "sheets.reader"),
    Call("GET", SHEETS, "sheets.reader", query="closed=true", about="closed"),
    Call("POST", SHEETS, "sheets.open", body=lambda h, _: h.admission()),
    Call("POST", f"{SHEETS}/unidentified", "sheets.admit_unidentified", body=lambda h, _: {"room_id": h.room}),
    Call("GET", SHEET, "sheets.read", open_sheet),
    Call("GET", SHEET, "sheets.read", closed_sheet, about="closed"),
    Call("GET", f"{SHEET}/version", "sheets.read_version", closed_sheet),
    Call("GET", f"{SHEET}/summary", "sheets.summarize", closed_sheet),
    Call("GET", f"{SHEET}/pdf", "sheets.print", closed_sheet),
    Call("GET", f"{SHEET}/usual-products", "sheets.list_usual_products", closed_sheet),
    Call("GET", f"{SHEET}/missed-charges", "missed_charges.list", missed_charge),
    Call(
        "PUT",
        f"{SHEET}/missed-charges/{{product_id}}",
        "missed_charges.answer",
        missed_charge,
        lambda h, *_: {"because_id": h.gauze, "used": False},
        status=204,
    ),
    Call("POST", "/api/areas/{area_id}/sheet", "area_sheets.open", new_area),
    Call("GET", "/api/area-sheets/{sheet_id}", "area_sheets.read", page_of_area),
    Call("GET", "/api/areas/{area_id}/sheets", "area_sheets.list", area_with_page),
    Call("GET", f"{SHEET}/repeatable", "sheets.list_repeatable", closed_sheet),
    Call("GET", f"{SHEET}/closings", "sheets.list_closings", closed_sheet),
    Call("GET", f"{SHEET}/closings/{{turn}}", "sheets.read_closing", closing),
    Call("GET", f"{SHEET}/closings/{{turn}}/pdf", "sheets.print", closing),
    Call("GET", f"{SHEETS}/paper", "sheets.check_paper", paper, query="text={0}"),
    Call("GET", "/api/documents/paper", "sheets.check_paper", paper, query="text={0}"),
    Call("GET", f"{SHEET}/account", "accounts.read", open_sheet),
    Call("POST", f"{SHEET}/accounts", "accounts.issue", open_sheet),
    Call("GET", f"{SHEET}/account/changes", "accounts.compare", closed_sheet, query="since=closing-1"),
    Call("GET", f"{SHEET}/account/pdf", "accounts.print", closed_sheet, query="of=closing-1"),
    Call("PUT", SHEET, "sheets.update", open_sheet, lambda h, _: h.admission()),
    Call(
        "POST",
        f"{SHEET}/transfer",
        "sheets.transfer_patient",
        open_sheet,
        lambda h, _: {"room_id": h.theatre_room},
        status=200,
    ),
    Call("DELETE", f"{SHEET}/stays/last", "sheets.undo_transfer", transferred_sheet, status=200),
    Call("DELETE", SHEET, "sheets.delete", open_sheet),
    Call("DELETE", SHEET, "sheets.delete (with lines)", sheet_with_lines),
    Call("DELETE", SHEET, "sheets.delete (closed)", closed_sheet),
    Call("DELETE", f"{SHEET}/close", "sheets.close", open_sheet, status=200),
    Call("POST", f"{SHEET}/reopen", "sheets.reopen", closed_sheet, {"reason": "Faltó una cánula"}, status=200),
    Call("POST", f"{SHEET}/close/undo", "sheets.undo_closing", sheet_closed_by, status=200),
    # details
    Call("GET", DETAILS, "details.reader"),
    Call("GET", f"{SHEET}/consumption-details", "details.list_of_sheet", open_sheet),
    Call(
        "POST",
        DETAILS,
        "details.add",
        open_sheet,
        lambda h, sheet: {**used(h), "consumption_sheet_id": sheet},
    ),
    Call("POST", f"{SHEET}/consumption-details", "details.add", open_sheet, used),
    Call(
        "POST",
        f"{SHEET}/consumption-details/several",
        "details.record_many",
        open_sheet,
        lambda h, _: {"items": [used(h), {**used(h), "product_id": h.cannula}]},
    ),
    Call("GET", DETAIL, "details.reader", someones_detail),
    Call("PUT", DETAIL, "details.edit", someones_detail, used),
    Call("DELETE", DETAIL, "details.delete (own)", own_detail),
    Call("DELETE", DETAIL, "details.delete (of someone else)", someones_detail),
    Call("POST", f"{DETAIL}/void", "details.void (own)", own_detail, REPEATED, status=200),
    Call("POST", f"{DETAIL}/void", "details.void (of someone else)", someones_detail, REPEATED, status=200),
    Call("POST", f"{DETAIL}/correct", "details.correct (own)", own_detail, {"quantity": 7}),
    Call("POST", f"{DETAIL}/correct", "details.correct (of someone else)", someones_detail, {"quantity": 7}),
    Call(
        "POST",
        f"{DETAILS}/void",
        "details.void (own)",
        own_detail,
        lambda _, detail: {"ids": [detail], **REPEATED},
        status=200,
        about="",
    ),
    Call("POST", f"{SHEET}/move-details", "details.move (own)", sheet_and_own_detail, moving, status=200, about=""),
    Call(
        "POST",
        f"{DETAIL}/return",
        "details.return_part",
        someones_detail,
        {"quantity": 1, "reason": "unused"},
        status=200,
    ),
    Call(
        "POST",
        f"{DETAIL}/waste",
        "details.mark_waste",
        someones_detail,
        {"quantity": 2, "use_reason": "opened"},
        status=200,
    ),
    Call("DELETE", f"{DETAIL}/waste", "details.unmark_waste", someones_wasted_detail, status=200),
    # late entries and unlisted items
    Call("POST", f"{SHEET}/late-entries", "late_entries.submit", closed_sheet, late),
    Call("GET", f"{SHEET}/late-entries", "late_entries.list", sheet_with_late_entry),
    Call("POST", "/api/late-entries/{late_entry_id}/record", "late_entries.record", late_entry, {}, status=200),
    Call(
        "POST",
        "/api/late-entries/{late_entry_id}/dismiss",
        "late_entries.dismiss",
        late_entry,
        {"reason": "Ya está en otra hoja"},
        status=200,
    ),
    Call("POST", f"{SHEET}/unlisted-items", "unlisted_items.note", open_sheet, UNLISTED),
    Call("GET", f"{SHEET}/unlisted-items", "unlisted_items.list", open_sheet),
    Call(
        "POST",
        "/api/unlisted-items/{unlisted_item_id}/resolve",
        "unlisted_items.resolve",
        unlisted_item,
        lambda h, _: {"product_id": h.gauze},
        status=200,
    ),
    Call(
        "POST",
        "/api/unlisted-items/{unlisted_item_id}/discard",
        "unlisted_items.discard",
        unlisted_item,
        {"reason": "No se usó"},
        status=200,
    ),
    Call(
        "DELETE",
        "/api/unlisted-items/{unlisted_item_id}",
        "unlisted_items.withdraw (own)",
        own_unlisted_item,
        about="",
    ),
    # messages of the hospital's system and to billing
    Call("GET", MESSAGES, "inbound_messages.list", dismissed_message),
    Call(
        "GET",
        MESSAGES,
        "inbound_messages.list",
        held_message,
        query="state=held&kind=A01&reason=location.unknown&q=V-",
        about="with a search",
    ),
    Call("GET", MESSAGE, "inbound_messages.read", held_message),
    Call("POST", f"{MESSAGE}/retry", "inbound_messages.retry", held_message, status=204),
    Call(
        "POST",
        f"{MESSAGES}/retry",
        "inbound_messages.retry",
        held_message,
        lambda _, message_id: {"ids": [message_id]},
        status=200,
    ),
    Call(
        "POST",
        f"{MESSAGES}/dismiss",
        "inbound_messages.dismiss",
        held_message,
        lambda _, message_id: {"ids": [message_id], "reason": "De prueba"},
        status=200,
    ),
    Call("POST", f"{MESSAGE}/dismiss", "inbound_messages.dismiss", held_message, {"reason": "De prueba"}, status=204),
    Call(
        "POST",
        f"{MESSAGE}/room",
        "inbound_messages.assign_room",
        held_message,
        lambda h, _: {"room_id": h.room},
        status=204,
    ),
    Call(
        "POST",
        f"{MESSAGE}/patient",
        "inbound_messages.assign_patient",
        held_message,
        lambda h, _: {"patient_id": h.patient},
        status=204,
    ),
    Call(
        "POST",
        f"{MESSAGE}/open",
        "inbound_messages.open_sheet",
        lambda h, _: held_message(h, has_location=False),
        lambda h, _: {"room_id": h.room},
        status=204,
    ),
    Call(
        "POST",
        f"{MESSAGE}/sheet",
        "inbound_messages.assign_sheet",
        lambda h, _: (held_message(h), h.open_sheet()),
        lambda _, __, sheet_id: {"consumption_sheet_id": sheet_id},
        status=204,
    ),
    Call("GET", OUTBOUND, "outbound_messages.reader", query="state=waiting"),
    Call("GET", OUTBOUND_MESSAGE, "outbound_messages.read", outbound_message),
    Call("POST", f"{OUTBOUND_MESSAGE}/retry", "outbound_messages.retry", outbound_message, status=200),
    Call(
        "POST",
        f"{OUTBOUND_MESSAGE}/settle",
        "outbound_messages.mark_sent",
        outbound_message,
        {"reason": "Se registró a mano"},
        status=200,
    ),
    # kits
    Call("GET", "/api/kits", "kits.reader", kit),
    Call("GET", "/api/kits/{kit_id}", "kits.reader", kit),
    Call("GET", "/api/kits/{kit_id}/review", "kits.review (of the hospital)", kit),
    Call("GET", "/api/kits/{kit_id}/review", "kits.review (own)", own_kit),
    Call("POST", "/api/kits", "kits.create (of the hospital)", body=lambda h, _: kit_draft(h)),
    Call("POST", "/api/kits", "kits.create (own)", body=lambda h, _: kit_draft(h, own=True)),
    Call("PUT", "/api/kits/{kit_id}", "kits.update (of the hospital)", kit, lambda h, _: kit_draft(h)),
    Call("PUT", "/api/kits/{kit_id}", "kits.update (own)", own_kit, lambda h, _: kit_draft(h)),
    Call("DELETE", "/api/kits/{kit_id}", "kits.delete (of the hospital)", kit),
    Call("DELETE", "/api/kits/{kit_id}", "kits.delete (own)", own_kit),
    # the catalogue
    Call("GET", "/api/products", "products.search", query="q=gasa"),
    Call("GET", "/api/products", "products.search", query="q=gaza", about="nearest"),
    Call("GET", f"{PRODUCT}/prices", "products.read_price_history", "gauze"),
    Call("GET", f"{PRODUCT}/usual-quantity", "products.read_usual_quantity", "gauze"),
    Call("PUT", f"{PRODUCT}/favourite", "products.pin", "gauze", status=204),
    Call("DELETE", f"{PRODUCT}/favourite", "products.unpin", "gauze"),
    Call("GET", f"{PRODUCT}/picture", "products.read_picture", pictured),
    Call("PUT", f"{PRODUCT}/picture", "products.set_picture", "gauze", an_image(size=(9, 9))),
    Call("DELETE", f"{PRODUCT}/picture", "products.remove_picture", pictured),
    Call("GET", f"{PRODUCT}/codes", "products.list_codes", "gauze"),
    Call("POST", f"{PRODUCT}/codes", "products.add_code", "gauze", a_code),
    Call("DELETE", "/api/product-codes/{code_id}", "products.remove_code", code),
    Call("POST", f"{PRODUCT}/typed-names", "typed_names.note", "gauze", {"text": "suero"}, status=204),
    Call("GET", f"{PRODUCT}/typed-names", "typed_names.list", "gauze"),
    Call("POST", "/api/typed-names/{typed_name_id}/add", "typed_names.add", typed_name, status=200),
    Call("POST", "/api/typed-names/{typed_name_id}/dismiss", "typed_names.dismiss", typed_name, status=204),
    Call("GET", "/api/catalogue", "products.read_catalogue"),
    Call("POST", "/api/labels", "labels.print", body=label_of_gauze, status=200),
    Call("POST", "/api/labels", "labels.print (patient)", body=wristband, status=200, about="of a patient"),
    Call("POST", FORMS, "contingency_forms.print", open_sheet, form_of_sheet, status=200),
    Call("GET", FORMS, "contingency_forms.list", form),
    Call("GET", f"{FORMS}/{{form_id}}", "contingency_forms.read", form),
    Call("POST", f"{FORMS}/{{form_id}}/record", "contingency_forms.record", form, noted),
    Call("POST", f"{FORMS}/{{form_id}}/discard", "contingency_forms.discard", form, {"reason": "R"}, status=200),
    Call("GET", "/api/products/lookup", "products.look_up", query="text=C-7"),
    Call("GET", "/api/unknown-codes", "products.list_unknown_codes"),
    Call("GET", "/api/products/typed", "products.list_typed"),
    Call("DELETE", "/api/unknown-codes/{system}", "products.ignore_unknown_code", unknown_code, query="code=ZZ/1"),
    Call("GET", "/api/implants", "implants.list"),
    Call("GET", f"{SHEET}/implant-card", "implants.print_card", sheet_with_implant),
    Call("GET", "/api/recalls", "recalls.reader"),
    Call("POST", "/api/recalls", "recalls.open", body=recalled),
    Call("GET", "/api/recalls/{recall_id}", "recalls.reader", recall),
    Call("PUT", "/api/recalls/{recall_id}", "recalls.update", recall, recalled),
    Call("POST", f"{DETAIL}/recall-seen", "recalls.acknowledge_use", recalled_use, status=204),
    Call("GET", "/api/recalls/{recall_id}/consumption-details", "recalls.list_details", recall),
    Call("POST", "/api/recalls/{recall_id}/set-aside", "recalls.set_aside", recall, {"quantity": 2}),
    Call("GET", "/api/recalls/{recall_id}/set-aside", "recalls.list_set_aside", recall),
    Call("GET", RESTOCK, "restock.read", second_restock_list),
    Call(
        "PUT",
        f"{RESTOCK}/products/{{product_id}}",
        "restock.put_back",
        second_restock_list,
        lambda _, *things: {"number": things[2], "quantity": 2},
    ),
    Call(
        "DELETE",
        f"{RESTOCK}/products/{{product_id}}",
        "restock.undo_put_back",
        ticked_in_theatre,
        query="number={2}",
        status=204,
    ),
    Call(
        "POST",
        f"{RESTOCK}/close",
        "restock.close",
        second_restock_list,
        lambda _, *things: {"number": things[2], "settle_rest": True},
    ),
    Call("GET", f"{RESTOCK}/lists", "restock.list_closed", "theatre"),
    Call("GET", RESTOCK_LIST, "restock.read_document", closed_restock_list),
    Call("GET", f"{RESTOCK_LIST}/pdf", "restock.read_document", closed_restock_list),
    Call("GET", f"{RESTOCK_LIST}/xlsx", "restock.read_document", closed_restock_list),
    Call("GET", "/api/areas/{area_id}/shelves", "restock.list_shelves", "theatre"),
    Call(
        "PUT",
        "/api/areas/{area_id}/shelves/{product_id}",
        "restock.set_shelf",
        used_in_theatre,
        lambda h, *_: {"shelf": f"B {next(h.numbers)}", "fixed_amount": 50},
    ),
    *(Call("GET", f"/api/{path}", f"{path}.reader") for path in RECORDS),
    Call("GET", "/api/patients", "patients.reader"),
    Call("GET", "/api/patients", "patients.search", query="q=bruno", about="searched"),
    Call("GET", "/api/staff", "staff.reader", query="unassigned=true", about="unassigned"),
    *(
        call
        for path, thing, body in UPKEEP
        for call in (
            Call("GET", f"/api/{path}/{{{thing}_id}}", f"{path}.reader", new(path, body)),
            Call("POST", f"/api/{path}", f"{path}.create", body=fresh(body)),
            Call("PUT", f"/api/{path}/{{{thing}_id}}", f"{path}.update", new(path, body), fresh(body)),
            Call("DELETE", f"/api/{path}/{{{thing}_id}}", f"{path}.delete", new(path, body)),
        )
    ),
    Call("POST", "/api/rooms/ranges/check", "rooms.check_ranges", body=ranges, status=200),
    Call("POST", "/api/rooms/ranges", "rooms.create_ranges", body=ranges),
    # merging patients
    Call("GET", "/api/patients/{patient_id}/merge-preview", "patients.preview_merge", double, query="into={1}"),
    Call("POST", "/api/patients/{patient_id}/merge", "patients.merge", double, merging, status=200),
    Call("POST", "/api/patients/{patient_id}/unmerge", "patients.unmerge", merged, status=200),
    Call("POST", "/api/patients/{patient_id}/identify", "patients.identify", unidentified, identity, status=200),
    # users
    Call("GET", "/api/users", "users.reader"),
    Call("GET", USER, "users.reader (one)", user, about=""),
    Call("GET", USER, "users.reader (one of role 10)", administrator),
    Call("GET", USER, "users.reader (own)", oneself),
    Call("POST", "/api/auth/register-by-admin", "users.invite", body=account(role="1")),
    Call("POST", "/api/auth/register-by-admin", "users.invite (role 10)", body=account(role="10")),
    Call("PUT", USER, "users.update", user, account(role="2", staff_id=0)),
    Call("PUT", USER, "users.update (to role 10)", user, account(role="10", staff_id=0)),
    Call("PUT", USER, "users.update (of role 10)", administrator, account(role="1", staff_id=0)),
    Call("PUT", USER, "account.change", oneself, account(current_password=PASSWORD), about="own"),
    Call("DELETE", USER, "users.delete", user),
    Call("DELETE", USER, "users.delete (of role 10)", administrator),
    Call("DELETE", USER, "users.delete (own)", oneself),
    Call("POST", f"{USER}/reset-link", "users.create_reset_link", user),
    Call("POST", f"{USER}/reset-link", "users.create_reset_link (of role 10)", administrator),
    Call("POST", f"{USER}/reset-link", "users.create_reset_link (own)", oneself),
    Call("DELETE", f"{USER}/oidc", "users.unlink_oidc", linked(user)),
    Call("DELETE", f"{USER}/oidc", "users.unlink_oidc (of role 10)", linked(administrator)),
    Call("DELETE", f"{USER}/oidc", "users.unlink_oidc (own)", oneself),
    # sessions
    Call("POST", "/api/auth/lock", "session.lock", status=204),
    Call("POST", "/api/auth/unlock", "session.unlock", body={"password": PASSWORD}, status=204),
    Call("GET", f"{USER}/sessions", "session.list", user),
    Call("GET", f"{USER}/sessions", "session.list (of role 10)", administrator),
    Call("GET", f"{USER}/sessions", "session.list (own)", oneself),
    Call("DELETE", f"{USER}/sessions", "session.end", user),
    Call("DELETE", f"{USER}/sessions", "session.end (of role 10)", administrator),
    Call("DELETE", f"{USER}/sessions", "session.end (own)", oneself),
    Call("DELETE", f"{USER}/sessions/{{session_id}}", "session.end", session(user)),
    Call("DELETE", f"{USER}/sessions/{{session_id}}", "session.end (of role 10)", session(administrator)),
    Call("DELETE", f"{USER}/sessions/{{session_id}}", "session.end (own)", session(oneself)),
    # passwords
    Call("POST", RESET, "account.request_password_reset", body={"email": "unknown@consumo.test"}, status=202),
    Call("POST", f"{RESET}/account", "account.read_link", body=RESET_FORM, status=422),
    Call("POST", f"{RESET}/confirm", "account.choose_password", body=RESET_FORM, status=422),
    Call("POST", f"{RESET}/strength", "account.check_password (by link)", body=RESET_FORM, status=422, about=""),
    Call(
        "POST",
        "/api/auth/first-administrator",
        "users.create_first_administrator",
        body=RESET_FORM,
        status=422,
        about="",
    ),
    Call("POST", "/api/auth/password-strength", "account.check_password", body={"password": PASSWORD}, status=200),
    # the audit log
    Call("GET", f"{SHEET}/history", "sheets.read_history", open_sheet),
    Call("GET", "/api/patients/{patient_id}/readers", "audit.read_access_log", "patient"),
    Call("GET", "/api/audit", "audit.reader", query="limit=25"),
    # devices, PINs and badges
    Call("POST", "/api/auth/nonce", "session.make_nonce"),
    Call("PUT", "/api/auth/device", "session.bind_device", device_form, as_made, status=204),
    Call("PUT", "/api/auth/pin", "session.set_pin", confirmed, {"pin": PIN, "pin_confirmation": PIN}, status=204),
    Call("DELETE", "/api/auth/pin", "session.remove_pin"),
    Call("POST", "/api/auth/badge", "badges.find", scanned_badge, as_made, status=200),
    Call("GET", BADGES, "badges.list", user),
    Call("GET", BADGES, "badges.list (of role 10)", administrator),
    Call("GET", BADGES, "badges.list (own)", oneself),
    Call("POST", BADGES, "badges.add", user, a_badge),
    Call("POST", BADGES, "badges.add (of role 10)", administrator, a_badge),
    Call("POST", BADGES, "badges.add (own)", confirmed, a_badge),
    Call("DELETE", f"{BADGES}/{{badge_id}}", "badges.remove", badge_of(user)),
    Call("DELETE", f"{BADGES}/{{badge_id}}", "badges.remove (of role 10)", badge_of(administrator)),
    Call("DELETE", f"{BADGES}/{{badge_id}}", "badges.remove (own)", badge_of(oneself)),
    Call("DELETE", "/api/devices/{device}/sessions", "session.end_on_device", device_of_someone),
    # links of imported users
    Call(
        "POST",
        "/api/users/imported-links",
        "users.create_imported_links",
        imported_users,
        lambda _, number: {"import_id": number},
    ),
    # service accounts and their keys
    Call("GET", ACCOUNTS, "service_accounts.list"),
    Call("POST", ACCOUNTS, "service_accounts.create", body=program),
    Call("PUT", f"{ACCOUNTS}/{{account_id}}", "service_accounts.update", service_account, program),
    Call("DELETE", f"{ACCOUNTS}/{{account_id}}", "service_accounts.delete", service_account),
    Call("POST", f"{ACCOUNTS}/{{account_id}}/keys", "service_accounts.create_key", service_account, key_draft),
    Call("DELETE", "/api/keys/{key_id}", "service_accounts.revoke_key", key),
    Call("GET", "/api/keys/self", "service_accounts.read_own_key"),
    # FHIR
    Call("GET", "/fhir/R4/metadata", ""),
    Call("GET", "/fhir/R4/{kind}", "patients.reader", lambda *_: "Patient"),
    Call("POST", "/fhir/R4/{kind}/_search", "patients.reader", lambda *_: "Patient", status=200),
    Call("GET", "/fhir/R4/{kind}/{fhir_id}", "patients.reader", lambda h, _: ("Patient", h.patient)),
    Call("GET", "/fhir/R4/.well-known/{name}", "", lambda *_: "smart-configuration", status=404),
    Call("GET", "/fhir/R4/{kind}", "fhir.read_closing_records", lambda *_: "Invoice", about="accounts"),
    # overview and reports
    Call("GET", "/api/months", "reports.list_months"),
    Call("POST", "/api/months", "reports.close_month", body=next_version),
    Call("GET", MONTH, "reports.read_month", closed_month),
    Call("GET", f"{MONTH}/pdf", "reports.export_month", closed_month),
    Call("GET", f"{MONTH}/xlsx", "reports.export_month", closed_month),
    Call("GET", "/api/overview", "reports.read_overview"),
    Call("GET", "/api/worklist", "reports.read_worklist"),
    Call("GET", "/api/worklist/count", "reports.read_worklist", about="counted"),
    Call("POST", "/api/worklist/judgements", "reports.judge_right", open_sheet, judgement, status=204),
    Call(
        "DELETE",
        "/api/worklist/judgements",
        "reports.undo_judgement",
        judged_sheet,
        query="kind=sheet_quiet&sheet_id={0}",
    ),
    Call(
        "PUT",
        "/api/devices/{device_id}/outbox",
        "status.report_outbox",
        lambda *_: "4c9e6679-7425-40de-944b-e07fc1f90ae7",
        {"count": 2, "oldest_at": "2026-01-01T06:00:00Z"},
        status=204,
    ),
    Call("GET", "/api/status", "status.read"),
    # Without a mail server it is refused.
    Call("POST", "/api/status/test-email", "status.send_test_email", status=422),
    Call("GET", "/api/ward", "reports.read_ward"),
    Call("GET", "/api/ward", "reports.read_ward", query="area_id=1", about="of an area"),
    Call("GET", "/api/shift", "reports.read_shift"),
    Call("GET", "/api/notices", "reports.list_notices"),
    Call("POST", "/api/notices/seen", "reports.mark_notices_seen", body={"ids": [1]}, status=204),
    Call("GET", "/api/reports/consumption", "reports.consumption"),
    Call("GET", "/api/reports/consumption", "reports.consumption", query="by=patient", about="by patient"),
    Call("GET", "/api/reports/consumption", "reports.consumption (by staff)", query="by=staff"),
    # imports of files
    Call("POST", "/api/imports/read", "imports.read_file", body=file_with_a_new_room, query="noun=rooms", status=200),
    Call(
        "POST",
        "/api/reports/reconciliation",
        "reports.reconcile_handed_out",
        body=file_of_the_store,
        query="from=2026-01-01&to=2026-12-31",
        status=200,
    ),
    Call(
        "POST",
        "/api/reports/reconciliation/workbook",
        "reports.reconcile_handed_out",
        body=file_of_the_store,
        query="from=2026-01-01&to=2026-12-31",
        status=200,
    ),
    Call("POST", "/api/imports/check", "imports.run", body=file_with_a_new_room, query="noun=rooms", status=200),
    Call("POST", "/api/imports/refused-rows", "imports.run", body=file_with_a_new_room, query="noun=rooms", status=200),
    Call(
        "POST",
        "/api/imports",
        "imports.run",
        body=file_with_a_new_room,
        query="noun=rooms&file_name=salas.csv",
        status=200,
    ),
    Call("GET", "/api/imports", "imports.reader"),
    Call("GET", "/api/imports/{import_id}", "imports.reader", imported),
    Call("POST", "/api/imports/{import_id}/undo", "imports.undo", imported, status=200),
    # static and public
    # the hospital
    Call("GET", "/api/hospital/settings", "hospital.read_settings"),
    Call("PUT", "/api/hospital/settings", "hospital.change_settings", body=hospital_settings),
    Call("POST", "/api/hospital/preview", "hospital.preview_settings", body=hospital_settings, status=200),
    Call("PUT", "/api/hospital/logo", "hospital.set_logo", body=other_image),
    Call("DELETE", "/api/hospital/logo", "hospital.remove_logo", logo, status=200),
    Call("GET", "/api/hospital/logo", "", logo),
    Call("GET", "/api/settings", ""),
    Call("GET", "/health/live", ""),
    Call("GET", "/health/ready", ""),
    # For operators, who authenticate as test_monitoring.py describes.
    Call("GET", "/metrics", "", status=404),
    Call("GET", "/schema/openapi.json", ""),
    Call("GET", "/", ""),
    Call("GET", "/{file_path}", "", lambda *_: "assets/app-1a2b.js"),
    # passkeys
    Call("POST", "/api/auth/passkey-sign-in/options", "passkeys.begin_sign_in"),
    Call("POST", "/api/auth/passkey-sign-in", "passkeys.sign_in", body={"credential": {"id": "x"}}, status=404),
    Call(
        "POST",
        "/api/auth/second-factor",
        "passkeys.give_second_factor",
        body={"ticket": "x", "credential": {"id": "x"}},
        status=422,
    ),
    Call("POST", "/api/auth/unlock/options", "passkeys.begin_unlock", passkey(oneself)),
    Call("POST", "/api/auth/passkeys/options", "passkeys.begin_registration"),
    Call(
        "POST",
        "/api/auth/passkeys",
        "passkeys.register",
        new_credential,
        body=lambda _, credential: {"credential": credential, "name": "Teléfono"},
    ),
    Call(
        "POST",
        "/api/auth/passkey-link/options",
        "passkeys.begin_registration (by link)",
        body={"token": "x"},
        status=422,
        about="",
    ),
    Call(
        "POST",
        "/api/auth/passkey-link",
        "passkeys.register (by link)",
        body={"token": "x", "credential": {"id": "x"}, "name": "Teléfono"},
        status=422,
        about="",
    ),
    Call("GET", f"{USER}/passkeys", "passkeys.list", user),
    Call("GET", f"{USER}/passkeys", "passkeys.list (of role 10)", administrator),
    Call("GET", f"{USER}/passkeys", "passkeys.list (own)", oneself),
    Call("PUT", PASSKEY, "passkeys.rename", passkey(user), {"name": "Tableta"}),
    Call("PUT", PASSKEY, "passkeys.rename (own)", passkey(oneself), {"name": "Tableta"}),
    Call("DELETE", PASSKEY, "passkeys.remove", passkey(user)),
    Call("DELETE", PASSKEY, "passkeys.remove (of role 10)", passkey(administrator)),
    Call("DELETE", PASSKEY, "passkeys.remove (own)", passkey(oneself)),
    Call("POST", f"{USER}/passkey-link", "passkeys.hand_out_link", user, {}),
    Call("POST", f"{USER}/passkey-link", "passkeys.hand_out_link (of role 10)", administrator, {}),
    Call("POST", f"{USER}/passkey-link", "passkeys.hand_out_link (own)", oneself, {}),
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


def to_each_role(whole: Container[tuple[str, str]]) -> list[tuple[Call, tuple[str, ...]]]:
    """Every call that takes a caller, with the roles that try it.

    The calls in ``whole`` are tried by each role. The others, which are refused alike, take turns.
    """
    calls = [call for call in EVERY_CALL if takes_a_caller(call)]
    return [
        (call, ROLES if (call.method, call.route) in whole else (ROLES[number % len(ROLES)],))
        for number, call in enumerate(calls)
    ]
