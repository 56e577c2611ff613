"""Signing in with the hospital's own account: /api/auth/oidc."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.http.workers.fair_queue import RETRY_AFTER_SECONDS
from application.accounts.sign_in.begin_oidc_sign_in import SIGN_IN
from tests.http.hospital import REQUEST_ID, Hospital, hospital_on, refused
from tests.oidc.stub_provider import ISSUER, StubProvider, an_identity

OIDC = "/api/auth/oidc"
RETURN = {"code": "code", "state": "s", "transaction": SIGN_IN}


@pytest.fixture
def provider() -> StubProvider:
    return StubProvider()


@pytest.fixture
def hospital(database: str, tmp_path: Path, provider: StubProvider) -> Iterator[Hospital]:
    with hospital_on(database, tmp_path, provider=provider) as hospital:
        yield hospital


def test_a_person_signs_in_and_out(hospital: Hospital, provider: StubProvider) -> None:
    begun = hospital.stranger.post(f"{OIDC}/start")
    assert begun.status_code == 201
    assert begun.json() == {"authorization_url": f"{ISSUER}/authorize?response_type=code", "transaction": SIGN_IN}
    provider.identities["code"] = an_identity("n-1")
    done = hospital.stranger.post(f"{OIDC}/exchange", RETURN)
    assert (done.status_code, "set-cookie" in done.headers) == (201, False)
    token = {"Authorization": f"Bearer {done.json()['access_token']}"}
    account = hospital.client.get("/api/auth/profile", headers=token).json()
    assert (account["email"], account["has_password"], account["oidc_linked"]) == ("n-1@hospital.test", False, True)
    url = hospital.client.get(f"{OIDC}/logout-url", headers=token).json()
    assert url == {"url": f"{ISSUER}/logout?client_id=consumo"}
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    path = f"{OIDC}/backchannel-logout"
    assert hospital.client.post(path, content=b"logout_token=forged", headers=form).status_code == 400
    assert hospital.client.post(path, content=b"", headers=form).status_code == 400
    assert hospital.client.get("/api/auth/profile", headers=token).status_code == 200
    assert hospital.client.post(path, content=b"logout_token=j-1:n-1:", headers=form).status_code == 200
    assert hospital.client.get("/api/auth/profile", headers=token).status_code == 401


def test_refusals_have_three_texts(hospital: Hospital, provider: StubProvider) -> None:
    again = hospital.stranger.post(f"{OIDC}/exchange", RETURN)
    assert refused(again) == [(None, "oidc.code")]
    assert again.json()["message"] == [
        "El inicio de sesión con la cuenta del hospital no se completó. Vuelva a intentarlo."
    ]
    provider.identities["code"] = an_identity("n-1", verified=False)
    none = hospital.stranger.post(f"{OIDC}/exchange", RETURN)
    assert refused(none) == [(None, "oidc.unlinked")]
    assert "no tiene acceso" in none.text
    wrong = hospital.stranger.post(f"{OIDC}/exchange", RETURN | {"error": "login_required"})
    assert refused(wrong) == [(None, "oidc.provider")]
    # IT finds the attempt in the log.
    assert f"(login_required, {REQUEST_ID})" in wrong.json()["message"][0]


def test_a_provider_that_is_down_is_503(hospital: Hospital, provider: StubProvider) -> None:
    provider.is_down = True
    for path, body in ((f"{OIDC}/start", None), (f"{OIDC}/exchange", RETURN)):
        answer = hospital.stranger.post(path, body)
        assert (answer.status_code, answer.json()["code"]) == (503, "oidc.unreachable")
        assert answer.headers["retry-after"] == str(RETRY_AFTER_SECONDS)
    findings = {one["key"]: one for one in hospital.admin.get("/api/status").json()["findings"]}
    assert (findings["sign_in"]["level"], findings["sign_in"]["advice"]) == ("error", "sign_in_unreachable")


def test_settings_tell_how_people_sign_in(hospital: Hospital) -> None:
    expected = {"name": "Hospital San José", "only": False, "logout": True}
    assert hospital.stranger.get("/api/settings").json()["oidc"] == expected


def test_no_log_line_contains_a_code_or_a_person(hospital: Hospital, provider: StubProvider) -> None:
    provider.identities["code"] = an_identity("subject-of-nuria")
    returned = RETURN | {"state": "state-of-nuria"}
    assert hospital.stranger.post(f"{OIDC}/exchange", returned).status_code == 201
    hospital.client.get("/auth/oidc/callback?code=code-of-nuria&state=state-of-nuria")
    assert "/api/auth/oidc/exchange" in hospital.log.getvalue()
    assert "of-nuria" not in hospital.log.getvalue()
