"""Generated requests get an answer that the OpenAPI document describes.

Two requests per operation on SQLite, twenty on each database with `make walk`, and with CONSUMO_GENERATED=10000 that
many, different ones in each run.
"""

import json
import os
import re
import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from httpx import Response
from hypothesis import HealthCheck, Phase, given, settings

from application.accounts.ports.identity import Session
from application.accounts.sign_in.begin_oidc_sign_in import SIGN_IN
from application.audit.audit_log import entry
from application.common.entities import AuditAction
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit, KitLine
from domain.catalogue.product import Category, CodeSystem, Product, ProductCode
from domain.catalogue.recall import Recall
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.catalogue.typed_name import TypedName
from domain.common.errors import Code, Reason
from domain.common.policy import Actor, Role
from domain.interop.inbound_message import InboundMessage
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.sheets.late_entry import LateEntry
from domain.sheets.missed_charges import ProductPair
from domain.sheets.sheet import PatientSheet, Usage
from domain.sheets.unlisted_item import UnlistedItem
from tests.builders import SettableClock, an_image, an_outbound_message
from tests.canaries import holds_amount
from tests.hl7.messages import adt
from tests.http.accounts.signed_in import register, token_of
from tests.http.generated import KINDS, Known, Made, Operation, Ref, as_body, as_path, faults, operations, requests
from tests.http.hospital import (
    ON_ANY_DATABASE,
    PASSWORD,
    PASSWORD_HASH,
    ZONE,
    Caller,
    Hospital,
    hospital_on,
)
from tests.http.routes import EVERY_CALL, OIDC_RETURN, linking, own_session
from tests.http.security.test_no_price_for_ward_staff import CANNULA, GAUZE, keys_of_prices_in, values_in
from tests.walk import WALKS_ALL

ASKED_FOR = int(os.environ.get("CONSUMO_GENERATED", "0"))
A_FEW = 20 if WALKS_ALL else 2
# Path parameters that refer to nothing.
NAMED = {"system": "code", "turn": 1, "device_id": "4c9e6679-7425-40de-944b-e07fc1f90ae7"}
A_PROBLEM = {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}


def are_alike(errors: list[dict[str, Any]], sentences: list[str]) -> bool:
    """Whether each sentence ends with that of its error."""
    return len(errors) == len(sentences) and all(
        said.endswith(error["message"]) for error, said in zip(errors, sentences, strict=True)
    )


