"""Service accounts: what each scope allows, and that no secret is stored."""

import logging
import re
from pathlib import Path
from typing import Any

import pytest

from application.accounts.sessions.service_accounts import SCOPES
from domain.common.policy import OF_EVERY_KEY, Actor, Permission, Role, with_implied_reads
from tests.http.hospital import ACCOUNTS, ON_EVERY_DATABASE, SHEETS, Caller, Hospital, a_key, hospital_on, refused
from tests.http.routes import EVERY_CALL, rights, takes_a_caller

UI = Path(__file__).parents[3] / "ui"

# Refused even with all scopes: the thing in the path takes a permission that no scope grants.
TAKES_MORE = {
    "DELETE /api/consumption-sheets/{sheet_id} closed",
    "POST /api/kits own",
    "PUT /api/kits/{kit_id} own",
    "DELETE /api/kits/{kit_id} own",
    "GET /api/kits/{kit_id} own",
}


def test_each_scope_opens_its_calls_and_no_other(hospital: Hospital) -> None:
    takes = rights(hospital)
    everything, _ = a_key(hospital, SCOPES)
    # All other scopes, except those that imply it.
    without = {scope: a_key(hospital, [one for one in SCOPES if scope not in allowed_by(one)])[0] for scope in SCOPES}
    let_in: set[Permission] = set()
    for call in filter(takes_a_caller, EVERY_CALL):
        needed = takes[call.method, call.route]
        path, body = call.prepare(hospital, everything)
        before = hospital.rows()
        if needed <= OF_EVERY_KEY:
            assert everything.call(call.method, path, body).status_code == 200, str(call)
            continue
        if not needed <= set(SCOPES):
            assert everything.call(call.method, path, body).status_code == 403, str(call)
            assert changes(before, hospital.rows()) == [], str(call)
            continue
        for right in needed:
            assert without[right].call(call.method, path, body).status_code == 403, str(call)
        assert changes(before, hospital.rows()) == [], str(call)
        answer = everything.call(call.method, path, body)
        expected = (404, 422) if str(call) in TAKES_MORE else (call.answers["admin"],)
        assert answer.status_code in expected, (str(call), answer.text)
        let_in |= needed
    assert let_in > {Permission.READ_SHEETS, Permission.ADD_DETAILS, Permission.READ_AUDIT_LOG}


def test_a_program_is_refused_before_anything_is_changed(hospital: Hospital) -> None:
    """No call is stored first and then denied while its answer is built."""
    takes = rights(hospital)
    keys: dict[frozenset[Permission], Caller] = {}
    for call in filter(takes_a_caller, EVERY_CALL):
        rights_taken = frozenset(takes[call.method, call.route])
        if not rights_taken <= set(SCOPES) or call.method in ("GET", "HEAD"):
            continue
        if rights_taken not in keys:
            keys[rights_taken], _ = a_key(hospital, rights_taken)
        path, body = call.prepare(hospital, keys[rights_taken])
        before = hospital.rows()
        answer = keys[rights_taken].call(call.method, path, body)
        if answer.status_code == 403:
            assert changes(before, hospital.rows()) == [], str(call)


def allowed_by(scope: Permission) -> frozenset[Permission]:
    """All permissions of a key with only that scope."""
    scopes = with_implied_reads([scope])
    return Actor(user_id=1, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=scopes).permissions


def changes(before: dict[str, list[Any]], after: dict[str, list[Any]]) -> list[str]:
    """The tables that changed, ignoring a key's time of last use."""
    return [table for table in before if table != "api_keys" and before[table] != after[table]]


@ON_EVERY_DATABASE
def test_without_the_prices_scope_no_answer_holds_a_price(hospital: Hospital) -> None:
    program, _ = a_key(hospital, ["sheets.read", "catalogue.read"])
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet)
    for path in (f"/api/products/{hospital.gauze}", f"/api/consumption-sheets/{sheet}", "/api/consumption-details"):
        answer = program.get(path)
        assert answer.status_code == 200
        assert "price" not in answer.text
        assert 'total":' not in answer.text.replace('"total":1', "").replace('"total":0', "")


