"""What a session may do that owes its second factor."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.http.hospital import Hospital, hospital_on
from tests.http.routes import CALLERS, EVERY_CALL, Call, takes_a_caller
from tests.http.security.test_who_may_do_what import code_of
from tests.permissions import ROLES

OWING = "second_factor_required"
# The own account, where the passkey is given, and locking and ending the session.
LEFT = {
    "session.sign_out",
    "session.lock",
    "session.unlock",
    "session.make_nonce",
    "session.bind_device",
    "session.set_pin",
    "session.remove_pin",
    "session.read_logout_url",
    "session.list",
    "session.end",
    "badges.find",
    "badges.list",
    "badges.add",
    "badges.remove",
    "account.read",
    "account.change",
    "account.read_profile",
    "account.complete_profile",
    "account.choose_ward",
    "account.check_password",
    "account.begin_linking_oidc",
    "account.link_oidc",
    "users.reader (own)",
    "users.update",
    "users.update (own)",
    "passkeys.begin_unlock",
    "passkeys.begin_registration",
    "passkeys.register",
    "passkeys.list",
    "passkeys.rename",
    "passkeys.remove",
}


@pytest.fixture
def hospital(database: str, tmp_path: Path) -> Iterator[Hospital]:
    """A hospital in which every role needs a passkey."""
    rule = {"SECOND_FACTOR": "1,2,10", "SECOND_FACTOR_FROM": "2026-01-01"}
    with hospital_on(database, tmp_path, **rule) as hospital:
        yield hospital
