"""The audit log: /api/audit, and the entry of every change."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import create_engine, select, text

from adapters.http.workers.letters import LETTERS
from adapters.sql.audit.tables import audit as audit_table
from adapters.sql.engine.connections import to_url
from domain.common.policy import Role
from tests.builders import SettableClock
from tests.http.accounts.signed_in import (
    NEW_PASSWORD,
    RESET,
    USERS,
    ask_for_letter,
    audit,
    confirm,
    register,
    reset_link,
    sign_in,
    token_of,
)
from tests.http.hospital import DETAILS, ON_ANY_DATABASE, PASSWORD, SHEETS, Caller, Hospital
from tests.http.routes import CALLERS, EVERY_CALL, Call
from tests.http.security.test_no_price_for_ward_staff import values_in

WRITES = [
    call
    for call in EVERY_CALL
    # Searches may use POST, too.
    if call.method not in ("GET", "HEAD") and call.answers["admin"] < 300 and not call.route.endswith("/_search")
]

# The audit action of each call that changes something.
ACTIONS = {
    "POST /api/auth/login": "session.signed_in",
    "POST /api/auth/logout": "session.signed_out",
    "POST /api/auth/oidc/exchange": "session.signed_in",
    "POST /api/auth/oidc/link": "user.oidc_linked",
    "PUT /api/users/account/ward": "user.account_changed",
    "PUT /api/staff/profile": "profile.completed",
    f"POST {SHEETS}": "sheet.opened",
    f"PUT {SHEETS}/{{sheet_id}}": "sheet.updated",
    f"DELETE {SHEETS}/{{sheet_id}}": "sheet.deleted",
    f"DELETE {SHEETS}/{{sheet_id}} closed": "sheet.deleted",
    f"DELETE {SHEETS}/{{sheet_id}} with lines": "sheet.deleted",
    f"DELETE {SHEETS}/{{sheet_id}}/close": "sheet.closed",
    f"POST {SHEETS}/{{sheet_id}}/accounts": "sheet.account_issued",
    f"POST {SHEETS}/{{sheet_id}}/reopen": "sheet.reopened",
    f"POST {SHEETS}/{{sheet_id}}/close/undo": "sheet.closing_undone",
    f"POST {SHEETS}/{{sheet_id}}/transfer": "sheet.transferred",
    f"DELETE {SHEETS}/{{sheet_id}}/stays/last": "sheet.transfer_undone",
    f"POST {DETAILS}": "detail.added",
    f"POST {SHEETS}/{{sheet_id}}/consumption-details": "detail.added",
    f"POST {SHEETS}/{{sheet_id}}/consumption-details/several": "detail.added",
    f"PUT {DETAILS}/{{detail_id}}": "detail.edited",
    f"DELETE {DETAILS}/{{detail_id}} own": "detail.voided",
    f"DELETE {DETAILS}/{{detail_id}} of someone else": "detail.voided",
    f"POST {DETAILS}/{{detail_id}}/void own": "detail.voided",
    f"POST {DETAILS}/{{detail_id}}/void of someone else": "detail.voided",
    f"POST {DETAILS}/void": "detail.voided",
    f"POST {DETAILS}/{{detail_id}}/correct own": "detail.added",
    f"POST {DETAILS}/{{detail_id}}/correct of someone else": "detail.added",
    f"POST {SHEETS}/{{sheet_id}}/move-details": "detail.moved_here",
    f"POST {DETAILS}/{{detail_id}}/return": "detail.returned",
    f"POST {DETAILS}/{{detail_id}}/waste": "detail.wasted",
    f"DELETE {DETAILS}/{{detail_id}}/waste": "detail.waste_undone",
    f"POST {DETAILS}/{{detail_id}}/recall-seen": "detail.recall_seen",
    "POST /api/worklist/judgements": "sheet.judged_right",
    "DELETE /api/worklist/judgements": "sheet.judgement_undone",
    **{
        f"{method} /api/{path}{f'/{{{noun}_id}}' if method != 'POST' else ''}": f"{noun}.{done}"
        for path, noun in (
            ("areas", "area"),
            ("categories", "category"),
            ("products", "product"),
            ("rooms", "room"),
            ("patients", "patient"),
            ("staff", "staff"),
        )
        for method, done in (("POST", "created"), ("PUT", "updated"), ("DELETE", "deleted"))
    },
    **{
        f"{method} /api/kits{'/{kit_id}' if method != 'POST' else ''} {whose}": f"kit.{done}"
        for whose in ("of the hospital", "own")
        for method, done in (("POST", "created"), ("PUT", "updated"), ("DELETE", "deleted"))
    },
    f"POST {SHEETS}/{{sheet_id}}/late-entries": "late_entry.arrived",
    "POST /api/late-entries/{late_entry_id}/record": "late_entry.recorded",
    "POST /api/late-entries/{late_entry_id}/dismiss": "late_entry.dismissed",
    "POST /api/contingency-forms": "form.printed",
    "POST /api/contingency-forms/{form_id}/record": "form.recorded",
    "POST /api/contingency-forms/{form_id}/discard": "form.discarded",
    f"POST {SHEETS}/{{sheet_id}}/unlisted-items": "unlisted_item.noted",
    "POST /api/unlisted-items/{unlisted_item_id}/resolve": "unlisted_item.resolved",
    "POST /api/unlisted-items/{unlisted_item_id}/discard": "unlisted_item.discarded",
    "DELETE /api/unlisted-items/{unlisted_item_id}": "unlisted_item.withdrawn",
    "POST /api/outbound-messages/{outbound_message_id}/retry": "outbound_message.retried",
    "POST /api/outbound-messages/{outbound_message_id}/settle": "outbound_message.settled",
    "POST /api/inbound-messages/retry": "inbound_message.retried",
    "POST /api/inbound-messages/dismiss": "inbound_message.dismissed",
    "POST /api/inbound-messages/{message_id}/retry": "inbound_message.retried",
    "POST /api/inbound-messages/{message_id}/dismiss": "inbound_message.dismissed",
    "POST /api/inbound-messages/{message_id}/room": "inbound_message.answered",
    "POST /api/inbound-messages/{message_id}/patient": "inbound_message.answered",
    "POST /api/inbound-messages/{message_id}/open": "inbound_message.answered",
    "POST /api/inbound-messages/{message_id}/sheet": "inbound_message.answered",
    "POST /api/patients/{patient_id}/merge": "patient.merged",
    "POST /api/patients/{patient_id}/unmerge": "patient.unmerged",
    "POST /api/patients/{patient_id}/identify": "patient.identified",
    "POST /api/consumption-sheets/unidentified": "sheet.opened",
    "POST /api/rooms/ranges": "room.created",
    "POST /api/products/{product_id}/codes": "product_code.added",
    "DELETE /api/product-codes/{code_id}": "product_code.removed",
    "PUT /api/products/{product_id}/picture": "product.picture_set",
    "DELETE /api/products/{product_id}/picture": "product.picture_removed",
    "POST /api/typed-names/{typed_name_id}/add": "product.updated",
    "POST /api/typed-names/{typed_name_id}/dismiss": "product.name_dismissed",
    "DELETE /api/unknown-codes/{system}": "unknown_code.ignored",
    "POST /api/recalls": "recall.opened",
    "PUT /api/recalls/{recall_id}": "recall.updated",
    "POST /api/recalls/{recall_id}/set-aside": "set_aside.recorded",
    f"PUT {SHEETS}/{{sheet_id}}/missed-charges/{{product_id}}": "sheet.missed_charge_answered",
    "PUT /api/areas/{area_id}/restock/products/{product_id}": "area.restock_ticked",
    "DELETE /api/areas/{area_id}/restock/products/{product_id}": "area.restock_unticked",
    "POST /api/areas/{area_id}/sheet": "area.sheet_opened",
    "POST /api/months": "month.closed",
    "POST /api/areas/{area_id}/restock/close": "restock_list.closed",
    "PUT /api/areas/{area_id}/shelves/{product_id}": "area.shelf_changed",
    "PUT /api/hospital/settings": "hospital.updated",
    "PUT /api/hospital/logo": "hospital.logo_changed",
    "DELETE /api/hospital/logo": "hospital.logo_changed",
    "POST /api/service-accounts": "service_account.created",
    "PUT /api/service-accounts/{account_id}": "service_account.updated",
    "DELETE /api/service-accounts/{account_id}": "service_account.deleted",
    "POST /api/service-accounts/{account_id}/keys": "key.made",
    "DELETE /api/keys/{key_id}": "key.revoked",
    "POST /api/auth/register-by-admin": "user.invited",
    "POST /api/auth/register-by-admin role 10": "user.invited",
    "PUT /api/users/{user_id}": "user.updated",
    "PUT /api/users/{user_id} to role 10": "user.updated",
    "PUT /api/users/{user_id} of role 10": "user.updated",
    "PUT /api/users/{user_id} own": "user.account_changed",
    "DELETE /api/users/{user_id}": "user.deleted",
    "DELETE /api/users/{user_id} of role 10": "user.deleted",
    "POST /api/users/{user_id}/reset-link": "user.reset_link_handed_out",
    "DELETE /api/users/{user_id}/oidc": "user.oidc_unlinked",
    "DELETE /api/users/{user_id}/oidc of role 10": "user.oidc_unlinked",
    "POST /api/users/imported-links": "user.reset_link_handed_out",
    "POST /api/users/{user_id}/reset-link of role 10": "user.reset_link_handed_out",
    "POST /api/users/{user_id}/badges": "user.badge_added",
    "DELETE /api/users/{user_id}/badges/{badge_id}": "user.badge_removed",
    "DELETE /api/users/{user_id}/badges/{badge_id} of role 10": "user.badge_removed",
    "DELETE /api/users/{user_id}/badges/{badge_id} own": "user.badge_removed",
    "DELETE /api/devices/{device}/sessions": "device.sessions_ended",
    "PUT /api/auth/device": "session.device_bound",
    "POST /api/auth/passkeys": "passkey.registered",
    "POST /api/users/{user_id}/passkey-link": "user.passkey_link_handed_out",
    "POST /api/users/{user_id}/passkey-link of role 10": "user.passkey_link_handed_out",
    "PUT /api/users/{user_id}/passkeys/{passkey_id} own": "passkey.renamed",
    "DELETE /api/users/{user_id}/passkeys/{passkey_id}": "passkey.removed",
    "DELETE /api/users/{user_id}/passkeys/{passkey_id} of role 10": "passkey.removed",
    "DELETE /api/users/{user_id}/passkeys/{passkey_id} own": "passkey.removed",
    "DELETE /api/users/{user_id}/sessions": "session.ended",
    "DELETE /api/users/{user_id}/sessions of role 10": "session.ended",
    "DELETE /api/users/{user_id}/sessions/{session_id}": "session.ended",
    "POST /api/labels of a patient": "patient.printed",
    "DELETE /api/users/{user_id}/sessions/{session_id} own": "session.ended",
    "DELETE /api/users/{user_id}/sessions/{session_id} of role 10": "session.ended",
    "POST /api/auth/password-reset": "user.reset_requested",
    "POST /api/imports": "import.done",
    "POST /api/imports/{import_id}/undo": "import.undone",
    "POST /api/reports/reconciliation/workbook": "consumption.exported",
}
# Reading a file changes nothing.
LEAVE_NOTHING = {
    "POST /api/hospital/preview",
    # Labels of products and kits name no patient.
    "POST /api/labels",
    "POST /api/auth/password-strength",
    # Screens lock often. Unlocking is noted, and since when the session was locked.
    "POST /api/auth/lock",
    "POST /api/auth/unlock",
    "POST /api/auth/oidc/start",
    "POST /api/auth/oidc/link/start",
    # The session that the provider names is not there.
    "POST /api/auth/oidc/backchannel-logout",
    "POST /api/auth/nonce",
    "POST /api/auth/badge",
    # The caller has no PIN.
    "DELETE /api/auth/pin",
    # Options for the browser.
    "POST /api/auth/passkey-sign-in/options",
    "POST /api/auth/unlock/options",
    "POST /api/auth/passkeys/options",
    # Devices report often, and only a number.
    "PUT /api/devices/{device_id}/outbox",
    # Favourites are a user's own.
    "PUT /api/products/{product_id}/favourite",
    "DELETE /api/products/{product_id}/favourite",
    # Typed names are counted without the user.
    "POST /api/products/{product_id}/typed-names",
    # Notices are a user's own.
    "POST /api/notices/seen",
    # The caller has no other session, and the current one is kept.
    "DELETE /api/users/{user_id}/sessions own",
    "POST /api/rooms/ranges/check",
    "POST /api/imports/read",
    "POST /api/reports/reconciliation",
    "POST /api/imports/check",
    "POST /api/imports/refused-rows",
}
# Entries written together with the main one: a sheet's detail, an import's room.
WITH_IT = {
    "POST /api/auth/oidc/exchange": ["user.created_by_oidc"],
    # Of the user's session.
    "POST /api/users/{user_id}/passkey-link": ["session.ended"],
    "POST /api/users/{user_id}/passkey-link of role 10": ["session.ended"],
    f"DELETE {SHEETS}/{{sheet_id}} closed": ["detail.deleted"],
    f"DELETE {SHEETS}/{{sheet_id}} with lines": ["detail.deleted"],
    f"POST {SHEETS}/{{sheet_id}}/consumption-details/several": ["detail.added"],
    f"POST {SHEETS}/{{sheet_id}}/move-details": ["detail.moved_away"],
    f"POST {DETAILS}/{{detail_id}}/correct own": ["detail.voided"],
    f"POST {DETAILS}/{{detail_id}}/correct of someone else": ["detail.voided"],
    "POST /api/patients/{patient_id}/merge": ["sheet.patient_merged"],
    "POST /api/patients/{patient_id}/unmerge": ["sheet.patient_unmerged"],
    "POST /api/consumption-sheets/unidentified": ["patient.created"],
    # Of two rooms.
    "POST /api/rooms/ranges": ["room.created"],
    "POST /api/contingency-forms": ["patient.printed"],
    "POST /api/contingency-forms/{form_id}/record": ["detail.added"],
    "POST /api/late-entries/{late_entry_id}/record": ["detail.added"],
    "POST /api/unlisted-items/{unlisted_item_id}/resolve": ["detail.added"],
    "POST /api/inbound-messages/{message_id}/patient": ["patient.updated"],
    "POST /api/inbound-messages/{message_id}/sheet": ["sheet.updated"],
    "POST /api/imports": ["room.created"],
    "POST /api/imports/{import_id}/undo": ["room.deleted"],
    "DELETE /api/devices/{device}/sessions": ["session.ended"],
}


def audit_log(hospital: Hospital) -> list[Any]:
    with hospital.engine.connect() as connection:
        return list(connection.execute(select(audit_table).order_by(audit_table.c.id)))


def test_the_table_lists_every_call_that_changes_something() -> None:
    assert set(ACTIONS) | LEAVE_NOTHING == {str(call) for call in WRITES}


@ON_ANY_DATABASE
def test_every_change_leaves_exactly_one_entry(hospital: Hospital) -> None:
    for call in WRITES:
        admin = CALLERS["admin"](hospital)
        path, body = call.prepare(hospital, admin)
        if str(call) == f"PUT {SHEETS}/{{sheet_id}}":
            body = hospital.admission(doctor="Dr. Sol")
        if str(call) == f"PUT {DETAILS}/{{detail_id}}":
            body = {"product_id": hospital.cannula, "quantity": 1}
        if call.method == "PUT" and isinstance(body, dict) and "first_surname" in body:
            body = body | {"second_surname": "Luna"}
        if str(call) == "PUT /api/recalls/{recall_id}":
            body = {**body, "reason": "Otra"}  # type: ignore[dict-item]
        if str(call) in ("PUT /api/rooms/{room_id}", "PUT /api/products/{product_id}"):
            body = {**body, "name": "Otro nombre"}  # type: ignore[dict-item]
        before, started = len(audit_log(hospital)), hospital.clock()
        answer = admin.call(call.method, path, body)
        LETTERS.finish()
        assert answer.is_success, (str(call), answer.text)
        left = audit_log(hospital)[before:]
        if str(call) in LEAVE_NOTHING:
            assert left == []
            continue
        assert [entry.action for entry in left] == [*WITH_IT.get(str(call), []), ACTIONS[str(call)]], str(call)
        entry = left[-1]
        assert started <= entry.at <= hospital.clock()
        if "/auth/login" in path:
            assert entry.user_id == hospital.colleague.user_id
        elif path.endswith("/oidc/exchange"):
            assert entry.user_id == entry.entity_id
        elif path == RESET:
            assert entry.user_id is None
        else:
            assert entry.user_id == admin.user_id, str(call)
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        reported = values_in(answer)[-1] if is_json else None
        known = reported["id"] if reported and "id" in reported else None
        if known is not None and "users" not in path and "passkeys" not in path:
            # A merge returns the record that is kept, an area is noted with its page, and an account with its sheet.
            kept = {"merge": entry.patient_id, "sheet": entry.sheet_id, "accounts": known}
            assert known == kept.get(path.rpartition("/")[-1], entry.entity_id)


@contextmanager
def a_full_trail(database_url: str) -> Iterator[None]:
    """Make every insert into the audit log fail."""
    engine = create_engine(to_url(database_url))
    on_sqlite = engine.dialect.name == "sqlite"
    fill = (
        "CREATE TRIGGER full_trail BEFORE INSERT ON audit_trail BEGIN SELECT RAISE(ABORT, 'full'); END"
        if on_sqlite
        else "ALTER TABLE audit_trail ADD CONSTRAINT full_trail CHECK (false) NOT VALID"
    )
    clear = "DROP TRIGGER full_trail" if on_sqlite else "ALTER TABLE audit_trail DROP CONSTRAINT full_trail"
    try:
        with engine.begin() as connection:
            connection.execute(text(fill))
        yield
        with engine.begin() as connection:
            connection.execute(text(clear))
    finally:
        engine.dispose()


@ON_ANY_DATABASE
def test_a_change_without_an_audit_entry_is_rolled_back(hospital: Hospital) -> None:
    """The change and its entry are one transaction."""
    for call in WRITES:
        if str(call) in LEAVE_NOTHING:
            continue
        admin = CALLERS["admin"](hospital)
        path, body = call.prepare(hospital, admin)
        if call.method == "PUT" and isinstance(body, dict):
            body = body | {"name": "Otra", "quantity": 1, "doctor": "Dr. Sol", "reason": "Otra"}
        # Failed sign-ins are counted before anything else.
        counted: dict[str, list[object]] = {"sign_in_failures": []}
        before = hospital.rows()
        with a_full_trail(hospital.database_url):
            answer = admin.call(call.method, path, body)
            LETTERS.finish()
            if path == RESET:
                # A reset is audited in the background, after the answer.
                assert answer.status_code == 202
            else:
                reported = values_in(answer)[-1]
                # An import reports errors in its last line.
                assert reported.get("error", reported)["status"] == 500, str(call)
        assert hospital.rows() | counted == before | counted, str(call)


def refusals(hospital: Hospital, admin: Caller, call: Call) -> Iterator[tuple[str, object]]:
    """The call with several kinds of errors."""
    path, body = call.prepare(hospital, admin)
    # An empty shelf setting is valid: it clears what was set.
    if body and call.use_case != "restock.set_shelf":
        yield path, {}
    if body is not None:
        yield path, b"no json"
    if "{" in call.route:
        yield f"{call.route.partition('{')[0]}999999{call.route.partition('}')[2]}", body


@ON_ANY_DATABASE
def test_a_refused_request_leaves_no_entry(hospital: Hospital) -> None:
    for call in WRITES:
        if str(call) in LEAVE_NOTHING:
            continue
        admin = CALLERS["admin"](hospital)
        for path, body in refusals(hospital, admin, call):
            if call.use_case == "account.change" and "999999" in path:
                continue
            before = hospital.rows()
            answer = admin.call(call.method, path, body)
            assert 400 <= answer.status_code < 500, (str(call), path, answer.text)
            assert hospital.rows() == before, (str(call), path)


@ON_ANY_DATABASE
def test_an_entry_has_user_time_and_values_before_and_after(timed_hospital: Hospital, clock: SettableClock) -> None:
    hospital = timed_hospital
    path = f"/api/products/{hospital.gauze}"
    clock.advance(minutes=5)
    hospital.supervisor.put(path, hospital.admin.get(path).json() | {"price": 3.1, "unit": "sobre", "active": 0})
    (entry,) = audit(hospital, "action=product.updated")
    assert entry == {
        "id": entry["id"],
        "at": "2091-05-03T12:05:00Z",
        "user": {"id": hospital.supervisor.user_id, "email": hospital.email(hospital.supervisor)},
        "action": "product.updated",
        "entity": "product",
        "entity_id": hospital.gauze,
        "sheet_id": None,
        "patient_id": None,
        "api_key": None,
        "changes": {"price": ["2.50", "3.10"], "unit": [None, "sobre"], "active": [True, False]},
        "person": "Pilar Ríos",
        "patient": None,
        "subject": "Gasa estéril",
        "names": {},
        "who": "Pilar Ríos",
        "did": "cambió el producto «Gasa estéril»",
        "in_words": [
            {"field": "price", "shown": "change", "text": "Precio: antes $2,50, ahora $3,10"},
            {"field": "unit", "shown": "change", "text": "Unidad: antes vacío, ahora sobre"},
            {"field": "active", "shown": "change", "text": "Activo: antes sí, ahora no"},
        ],
    }
    assert hospital.admin.get("/api/audit").json()["meta"]["total"] == 1


@ON_ANY_DATABASE
def test_sign_ins_and_views_are_audited_without_their_content(hospital: Hospital) -> None:
    assert sign_in(hospital, hospital.email(hospital.nurse), PASSWORD).status_code == 201
    hospital.nurse.get(f"/api/patients/{hospital.patient}")
    # A search that finds one patient is a look at that patient, too.
    hospital.nurse.get("/api/patients?q=inés")
    hospital.supervisor.get("/api/products", accept="text/csv")
    hospital.supervisor.get("/api/patients?format=csv")
    reported = [
        (entry["action"], entry["entity"], entry["entity_id"], entry["user"]["id"]) for entry in audit(hospital)
    ]
    nurse, supervisor = hospital.nurse.user_id, hospital.supervisor.user_id
    assert reported == [
        ("patient.exported", "patient", 0, supervisor),
        ("product.exported", "product", 0, supervisor),
        ("patient.read", "patient", hospital.patient, nurse),
        ("patient.listed", "patient", 0, nurse),
        ("patient.read", "patient", hospital.patient, nurse),
        ("session.signed_in", "user", nurse, nurse),
    ]
    assert [entry["changes"] for entry in audit(hospital)][:-1] == [{}] * 5
    assert set(audit(hospital)[-1]["changes"]) == {"address", "client"}


@ON_ANY_DATABASE
def test_the_audit_log_holds_no_password_hash_or_token(hospital: Hospital) -> None:
    email = "nueva@hospital.test"
    invited = register(hospital.admin, email)
    secrets = [PASSWORD, NEW_PASSWORD.strip(), "otra frase muy larga", "argon2", token_of(invited["activation"])]
    confirm(hospital.stranger, token_of(invited["activation"]))
    secrets.append(sign_in(hospital, email, NEW_PASSWORD).json()["access_token"])
    link = token_of(reset_link(hospital.admin, hospital.nurse))
    secrets.append(link)
    confirm(hospital.stranger, link)
    nurse = hospital.sign_in(hospital.nurse)
    own = {
        "email": "nurse@hospital.test",
        "password": "otra frase muy larga",
        "password_confirmation": "otra frase muy larga",
        "current_password": NEW_PASSWORD,
    }
    assert nurse.put(f"{USERS}/{nurse.user_id}", own).status_code == 200
    ask_for_letter(hospital, "otra frase muy larga")
    sign_in(hospital, "otra frase muy larga", PASSWORD)
    hospital.admin.delete(f"{USERS}/{nurse.user_id}")
    secrets += [user.password_hash for user in hospital.rows_of("users") if user.password_hash]
    secrets += [session.id for session in hospital.rows_of("sessions")]
    secrets += [link.digest for link in hospital.rows_of("password_links")]
    reported = str(hospital.rows_of("audit_trail")) + hospital.admin.get("/api/audit?limit=100").text
    assert "user.password_changed" in reported
    assert "user.password_chosen" in reported
    for secret in secrets:
        assert secret not in reported
    assert "password_hash" not in reported


# --- other entries --------------------------------------------------------------------------------------------------


def test_an_entry_about_an_unknown_email_names_no_user(hospital: Hospital) -> None:
    ask_for_letter(hospital, "unknown@hospital.test")
    (entry,) = audit(hospital)
    assert (entry["action"], entry["user"], entry["entity_id"], entry["changes"]) == (
        "user.reset_requested",
        None,
        0,
        {"address": [None, "testclient"]},
    )
    assert "unknown@" not in str(audit_log(hospital))


def test_audit_entries_cannot_be_changed_or_deleted(hospital: Hospital) -> None:
    hospital.open_sheet()
    before = audit_log(hospital)
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert hospital.admin.call(method, "/api/audit", {}).status_code == 405
        assert hospital.admin.call(method, "/api/audit/1", {}).status_code in (404, 405)
    assert audit_log(hospital) == before
    someone = hospital.someone(Role.ADMIN, profile=False)
    assert someone.get("/api/audit").status_code == 200