def test_no_secret_is_stored_or_logged(hospital: Hospital, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    program, made = a_key(hospital, ["catalogue.read"])
    program.get("/api/areas")
    program.get("/api/users")
    for slip in (made["secret"][:-1] + "x", made["secret"] + "x"):
        Caller(hospital.client, headers={"Authorization": f"Bearer {slip}"}).get("/api/areas")
    kept = repr(hospital.rows())
    # The part after the marker and the prefix; both are stored for recognition.
    secret = made["secret"][12:44]
    assert secret not in kept
    assert secret not in caplog.text
    assert secret not in repr([record.__dict__ for record in caplog.records])
    assert made["secret"] not in hospital.admin.get(ACCOUNTS).text


def test_an_invalid_key_is_reported_by_field(hospital: Hospital) -> None:
    account = hospital.admin.post(ACCOUNTS, {"name": "HIS"}).json()["id"]
    draft = {"scopes": ["users.manage"], "networks": ["10.0.0.1/24"], "expires_on": "2001-01-01"}
    assert refused(hospital.admin.post(f"{ACCOUNTS}/{account}/keys", draft)) == [
        ("name", "required"),
        ("scopes", "scope.unknown"),
        ("networks", "network.invalid"),
        ("expires_on", "date.in_past"),
    ]
    answer = hospital.admin.post(ACCOUNTS, {"name": "his"})
    assert refused(answer) == [("name", "taken")]
    assert answer.json()["message"] == ["Ya existe un sistema llamado «his»: cambie «Nombre»."]


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("expires_at", "expires_at"),
        ("Expires_on", "Expires_on"),
        ("expires_on ", None),
        ("items.3.expires_on", None),
        ("\0", None),
        ("", None),
        ("x" * 10_000, "x" * 50),
    ],
    ids=ascii,
)
def test_a_key_with_an_unknown_field_is_refused(hospital: Hospital, name: str, field: str | None) -> None:
    account = hospital.admin.post(ACCOUNTS, {"name": "HIS"}).json()["id"]
    before = hospital.rows()
    draft = {"name": "Clave", "scopes": ["sheets.read"], name: "2091-01-01"}
    answer = hospital.admin.post(f"{ACCOUNTS}/{account}/keys", draft)
    assert refused(answer) == [(field, "field.unknown")]
    assert f"«{name[:50]}»" in answer.json()["message"][0]
    assert hospital.rows() == before


def test_every_scope_is_offered_by_the_client() -> None:
    words = (UI / "src/topics/accounts/service-accounts/scopeLabels.ts").read_text()
    assert set(re.findall(r"^  '([a-z_.]+)':", words, re.MULTILINE)) == set(SCOPES)


OWN_KEY = "/api/keys/self"


@ON_EVERY_DATABASE
def test_a_program_reads_what_its_key_may_do(hospital: Hospital) -> None:
    program, made = a_key(hospital, ["sheets.edit"], expires_on="2099-12-31")
    assert program.get(OWN_KEY).json() == {
        "name": "Clave",
        "service_account": hospital.admin.get("/api/service-accounts").json()["items"][0]["name"],
        "permissions": ["sheets.edit", "sheets.read"],
        "networks": [],
        "expires_on": "2099-12-31",
    }
    assert "secret" not in program.get(OWN_KEY).text
    hospital.admin.delete(f"/api/keys/{made['key']['id']}")
    assert program.get(OWN_KEY).status_code == 401


@pytest.mark.parametrize(
    ("language", "said"), [("es", "Solo un sistema con clave"), ("en", "Only a program with a key")]
)
def test_a_person_has_no_own_key(hospital: Hospital, language: str, said: str) -> None:
    answer = hospital.admin.get(OWN_KEY, accept_language=language)
    assert (answer.status_code, answer.json()["code"]) == (403, "only_for_keys")
    assert answer.json()["message"].startswith(said)


@ON_EVERY_DATABASE
def test_administrators_see_from_where_a_key_was_refused(database: str, tmp_path: Path) -> None:
    token = "metrics-token-of-the-tests-0123456789"
    with hospital_on(database, tmp_path, METRICS_TOKEN=token) as hospital:
        program, _ = a_key(hospital, ["sheets.read"], networks=["10.0.0.0/24"])
        answer = program.get(SHEETS)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, 'Bearer realm="Consumo"')
        [account] = hospital.admin.get("/api/service-accounts").json()["items"]
        [key] = account["keys"]
        assert (key["refused_address"], key["used_at"]) == ("testclient", None)
        assert key["refused_at"] is not None
        metrics = hospital.stranger.get("/metrics", authorization=f"Bearer {token}").text
        assert 'event="key.network_refused"} 1.0' in metrics
