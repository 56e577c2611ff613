"""Every route knows its policy: the table in routes.py says who is let in, and a route that it does not know fails."""

import re

import pytest
from litestar.routes import HTTPRoute

from tests.http.hospital import Hospital
from tests.http.routes import CALLERS, EVERY_CALL, Call


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


@pytest.mark.parametrize("call", EVERY_CALL, ids=str)
def test_who_is_let_in(hospital: Hospital, call: Call) -> None:
    for name, expected in call.answers.items():
        caller = CALLERS[name](hospital)
        path, body = call.prepare(hospital, caller)
        before = hospital.rows()
        answer = caller.call(call.method, path, body)
        assert answer.status_code == expected, (name, answer.text)
        if expected in (401, 403):
            assert hospital.rows() == before, f"the denial of {name} wrote something"
            code = answer.json()["code"]
            if expected == 401:
                assert code == "not_signed_in", name
            elif name != "newcomer":
                assert code == "forbidden", name
            elif call.answers["nurse"] < 400:
                assert code == "profile_required"


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
