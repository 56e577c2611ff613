"""What tests of users and passwords have in common."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from httpx import Response

from adapters.http.letters import LETTERS
from tests.http.hospital import PUBLIC_ADDRESS, Caller, Hospital

LOGIN, OWN = "/api/auth/login", "/api/auth/profile"
USERS, REGISTER = "/api/users", "/api/auth/register-by-admin"
RESET, CONFIRM = "/api/auth/password-reset", "/api/auth/password-reset/confirm"

NEW_PASSWORD = "  cuatro vendas y un termómetro ñ  "


def register(by: Caller, email: str, **fields: object) -> dict[str, Any]:
    """A new user, as it was answered: of role 1 and without a profile, unless told otherwise."""
    answer = by.post(REGISTER, {"email": email, "role": "1", "staff_id": 0} | fields)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def token_of(link: dict[str, Any]) -> str:
    """The secret in a link."""
    address = urlsplit(str(link["url"]))
    assert f"{address.scheme}://{address.netloc}{address.path}" == f"{PUBLIC_ADDRESS}/auth/reset-password"
    (token,) = parse_qs(address.query)["token"]
    return token


def confirm(
    someone: Caller, token: str, password: str = NEW_PASSWORD, changes: Mapping[str, object] | None = None
) -> Response:
    """Choose a password on a link."""
    body = {"token": token, "password": password, "password_confirmation": password} | dict(changes or {})
    return someone.post(CONFIRM, body)


def reset_link(by: Caller, user: Caller) -> dict[str, Any]:
    """A link for someone else."""
    answer = by.post(f"{USERS}/{user.user_id}/reset-link")
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def ask_for_letter(hospital: Hospital, email: str, language: str = "es") -> Response:
    """Ask for a new password, and wait for what is done behind the answer."""
    answer = hospital.stranger.speaking(language).post(RESET, {"email": email})
    LETTERS.finish()
    return answer


def sign_in(hospital: Hospital, email: str, password: str) -> Response:
    """Try to sign in."""
    return hospital.stranger.post(LOGIN, {"email": email, "password": password})


def is_signed_in(caller: Caller) -> bool:
    """Whether the caller's token is worth anything."""
    status = caller.get(OWN).status_code
    assert status in (200, 401)
    return status == 200


def audit(hospital: Hospital, query: str = "") -> list[dict[str, Any]]:
    """The newest entries of the audit log, as an administrator sees them."""
    answer = hospital.admin.get(f"/api/audit?limit=100&{query}")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])
