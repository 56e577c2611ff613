"""Helpers for tests of accounts: sign-ins, tokens and password links."""

from urllib.parse import parse_qs, urlsplit

from application.accounts.sign_in.sign_in import Credentials
from application.accounts.users.choose_password import ChosenPassword
from application.accounts.users.password_links import PasswordResetLink, ResetRequest
from domain.accounts.user import User
from domain.common.errors import Unauthenticated
from tests.builders import PASSWORD, Ward
from tests.use_cases.stored import kept

NEW_PASSWORD = "cuatro gasas y un termómetro"


def sign_in(ward: Ward, email: str, password: str = PASSWORD, *, address: str = "") -> str:
    """Sign the user in and return the token."""
    return ward.use_cases.session.sign_in(Credentials(email=email, password=password), address)


def works(ward: Ward, token: str) -> bool:
    """Return whether a token is still valid."""
    try:
        ward.use_cases.session.identify(token)
    except Unauthenticated:
        return False
    return True


def secret_of(link: PasswordResetLink | str) -> str:
    """Return the secret token of a link."""
    (secret,) = parse_qs(urlsplit(link if isinstance(link, str) else link.url).query)["token"]
    return secret


def choose(ward: Ward, link: PasswordResetLink | str, password: str = NEW_PASSWORD, *, address: str = "") -> str:
    """Choose a password with a link. Return the token of the new session."""
    chosen = ChosenPassword(token=secret_of(link), password=password, password_confirmation=password)
    return ward.use_cases.account.choose_password(chosen, address)


def ask_for_letter(ward: Ward, email: str, language: str = "es", *, address: str = "") -> None:
    """Request a link by mail, and run the step after the answer too."""
    letter = ward.use_cases.account.request_password_reset(ResetRequest(email=email), address)
    ward.use_cases.account.request_password_reset.send(letter, language)


def user_of(ward: Ward, user_id: int) -> User:
    """Return the user as stored."""
    user: User = kept(ward).users[user_id]
    return user