class Run:
    """The requests to one hospital, as an administrator and as ward staff."""

    def __init__(self, hospital: Hospital, clock: SettableClock) -> None:
        self.hospital, self.clock = hospital, clock
        self.document: dict[str, Any] = hospital.client.get("/schema/openapi.json").json()
        self.known = Known()
        self.people = {Role.ADMIN: hospital.admin, Role.USER: hospital.nurse}
        self.answered: Counter[tuple[str, int]] = Counter()

    def furnish(self) -> None:
        """Create new things to refer to. The newest of each kind is unused."""
        hospital, known, now = self.hospital, self.known, self.clock()
        day = now.astimezone(ZONE).date()
        number = next(hospital.numbers)
        admin = Actor(user_id=hospital.admin.user_id, role=Role.ADMIN, staff_id=None)
        free = RoomStatus.AVAILABLE
        # Proving who they are counts for five minutes, and each request takes ten seconds.
        self.people[Role.ADMIN] = caller = hospital.sign_in(self.person(Role.ADMIN))
        with hospital.store.begin() as work:
            for again in range(2):
                name = f"Nuevo {number}-{again}"
                area, category, person = (
                    Area(name=name),
                    Category(code=name, name=name),
                    Staff(name=name, first_surname=""),
                )
                work.areas.add(area)
                work.categories.add(category)
                work.staff.add(person)
                in_area = known.things["area"][0] if again else area.id
                in_category = known.things["category"][0] if again else category.id
                room = Room(name=name, status=free, type=RoomType.SINGLE, area_id=in_area)
                product = Product(name=name, price=Decimal(GAUZE), category_id=in_category)
                patient = Patient(name=name, first_surname="Soto")
                user = User(email=f"{number}-{again}@hospital.test", role=Role.USER, password_hash=PASSWORD_HASH)
                work.rooms.add(room)
                work.products.add(product)
                work.patients.add(patient)
                work.users.add(user)
                session = Session(id=f"s-{number}-{again}", user_id=user.id, expires_at=now + timedelta(days=1))
                work.sessions.add(session)
                for kind, thing in (
                    ("area", area.id),
                    ("category", category.id),
                    ("staff", person.id),
                    ("room", room.id),
                    ("product", product.id),
                    ("patient", patient.id),
                    ("user", user.id),
                    ("session", session.id),
                    ("email", user.email),
                ):
                    known.add(kind, thing)
            sheets = []
            for closed_at in (None, now, None):
                sheet = PatientSheet(
                    patient_id=known.things["patient"][1],
                    room_id=known.things["room"][1],
                    admission_date=day,
                    diagnosis="",
                    doctor="",
                    closed_at=closed_at,
                )
                work.sheets.add(sheet)
                work.audit_log.append(entry(admin, now, AuditAction.SHEET_OPENED, after=sheet))
                sheets.append(sheet)
                known.add("sheet", sheet.id)
            used = work.products.get(known.things["product"][1])
            assert used is not None
            code = ProductCode(product_id=used.id, system=CodeSystem.SUPPLIER, code=f"C-{number}")
            recall = Recall(product_id=used.id, lot="L1", reason="", opened_at=now, opened_by=admin.user_id)
            work.product_codes.add(code)
            work.unknown_codes.count("code", f"ZZ-{number}", at=now, user_id=admin.user_id)
            known.add("unknown_code", f"ZZ-{number}")
            typed = TypedName(product_id=used.id, name=f"suero {number}", times=3, last_at=now)
            work.typed_names.add(typed)
            known.add("typed_name", typed.id)
            work.recalls.add(recall)
            known.add("code", code.id)
            known.add("recall", recall.id)
            for again in range(2):
                kit = Kit(name=f"Kit {number}-{again}", lines=(KitLine(product_id=used.id, quantity=Decimal(1)),))
                work.kits.add(kit)
                known.add("kit", kit.id)
            detail = sheets[0].record(Usage(product=used, quantity=Decimal(2), day=day), by=admin, at=now)
            work.details.add(detail)
            work.sheets.save(sheets[0])
            known.add("detail", detail.id)
            late = LateEntry(
                sheet_id=sheets[0].id,
                user_id=admin.user_id,
                digest=secrets.token_bytes(16),
                body=json.dumps({"items": [{"product_id": used.id, "quantity": "2"}], "kit_id": None}),
                occurred_at=now,
                arrived_at=now,
            )
            work.late_entries.add(late)
            known.add("late_entry", late.id)
            for _ in range(3):
                item = UnlistedItem(
                    sheet_id=sheets[0].id, user_id=caller.user_id, staff_id=None, area_id=None,
                    room_id=sheets[0].room_id, description="bisturí láser", quantity=Decimal(1),
                    occurred_at=now, created_at=now,
                )  # fmt: skip
                work.unlisted_items.add(item)
                known.add("unlisted_item", item.id)
            kept = InboundMessage(
                source="HIS|", control_id=f"C-{number}", digest="d", kind="A01", event_at=now, received_at=now,
                user_id=admin.user_id, body=adt("A01", location="UCI^1"), location="UCI^1", visit_number=f"V-{number}",
            )  # fmt: skip
            kept.hold(Reason(Code.LOCATION_UNKNOWN, params={"location": "UCI^1"}))
            work.inbound_messages.add(kept)
            known.add("message", kept.id)
        account = caller.post("/api/service-accounts", {"name": f"Programa {number}"}).json()["id"]
        key = {"name": "Clave", "scopes": ["sheets.read"]}
        made = caller.post(f"/api/service-accounts/{account}/keys", key).json()
        known.add("service_account", account)
        known.add("key", made["key"]["id"])
        page = caller.post(f"/api/areas/{known.things['area'][-1]}/sheet").json()["id"]
        known.add("area_sheet", page)
        message = an_outbound_message(self.hospital.store, now, sheets[0].id)
        known.add("outbound_message", message)
        sent = caller.post("/api/imports?noun=areas&file_name=a.csv", f"area\nUCI {number}\n".encode())
        known.add("import", json.loads(sent.text.splitlines()[-1])["report"]["import_id"])
        double, other = (
            caller.post("/api/patients", {"name": "Luz", "first_surname": "Soto"}).json()["id"] for _ in range(2)
        )
        merging = {"into_id": other, "reason": "La misma persona"}
        assert caller.post(f"/api/patients/{double}/merge", merging).is_success
        known.add("merged_patient", double)
        admitted = caller.post("/api/consumption-sheets/unidentified", {"room_id": self.hospital.room}).json()
        known.add("unidentified_patient", admitted["patient_id"])
        stay = {"patient_id": other, "room_id": known.things["room"][1], "admission_date": day.isoformat()}
        closed, transferred = (caller.post("/api/consumption-sheets", stay).json()["id"] for _ in range(2))
        implant = {"name": "Marcapasos", "price": 1, "category_id": self.hospital.tubes, "implant": True}
        used_implant = {"product_id": caller.post("/api/products", implant).json()["id"], "quantity": 1, "lot": "L1"}
        assert caller.post(f"/api/consumption-sheets/{closed}/consumption-details", used_implant).is_success
        asked = "?acknowledged=implants.incomplete"
        assert caller.delete(f"/api/consumption-sheets/{closed}/close{asked}").is_success
        assert caller.put("/api/hospital/logo", an_image()).is_success
        there = {"room_id": self.hospital.room}
        assert caller.post(f"/api/consumption-sheets/{transferred}/transfer", there).is_success
        known.add("transferred_sheet", transferred)
        known.add("closed_sheet", closed)
        invited = register(caller, f"invited-{number}@hospital.test")
        known.add("token", token_of(invited["activation"]))

    def person(self, role: Role) -> Caller:
        """A signed-in user with that role; recreated if it was deleted."""
        caller = self.people[role]
        if caller.get("/api/auth/profile").json().get("role") != str(int(role)):
            self.people[role] = caller = self.hospital.someone(role)
        if role is Role.USER and caller.get("/api/staff/profile").json()["data"] is None:
            self.people[role] = caller = self.hospital.someone(role)
        return caller

    def send(self, method: str, path: str, operation: Operation, made: Made, role: Role) -> Response:
        """Send the request and check the answer."""
        self.clock.now += timedelta(seconds=10)
        headers = {name.encode(): value.encode() for name, value in self.person(role).headers.items()}
        body = as_body(made, self.known)
        if body is not None:
            headers[b"Content-Type"] = b"application/json"
        address = as_path(path, made, self.known)
        sent = (method, address, {**headers, **dict(made.headers)}, body)
        answer = self.hospital.client.request(method, address, content=body, headers=sent[2])
        self.answered[operation["operationId"], answer.status_code] += 1
        reported = (role.name, sent, answer.status_code, answer.text[:2_000])
        assert answer.status_code < 500, reported
        documented = operation["responses"]
        if b"Host" in dict(made.headers):
            # An invalid Host is answered 400 before the operation is reached.
            documented = {"400": A_PROBLEM, **documented}
        assert str(answer.status_code) in documented, reported
        assert self.wrong_with(answer, documented[str(answer.status_code)]) == [], reported
        if role is Role.USER:
            assert self.priced(answer) == [], reported
        self.learn(answer, path)
        return answer

    def wrong_with(self, answer: Response, documented: Mapping[str, Any]) -> list[str]:
        """The differences between the answer and its documented schema."""
        content = documented.get("content", {})
        if not content:
            return [] if answer.content in (b"", b"null") else ["content that the document does not tell of"]
        media_type = answer.headers["content-type"].partition(";")[0]
        if media_type not in content:
            return [f"{media_type} is not documented"]
        schema = content[media_type]["schema"]
        if media_type == "application/x-ndjson":
            lines = values_in(answer)
            found = [fault for line in lines for fault in faults(line, schema, self.document)]
            return found + [line["error"]["detail"] for line in lines if line.get("error", {}).get("status", 0) >= 500]
        if not media_type.endswith("json"):
            return []
        value = answer.json()
        found = faults(value, schema, self.document)
        if answer.status_code >= 400 and not found:
            if value["status"] != answer.status_code or not value["message"] or not value["detail"]:
                found.append("a problem that does not say what it is")
            if isinstance(value["message"], list) != (answer.status_code == 422):
                found.append("message must be an array for 422 and for nothing else")
            if answer.status_code == 422 and not are_alike(value["errors"], value["message"]):
                found.append("errors and message differ")
        return found

    def priced(self, answer: Response) -> list[str]:
        """Prices in an answer to ward staff."""
        found = [price for price in (GAUZE, CANNULA) if holds_amount(answer.text, price)]
        media_type = answer.headers.get("content-type", "")
        found += keys_of_prices_in(answer)
        if "csv" in media_type:
            header = answer.text.partition("\r\n")[0].split(",")
            found += [
                column for column in header if "price" in column or "total" in column or column == "category_code"
            ]
        return found

    def learn(self, answer: Response, path: str) -> None:
        """Remember created ids and the cursor of the next page."""
        if not answer.is_success or not (values := values_in(answer)):
            return
        value = values[-1]
        if isinstance(value, dict) and "next" in value.get("meta", {}):
            self.known.add("cursor", value["meta"]["next"])
        if isinstance(value, dict) and value.get("file_name"):
            self.known.add("import", value["id"])
        if answer.status_code == 201 and isinstance(value, dict) and "id" in value and "location" in answer.headers:
            noun = answer.headers["location"].split("/")[-2]
            kind = {
                "consumption-sheets": "sheet",
                "consumption-details": "detail",
                "categories": "category",
                "product-codes": "code",
                "service-accounts": "service_account",
            }
            self.known.add(kind.get(noun, noun.removesuffix("s")), value["id"])

    def in_order(self, method: str, path: str, operation: Operation) -> Made:
        """A valid request: the document's example, with ids that exist."""
        name = operation["operationId"]
        if name in AS_IN_THE_TABLE:
            calls = [one for one in EVERY_CALL if (one.method, one.route) == (method, path)]
            call = next((one for one in calls if one.answers["admin"] < 400), calls[0])
            # The hospital's own administrator may have been locked or deleted by a request before.
            admin = self.person(Role.ADMIN)
            address, prepared = call.prepare(replace(self.hospital, admin=admin), admin)
            address, _, query = address.partition("?")
            found = re.fullmatch(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path), address)
            assert found, address
            return Made(found.groupdict(), query=tuple(parse_qsl(query)), body=prepared)
        slots = {"sheet_id": {"reopenSheet": 1, "submitLateEntry": 1, "moveDetails": 2}.get(name, 0)}
        where = {
            parameter["name"]: Ref(KINDS[parameter["name"]], slots.get(parameter["name"], 0))
            if parameter["name"] in KINDS
            else NAMED[parameter["name"]]
            for parameter in operation.get("parameters", [])
            if parameter["in"] == "path"
        }
        if name == "ignoreUnknownCode":
            return Made(where, query=(("code", Ref("unknown_code", 0)),))
        if name == "lookUpProduct":
            return Made(where, query=(("text", "gasa"),))
        if name == "previewMerge":
            return Made(where, query=(("into", Ref("patient", 1)),))
        if "unlisted_item_id" in where:
            # Each of them can be decided only once.
            slot = ("resolveUnlistedItem", "discardUnlistedItem", "withdrawUnlistedItem").index(name)
            where["unlisted_item_id"] = Ref("unlisted_item", slot)
        if "turn" in where or name in ("undoClosing", "printImplantCard"):
            where["sheet_id"] = Ref("closed_sheet", 0)
        if name in ("compareAccounts", "printAccount"):
            moment = "since" if name == "compareAccounts" else "of"
            return Made(where | {"sheet_id": Ref("closed_sheet", 0)}, query=((moment, "closing-1"),))
        if name == "undoJudgement":
            judged = {"kind": "sheet_quiet", "sheet_id": self.known.things["sheet"][-1]}
            assert self.person(Role.ADMIN).post("/api/worklist/judgements", judged).status_code == 204
            return Made(where, query=tuple((field, str(value)) for field, value in judged.items()))
        if name == "readAreaSheet":
            where["sheet_id"] = Ref("area_sheet", 0)
        if name == "undoTransfer":
            where["sheet_id"] = Ref("transferred_sheet", 0)
        if name == "identifyPatient":
            where = {"patient_id": Ref("unidentified_patient", 0)}
        if name == "unmergePatients":
            where = {"patient_id": Ref("merged_patient", 0)}
        if name == "readPicture":
            picture = f"/api/products/{self.known.resolve(where['product_id'])}/picture"
            assert self.person(Role.ADMIN).put(picture, an_image()).is_success
        if name == "unmarkWaste":
            detail = self.known.resolve(where["detail_id"])
            wasted = {"quantity": float(self.hospital.detail(detail)["quantity"]), "use_reason": "opened"}
            assert self.person(Role.ADMIN).post(f"/api/consumption-details/{detail}/waste", wasted).is_success
        if "requestBody" not in operation:
            return Made(where)
        number = next(self.hospital.numbers)
        if name == "setPicture":
            return Made(where, body=an_image(size=(10 + number, 8)))
        if name == "setHospitalLogo":
            return Made(where, body=an_image())
        if "application/octet-stream" in operation["requestBody"]["content"]:
            asked = (("noun", "areas"), ("file_name", "áreas.csv"))
            return Made(where, query=asked, body=f"área\nÁrea {number}\n".encode())
        example = operation["requestBody"]["content"]["application/json"]["schema"]["example"]
        unique = {"email": f"example-{number}@hospital.test", "code": f"E-{number}", "record_number": f"R-{number}"}
        body: dict[str, Any] = {
            field: Ref(KINDS[field], 0 if KINDS[field] in ("token", "sheet") else 1)
            if field in KINDS
            else unique.get(field, value)
            for field, value in example.items()
        }
        if name == "answerMissedCharge":
            product = self.known.resolve(where["product_id"])
            body["because_id"] = self.hospital.gauze
            pair = ProductPair(because_id=self.hospital.gauze, product_id=product, sheets=100, together=96)
            with self.hospital.store.begin() as work:
                work.missed_charges.replace_pairs([pair], max_denied=0)
        if name == "transferPatient":
            body["room_id"] = self.hospital.room
        if name == "createImportedLinks":
            body = {"import_id": Ref("import", 0)}
        if name == "identifyPatient":
            # Either a name or a known patient.
            body.pop("into_id", None)
        if name == "voidDetails":
            body["ids"] = [Ref("detail", 0)]
        if name == "printForms":
            body["sheet_ids"] = [Ref("sheet", 0)]
        if name == "moveDetails":
            body |= {"detail_ids": [Ref("detail", 0)], "to_sheet_id": Ref("sheet", 0)}
        if name == "recordLateEntry":
            body = {"acknowledged": ["quantity.far_out"]}
        if name == "finishOidcSignIn":
            body = OIDC_RETURN | {"transaction": SIGN_IN}
        if name == "linkOidc":
            body = linking(self.hospital, own_session(self.hospital, self.person(Role.ADMIN)))
        if name == "signIn":
            body = {"email": Ref("email", 0), "password": PASSWORD}
        if name in ("inviteUser", "updateUser"):
            body |= {"role": "10", "staff_id": 0}
        if name == "createArea" or name == "updateArea":
            body["name"] = f"Área {number}"
        if name in ("createServiceAccount", "updateServiceAccount"):
            body["name"] = f"Programa {number}"
        if name in ("createKit", "updateKit"):
            body["name"] = f"Kit {number}"
        key = f"k-{number}".encode()
        return Made(where, headers=((b"Idempotency-Key", key),) if name == "submitLateEntry" else (), body=body)


