"""Authorization of every route by its use case in ``tests/permissions.py``."""

import re
from functools import partial

import pytest
from httpx import Response
from litestar.routes import HTTPRoute

from tests.http.hospital import Hospital
from tests.http.routes import CALLERS, EVERY_CALL, Call, rights, takes_a_caller
from tests.permissions import ROLES


def routes_of(hospital: Hospital) -> set[tuple[str, str]]:
    """Method and path of every route, without OPTIONS."""
    return {
        (method, re.sub(r":\w+}", "}", route.path))
        for route in hospital.client.app.routes
        for method in (route.methods if isinstance(route, HTTPRoute) else ["?"])
        if method != "OPTIONS"
    }


def test_the_table_lists_every_route(hospital: Hospital) -> None:
    assert routes_of(hospital) == {(call.method, call.route) for call in EVERY_CALL}


def code_of(answer: Response) -> str:
    """The error code; FHIR errors have it in an OperationOutcome."""
    reported = answer.json()
    return str(reported["code"] if "code" in reported else reported["issue"][0]["details"]["coding"][0]["code"])


# One check refuses them on every route, so each route meets one of them.
INVALID = [name for name in CALLERS if name not in ROLES]


@pytest.mark.parametrize(("number", "call"), enumerate(EVERY_CALL), ids=str)
def test_each_caller_gets_the_listed_status(hospital: Hospital, number: int, call: Call) -> None:
    for name in (INVALID[number % len(INVALID)], *ROLES):
        caller, code, expected = CALLERS[name](hospital), call.refusal(name), call.answers[name]
        path, body = call.prepare(hospital, caller)
        before = hospital.rows() if code else {}
        answer = caller.call(call.method, path, body)
        assert answer.status_code == expected, (name, answer.text)
        if code:
            assert hospital.rows() == before, f"the denial of {name} wrote something"
            assert code_of(answer) == code, name
            assert expected != 422 or answer.json()["message"], name


def test_403_means_that_the_policy_denies_the_role(hospital: Hospital) -> None:
    """Clients end the session on 403, so an allowed role must never get one.

    That each role gets the listed status is tested above.
    """
    takes = rights(hospital)
    for name in ROLES:
        permissions = set(CALLERS[name](hospital).get("/api/auth/profile").json()["permissions"])
        for call in filter(takes_a_caller, EVERY_CALL):
            if not call.route.startswith("/fhir/"):
                denied = not takes[call.method, call.route] <= permissions
                assert (call.answers[name] == 403) is denied, (str(call), name)


HOSTILE_QUERY = (
    "page=x&limit=0&sort=%00&cursor=!&by=nothing&from=never&noun=nothing&mapping=x&closed=perhaps&active=perhaps"
    "&unassigned=perhaps&user_id=x&area_id=0&header_row=-1&file_name="
)
HOSTILE_SENDINGS: list[tuple[object, dict[str, str]]] = [
    (None, {}),
    (b"{", {}),
    (b"[]", {"idempotency_key": " ", "if_match": "x"}),
    (b"<x/>", {"content_type": "multipart/form-data"}),
]


def is_denied(call: Call, name: str) -> bool:
    """Whether the caller is refused for any request."""
    return call.answers[name] in (401, 403)


def test_unauthorized_callers_get_no_validation_errors(hospital: Hospital) -> None:
    callers = {name: make(hospital) for name, make in CALLERS.items()}
    for call in EVERY_CALL:
        for name in filter(partial(is_denied, call), callers):
            path, _ = call.prepare(hospital, callers[name])
            path = f"{path}{'&' if '?' in path else '?'}{HOSTILE_QUERY}"
            for body, headers in HOSTILE_SENDINGS:
                answer = callers[name].call(call.method, path, body, **headers)
                assert answer.status_code == call.answers[name], (str(call), name, body, answer.text)


def test_authorized_callers_get_validation_errors(hospital: Hospital) -> None:
    """Proves that the requests of the test above are really invalid."""
    reported = {
        (call.method, call.route): hospital.admin.call(call.method, f"{path}?{HOSTILE_QUERY}", body).status_code
        for call in EVERY_CALL
        if call.method != "DELETE" and call.route not in ("/api/auth/logout", "/api/auth/lock")
        for path, body in [(re.sub("{.*?}", "1", call.route), None if call.method == "GET" else b"{")]
    }
    assert list(reported.values()).count(400) > 40
    assert {reported["POST", f"/api/imports{path}"] for path in ("", "/read", "/check", "/refused-rows")} == {400}


def test_every_route_is_public_or_requires_a_permission(hospital: Hospital) -> None:
    guarded = {(call.method, call.route): takes_a_caller(call) for call in EVERY_CALL}
    for route, permissions in rights(hospital).items():
        if route[0] != "OPTIONS" and not route[1].startswith("/schema"):
            assert bool(permissions) is guarded[route], route


def test_undeclared_methods_are_405(hospital: Hospital) -> None:
    routes = routes_of(hospital)
    before = hospital.rows()
    for path in {path for _, path in routes}:
        for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "OPTIONS"}:
            # HEAD is a GET without a body.
            if ("GET" if method == "HEAD" else method, path) not in routes:
                answer = hospital.admin.call(method, re.sub("{.*?}", "1", path))
                assert answer.status_code == (204 if method == "OPTIONS" else 405), (method, path)
                assert method == "OPTIONS" or set(answer.headers["allow"].split(", ")) & {
                    "GET",
                    "POST",
                    "PUT",
                    "DELETE",
                }
    assert hospital.rows() == before
