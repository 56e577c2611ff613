"""No work on a body before the caller may send it."""

from threading import current_thread
from typing import Any
from urllib.parse import parse_qs

import pytest

from adapters.http.controllers.accounts import oidc
from adapters.http.requests.request import MAX_ANONYMOUS_BYTES
from application.accounts.sign_in.end_at_provider import EndSessionsByProvider
from domain.common.errors import NotFound
from tests.http.hospital import Hospital
from tests.http.routes import EVERY_CALL
from tests.permissions import PUBLIC

LOGOUT = "/api/auth/oidc/backchannel-logout"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ANONYMOUS = sorted(
    {call.route for call in EVERY_CALL if call.method == "POST" and call.use_case in PUBLIC and call.body is not None}
)


@pytest.mark.parametrize("route", ANONYMOUS)
def test_a_stranger_sends_no_long_body(hospital: Hospital, route: str) -> None:
    def chunks() -> Any:
        for _ in range(100):
            yield b" " * 1_000

    headers = {"Content-Type": "application/json"}
    for body in (b" " * (MAX_ANONYMOUS_BYTES + 1), chunks()):
        answer = hospital.client.post(route, content=body, headers=headers)
        assert answer.status_code == 413, answer.text


def test_without_a_provider_no_announcement_is_read(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: EndSessionsByProvider) -> None:
        raise NotFound

    used: Any = hospital.client.app
    retried = type(used.state["use_cases"]().session.end_by_provider)
    monkeypatch.setattr(retried, "raise_unless_set_up", refuse)
    monkeypatch.setattr(oidc, "parse_qs", None)
    answer = hospital.client.post(LOGOUT, content=b"a=%41&" * 2_000, headers=FORM)
    assert answer.status_code == 404


def test_an_announcement_is_parsed_outside_the_event_loop(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def note(*args: Any, **kwargs: Any) -> Any:
        threads.append(current_thread().name)
        return parse_qs(*args, **kwargs)

    monkeypatch.setattr(oidc, "parse_qs", note)
    answer = hospital.client.post(LOGOUT, content=b"a=%41&" * 100, headers=FORM)
    assert answer.status_code == 400
    assert threads
    assert all(name.startswith("identity-provider") for name in threads)