# Their requests are signed by a device or a passkey, or are about one.
AS_IN_THE_TABLE = {
    "addBadge",
    "beginPasskeyRegistration",
    "beginPasskeyUnlock",
    "bindDevice",
    "closeMonth",
    "closeRestockList",
    "createPasskeyLink",
    "discardForm",
    "endDeviceSessions",
    "exportReconciliation",
    "exportMonth",
    "exportRestockList",
    "findBadge",
    "giveSecondFactor",
    "listBadges",
    "listPasskeys",
    "printLabels",
    "printMonth",
    "printRestockList",
    "putBackProduct",
    "readForm",
    "readPasskeyLink",
    "readMonth",
    "readRestockList",
    "reconcileHandedOut",
    "recordForm",
    "registerPasskey",
    "registerPasskeyByLink",
    "removeBadge",
    "removePasskey",
    "renamePasskey",
    "setPin",
    "signInWithPasskey",
    "undoPutBack",
    "unlinkOidc",
    "unlockSession",
}
# Only an authenticator or a link makes them valid: tests/browser/accounts/test_passkeys.py has them.
FOR_AN_AUTHENTICATOR = {"giveSecondFactor", "readPasskeyLink", "registerPasskeyByLink", "signInWithPasskey"}
# Only the text on a paper is valid: tests/contracts/closing/test_closing_digests.py has them.
FOR_A_PAPER = {"checkPaper", "checkDocument"}
# Administrators have no PIN unless the hospital allows it: tests/use_cases/accounts/test_unlocking.py.
FOR_OTHER_ROLES = {"setPin"}
# A person is refused: tests/http/accounts/test_keys.py sends them with a key.
FOR_KEYS_ALONE = {"readOwnKey"}
# It works only while no account exists: tests/http/server/test_setup.py.
FOR_A_NEW_SERVER = {"createFirstAdministrator"}
# Without a mail server it is always refused: tests/http/server/test_mail.py has one.
FOR_A_MAIL_SERVER = {"sendTestEmail"}


