"""Shared helpers for user and password tests."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from httpx import Response

from adapters.http.workers.letters import LETTERS
from tests.http.hospital import PUBLIC_ADDRESS, Caller, Hospital

LOGIN, OWN = "/api/auth/login", "/api/auth/profile"
USERS, REGISTER = "/api/users", "/api/auth/register-by-admin"
RESET, CONFIRM = "/api/auth/password-reset", "/api/auth/password-reset/confirm"

NEW_PASSWORD = "  cuatro vendas y un termómetro ñ  "


def register(by: Caller, email: str, **fields: object) -> dict[str, Any]:
    """Create a user: role 1 without a profile by default."""
    answer = by.post(REGISTER, {"email": email, "role": "1", "staff_id": 0} | fields)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def token_of(link: dict[str, Any]) -> str:
    """The token in a password link."""
    address = urlsplit(str(link["url"]))
    assert f"{address.scheme}://{address.netloc}{address.path}" == f"{PUBLIC_ADDRESS}/auth/reset-password"
    (token,) = parse_qs(address.query)["token"]
    return token


def confirm(
    someone: Caller, token: str, password: str = NEW_PASSWORD, changes: Mapping[str, object] | None = None
) -> Response:
    body = {"token": token, "password": password, "password_confirmation": password} | dict(changes or {})
    return someone.post(CONFIRM, body)


def reset_link(by: Caller, user: Caller) -> dict[str, Any]:
    """Create a reset link for another user."""
    answer = by.post(f"{USERS}/{user.user_id}/reset-link")
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def ask_for_letter(hospital: Hospital, email: str, language: str = "es") -> Response:
    """Request a password letter and wait until the background work is done."""
    answer = hospital.stranger.speaking(language).post(RESET, {"email": email})
    LETTERS.finish()
    return answer


def sign_in(hospital: Hospital, email: str, password: str) -> Response:
    return hospital.stranger.post(LOGIN, {"email": email, "password": password})


def is_signed_in(caller: Caller) -> bool:
    """Whether the caller's token is still accepted."""
    status = caller.get(OWN).status_code
    assert status in (200, 401)
    return status == 200


def audit(hospital: Hospital, query: str = "") -> list[dict[str, Any]]:
    """The newest audit entries, as an administrator sees them."""
    answer = hospital.admin.get(f"/api/audit?limit=100&{query}")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])
