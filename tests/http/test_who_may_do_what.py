"""Every route knows its policy: the table in routes.py says who is let in, and a route that it does not know fails."""

import re
from functools import partial

import pytest
from httpx import Response
from litestar.routes import HTTPRoute

from adapters.http.routing import get
from domain.policy import Actor, Permission
from tests.http.hospital import Hospital
from tests.http.routes import CALLERS, DENIED_FOR_ONE_THING, EVERY_CALL, Call, rights, takes_a_caller


def routes_of(hospital: Hospital) -> set[tuple[str, str]]:
    """Method and path of everything that the application answers, but for OPTIONS, which tells nothing."""
    return {
        (method, re.sub(r":\w+}", "}", route.path))
        for route in hospital.client.app.routes
        for method in (route.methods if isinstance(route, HTTPRoute) else ["?"])
        if method != "OPTIONS"
    }


def test_the_table_knows_every_route(hospital: Hospital) -> None:
    assert routes_of(hospital) == {(call.method, call.route) for call in EVERY_CALL}


def code_of(answer: Response) -> str:
    """How the error is called; where FHIR is spoken it stands in an OperationOutcome."""
    told = answer.json()
    return str(told["code"] if "code" in told else told["issue"][0]["details"]["coding"][0]["code"])


@pytest.mark.parametrize("call", EVERY_CALL, ids=str)
def test_who_is_let_in(hospital: Hospital, call: Call) -> None:
    for name, expected in call.answers.items():
        caller = CALLERS[name](hospital)
        path, body = call.prepare(hospital, caller)
        denied = expected in (401, 403, 422) and call.answers["admin"] != expected
        before = hospital.rows() if denied else {}
        answer = caller.call(call.method, path, body)
        assert answer.status_code == expected, (name, answer.text)
        if denied:
            assert hospital.rows() == before, f"the denial of {name} wrote something"
            code = code_of(answer)
            if expected == 422:
                assert code in DENIED_FOR_ONE_THING, name
                assert answer.json()["message"], name
            elif expected == 401:
                assert code == "not_signed_in", name
            elif name != "newcomer":
                assert code == "forbidden", name
            elif call.answers["nurse"] < 400:
                assert code == "profile_required"


PEOPLE_WHO_CALL = ("newcomer", "nurse", "supervisor", "admin")


def test_a_call_is_forbidden_if_and_only_if_the_policy_denies_it_to_the_role(hospital: Hospital) -> None:
    """Clients end the session on 403: no answer to one who may make the call is one, whatever it is about."""
    takes = rights(hospital)
    for call in filter(takes_a_caller, EVERY_CALL):
        if call.route.startswith("/fhir/"):
            continue
        for name in PEOPLE_WHO_CALL:
            caller = CALLERS[name](hospital)
            permissions = set(caller.get("/api/auth/profile").json()["permissions"])
            path, body = call.prepare(hospital, caller)
            answer = caller.call(call.method, path, body)
            denied = not takes[call.method, call.route] <= permissions
            assert (answer.status_code == 403) is denied, (str(call), name, answer.text)


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
    """Whether that caller may not call it, whatever is sent."""
    return call.answers[name] in (401, 403)


def test_who_may_not_call_learns_nothing_about_what_they_sent(hospital: Hospital) -> None:
    callers = {name: make(hospital) for name, make in CALLERS.items()}
    for call in EVERY_CALL:
        for name in filter(partial(is_denied, call), callers):
            path, _ = call.prepare(hospital, callers[name])
            path = f"{path}{'&' if '?' in path else '?'}{HOSTILE_QUERY}"
            for body, headers in HOSTILE_SENDINGS:
                answer = callers[name].call(call.method, path, body, **headers)
                assert answer.status_code == call.answers[name], (str(call), name, body, answer.text)


def test_who_may_call_is_told_what_is_wrong_with_what_they_sent(hospital: Hospital) -> None:
    """The other way round, so that the test above looks at something."""
    told = {
        (call.method, call.route): hospital.admin.call(call.method, f"{path}?{HOSTILE_QUERY}", body).status_code
        for call in EVERY_CALL
        if call.method != "DELETE" and call.route != "/api/auth/logout"
        for path, body in [(re.sub("{.*?}", "1", call.route), None if call.method == "GET" else b"{")]
    }
    assert list(told.values()).count(400) > 40
    assert {told["POST", f"/api/imports{path}"] for path in ("", "/read", "/check", "/refused-rows")} == {400}


def test_a_route_that_does_not_say_what_it_takes_is_none() -> None:
    def handler(actor: Actor) -> None: ...

    with pytest.raises(TypeError):
        get("/api/anything")(handler)
    get("/api/anything", may=Permission.READ_SHEETS)(handler)


def test_methods_that_a_route_does_not_take_do_nothing(hospital: Hospital) -> None:
    routes = routes_of(hospital)
    before = hospital.rows()
    for path in {path for _, path in routes}:
        for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "OPTIONS"}:
            if (method, path) not in routes:
                answer = hospital.admin.call(method, re.sub("{.*?}", "1", path))
                assert answer.status_code == (204 if method == "OPTIONS" else 405), (method, path)
                assert method == "OPTIONS" or set(answer.headers["allow"].split(", ")) & {"GET", "POST", "DELETE"}
    assert hospital.rows() == before