@ON_ANY_DATABASE
def test_every_answer_matches_the_openapi_document(database: str, tmp_path: Path) -> None:
    clock = SettableClock()
    with hospital_on(database, tmp_path, clock=clock, prices=(GAUZE, CANNULA)) as hospital:
        run = Run(hospital, clock)
        left_out = FOR_KEYS_ALONE | FOR_A_MAIL_SERVER
        everything = [one for one in operations(run.document) if one[2]["operationId"] not in left_out]
        assert len(everything) > 55
        each = max(A_FEW, -(-ASKED_FOR // len(everything)))
        for method, path, operation in everything:
            run.furnish()
            answer = run.send(method, path, operation, run.in_order(method, path, operation), Role.ADMIN)
            refused = FOR_A_NEW_SERVER | FOR_AN_AUTHENTICATOR | FOR_A_PAPER | FOR_OTHER_ROLES
            is_success = operation["operationId"] not in refused
            assert answer.is_success is is_success, (operation["operationId"], answer.text)
            send_many(run, method, path, operation, each - 1)
        sent = sum(run.answered.values())
        assert sent >= max(ASKED_FOR, A_FEW * len(everything))
        by_status = Counter[int]()
        for (_, status), times in run.answered.items():
            by_status[status] += times
        print(f"\n{sent} requests to {len(everything)} operations: {dict(sorted(by_status.items()))}")
        # The requests are neither all valid nor all invalid.
        assert sum(times for status, times in by_status.items() if status < 300) > sent / 5
        assert {400, 403, 404, 422} <= set(by_status)


def send_many(run: Run, method: str, path: str, operation: Operation, times: int) -> None:
    """Send generated requests, alternating administrator and ward staff."""
    roles = [Role.ADMIN, Role.USER]

    @settings(
        max_examples=times,
        derandomize=not ASKED_FOR,
        database=None,
        deadline=None,
        # A request cannot be repeated, so shrinking is impossible.
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(made=requests(operation))
    def send(made: Made) -> None:
        roles.reverse()
        run.send(method, path, operation, made, roles[0])

    send()
