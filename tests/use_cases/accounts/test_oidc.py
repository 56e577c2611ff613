"""Signing in with the hospital's own account: accounts, roles and links."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from application.accounts.ports.identity import SignInMethod
from application.accounts.ports.identity_provider import IdentityProviderUnreachable, ProvenIdentity
from application.accounts.sessions.confirmed import CONFIRMATION_LASTS
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.oidc_rules import OidcRules
from application.accounts.sessions.throttle import MAX_WRONG_OIDC_ANSWERS_PER_ADDRESS
from application.accounts.sign_in.begin_oidc_sign_in import SIGN_IN
from application.accounts.sign_in.finish_oidc_sign_in import OidcSignedIn
from application.accounts.sign_in.oidc_return import OidcReturn
from application.accounts.sign_in.sign_in import Credentials
from application.accounts.users.draft import UserDraft
from domain.accounts.user import User
from domain.common.errors import Code, InvalidCredentials, NotFound, TooManyAttempts
from domain.common.policy import Actor, Role
from tests.assertions import refused
from tests.builders import PASSWORD, Ward, a_ward
from tests.oidc.stub_provider import ISSUER, StubProvider, an_identity
from tests.use_cases.accounts.signed_in import choose, sign_in, user_of, works
from tests.use_cases.stored import audit_log, kept, nothing_written

ROLES = {"nurses": Role.USER, "chiefs": Role.SUPERVISOR, "admins": Role.ADMIN}
NURSE = "user@consumo.test"


class Oidc:
    """A ward whose people sign in at a provider."""

    def __init__(self, **rules: Any) -> None:
        self.provider = StubProvider()
        self.ward = a_ward(identity_provider=self.provider, oidc_rules=OidcRules(**rules))

    def enter(self, identity: ProvenIdentity, *, address: str = "10.0.0.7") -> OidcSignedIn:
        """Sign in as that person."""
        self.provider.identities["code"] = identity
        return self.exchange(address=address)

    def exchange(self, *, code: str = "code", transaction: str = SIGN_IN, address: str = "") -> OidcSignedIn:
        returned = OidcReturn(code=code, state="s", transaction=transaction)
        return self.ward.use_cases.session.finish_oidc(returned, address)

    def signed_in(self, identity: ProvenIdentity) -> SignedIn:
        return self.ward.use_cases.session.identify(self.enter(identity).token)

    def user(self, identity: ProvenIdentity) -> User:
        """Sign in, and return the account."""
        return user_of(self.ward, self.signed_in(identity).actor.user_id)

    def link(self, actor: Actor, identity: ProvenIdentity) -> None:
        self.ward.use_cases.account.link_oidc.link(actor, identity)

    def actions(self) -> list[str]:
        return [str(one.action) for one in audit_log(self.ward)]


# --- which account ---------------------------------------------------------------------------------------------------


def test_a_new_person_gets_an_account_without_password() -> None:
    oidc = Oidc()
    done = oidc.enter(an_identity())
    assert (done.given_name, done.family_name) == ("Noelia", "Vidal")
    user = user_of(oidc.ward, oidc.ward.use_cases.session.identify(done.token).actor.user_id)
    assert (user.email, user.role, user.password_hash) == ("new-1@hospital.test", Role.USER, None)
    assert (user.oidc_issuer, user.oidc_subject) == (ISSUER, "new-1")
    assert oidc.actions()[-2:] == ["user.created_by_oidc", "session.signed_in"]
    assert oidc.user(an_identity()).id == user.id


def test_the_subject_names_the_account_and_not_the_email() -> None:
    oidc = Oidc()
    before = oidc.user(an_identity())
    married = oidc.user(an_identity(email="noelia.paz@hospital.test"))
    assert married == before
    other = oidc.user(an_identity("new-2", "noelia.paz@hospital.test"))
    assert other.id != before.id


def test_a_verified_email_links_ward_staff_once() -> None:
    oidc = Oidc()
    user = oidc.user(an_identity("n-1", NURSE))
    assert user.id == oidc.ward.nurse.user_id
    assert user.is_linked
    assert oidc.actions()[-2:] == ["user.oidc_linked", "session.signed_in"]
    assert [(letter.to, letter.occasion) for letter in oidc.ward.postbox.letters] == [(NURSE, "oidc_linked")]
    oidc.user(an_identity("n-1", NURSE))
    assert len(oidc.ward.postbox.letters) == 1
    assert oidc.enter(an_identity("n-1", NURSE)).given_name is None
    # The password keeps working.
    assert sign_in(oidc.ward, NURSE)
    with refused(Code.OIDC_UNLINKED):
        oidc.enter(an_identity("n-2", NURSE))


@pytest.mark.parametrize(
    ("identity", "rules"),
    [
        (an_identity("n-1", NURSE, verified=False), {}),
        (replace(an_identity("n-1"), email=None), {}),
        (an_identity("n-1", "no email"), {}),
        (an_identity("n-1", verified=False), {}),
        (an_identity("n-1"), {"creates": False}),
        (an_identity("n-1"), {"new_role": None}),
        # An administrator of the provider must not take over the local one.
        (an_identity("a-1", "admin@consumo.test"), {}),
        (an_identity("a-1", "admin@consumo.test", groups=("admins",)), {"roles": ROLES}),
    ],
)
def test_a_person_without_an_account_is_refused(identity: ProvenIdentity, rules: dict[str, Any]) -> None:
    oidc = Oidc(**rules)
    users = kept(oidc.ward).users
    with refused(Code.OIDC_UNLINKED):
        oidc.enter(identity)
    assert kept(oidc.ward).users == users
    assert oidc.actions()[-1] == "session.oidc_refused"


def test_a_provider_that_owns_its_emails_may_be_trusted() -> None:
    oidc = Oidc(trusts_emails=True)
    assert oidc.user(an_identity("n-1", NURSE, verified=False)).id == oidc.ward.nurse.user_id


def test_a_deleted_account_is_not_created_again() -> None:
    oidc = Oidc()
    before = oidc.user(an_identity())
    oidc.ward.use_cases.users.delete(oidc.ward.admin, before.id)
    with refused(Code.OIDC_UNLINKED):
        oidc.enter(an_identity())
    # An administrator invites the person again.
    invited = oidc.ward.use_cases.users.invite(oidc.ward.admin, UserDraft(email=before.email, role=1), "es")
    assert oidc.user(an_identity()).id == invited.user["id"]
    assert user_of(oidc.ward, before.id).is_linked is False


def test_the_log_contains_no_subject() -> None:
    oidc = Oidc()
    oidc.enter(an_identity("secret-subject", NURSE))
    assert "secret-subject" not in str(audit_log(oidc.ward))


# --- roles -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("groups", "role"),
    [
        (("nurses",), Role.USER),
        (("nurses", "chiefs", "others"), Role.SUPERVISOR),
        (("admins", "nurses"), Role.ADMIN),
    ],
)
def test_the_highest_role_of_the_groups_counts(groups: tuple[str, ...], role: Role) -> None:
    assert Oidc(roles=ROLES).user(an_identity(groups=groups)).role is role


def test_without_a_mapping_groups_say_nothing() -> None:
    assert Oidc(new_role=Role.SUPERVISOR).user(an_identity(groups=("nurses",))).role is Role.SUPERVISOR


def test_another_role_ends_other_sessions_and_links() -> None:
    oidc = Oidc(roles=ROLES)
    nurse = oidc.ward.nurse.user_id
    by_password = sign_in(oidc.ward, NURSE)
    link = oidc.ward.use_cases.users.create_reset_link(oidc.ward.admin, nurse)
    assert oidc.user(an_identity("n-1", NURSE, groups=("chiefs",))).role is Role.SUPERVISOR
    assert not works(oidc.ward, by_password)
    with refused((Code.LINK_INVALID, "token")):
        choose(oidc.ward, link)
    assert "user.role_from_oidc" in oidc.actions()
    same = oidc.enter(an_identity("n-1", NURSE, groups=("chiefs",))).token
    assert oidc.actions().count("user.role_from_oidc") == 1
    assert works(oidc.ward, same)


def test_a_person_without_a_mapped_group_loses_the_sessions() -> None:
    oidc = Oidc(roles=ROLES)
    inside = oidc.enter(an_identity("n-1", NURSE, groups=("nurses",))).token
    by_password = sign_in(oidc.ward, NURSE)
    with refused(Code.OIDC_NO_ROLE):
        oidc.enter(an_identity("n-1", NURSE, groups=("gardeners",)))
    assert (works(oidc.ward, inside), works(oidc.ward, by_password)) == (False, False)
    with refused(Code.OIDC_NO_ROLE):
        oidc.enter(an_identity("unknown", groups=("gardeners",)))


@pytest.mark.parametrize("groups", [("/nurses",), ("Nurses",), ("hospital/nurses", "x"), ("chiefs,nurses",), None])
def test_groups_in_another_form_end_no_session(groups: tuple[str, ...] | None) -> None:
    oidc = Oidc(roles=ROLES)
    inside = oidc.enter(an_identity("n-1", NURSE, groups=("nurses",))).token
    with refused(Code.OIDC_NO_ROLE):
        oidc.enter(an_identity("n-1", NURSE, groups=groups))
    assert works(oidc.ward, inside)


def test_the_last_administrator_keeps_the_role() -> None:
    oidc = Oidc(roles=ROLES)
    oidc.link(oidc.ward.admin, an_identity("a-1", groups=()))
    chief = an_identity("a-1", groups=("chiefs",))
    assert oidc.user(chief).role is Role.ADMIN
    assert "user.role_kept" in oidc.actions()
    oidc.ward.register("second@consumo.test", Role.ADMIN)
    assert oidc.user(chief).role is Role.SUPERVISOR


def test_an_administrator_without_password_is_not_the_last_one() -> None:
    oidc = Oidc(roles=ROLES)
    oidc.link(oidc.ward.admin, an_identity("a-1"))
    assert oidc.user(an_identity("other", groups=("admins",))).role is Role.ADMIN
    assert oidc.user(an_identity("a-1", groups=("nurses",))).role is Role.ADMIN


# --- sessions --------------------------------------------------------------------------------------------------------


def test_a_session_ends_also_in_use() -> None:
    oidc = Oidc(sessions_last=timedelta(hours=3))
    signed_in = oidc.signed_in(an_identity())
    session = kept(oidc.ward).sessions[signed_in.session_id]
    assert (session.how, session.oidc_sid) == (SignInMethod.OIDC, "session of new-1")
    token = oidc.enter(an_identity()).token
    for _ in range(2):
        oidc.ward.clock.advance(hours=1)
        oidc.ward.use_cases.session.touch(signed_in.session_id)
        assert works(oidc.ward, token)
    oidc.ward.clock.advance(hours=1)
    assert not works(oidc.ward, token)


def test_wrong_answers_are_limited_and_right_ones_pass() -> None:
    oidc = Oidc()
    for number in range(MAX_WRONG_OIDC_ANSWERS_PER_ADDRESS):
        forged = number % 2 == 0
        with refused(Code.OIDC_TRANSACTION if forged else Code.OIDC_CODE):
            oidc.exchange(code="wrong", transaction="forged" if forged else SIGN_IN, address="10.0.0.7")
    with nothing_written(oidc.ward), pytest.raises(TooManyAttempts):
        oidc.exchange(code="wrong", address="10.0.0.7")
    assert oidc.enter(an_identity(), address="10.0.0.7").token
    oidc.ward.clock.advance(minutes=16)
    with refused(Code.OIDC_CODE):
        oidc.exchange(code="wrong", address="10.0.0.7")


def test_a_provider_that_is_down_counts_no_failure() -> None:
    oidc = Oidc()
    oidc.provider.is_down = True
    with nothing_written(oidc.ward), pytest.raises(IdentityProviderUnreachable):
        oidc.exchange()
    with pytest.raises(IdentityProviderUnreachable):
        oidc.ward.use_cases.session.begin_oidc()


def test_without_a_provider_nothing_is_there(ward: Ward) -> None:
    signed_in = SignedIn(ward.nurse, "")
    calls: list[Callable[[], object]] = [
        ward.use_cases.session.begin_oidc,
        lambda: ward.use_cases.session.finish_oidc(OidcReturn()),
        lambda: ward.use_cases.account.link_oidc(signed_in, OidcReturn()),
        lambda: ward.use_cases.session.end_by_provider("x"),
    ]
    for call in calls:
        with pytest.raises(NotFound):
            call()
    assert ward.use_cases.session.read_logout_url(signed_in) is None


# --- passwords for administrators alone ------------------------------------------------------------------------------


def test_passwords_may_be_for_administrators_alone() -> None:
    oidc = Oidc(only=True)
    ward = oidc.ward
    assert sign_in(ward, "admin@consumo.test")
    for email in (NURSE, "supervisor@consumo.test"):
        with pytest.raises(InvalidCredentials):
            sign_in(ward, email)
    link = ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)
    with refused((Code.LINK_INVALID, "token")):
        choose(ward, link)
    assert choose(ward, ward.use_cases.users.create_reset_link(ward.admin, an_other_admin(ward)))


def an_other_admin(ward: Ward) -> int:
    return ward.register("second@consumo.test", Role.ADMIN).user_id


def test_a_refused_password_counts_as_a_wrong_one() -> None:
    oidc = Oidc(only=True)
    for _ in range(10):
        with pytest.raises(InvalidCredentials):
            oidc.ward.use_cases.session.sign_in(Credentials(email=NURSE, password=PASSWORD), "10.0.0.7")
    with pytest.raises(TooManyAttempts):
        oidc.ward.use_cases.session.sign_in(Credentials(email=NURSE, password=PASSWORD), "10.0.0.7")


# --- linking and unlinking -------------------------------------------------------------------------------------------


def session_of(ward: Ward, email: str) -> SignedIn:
    return ward.use_cases.session.identify(sign_in(ward, email))


def test_an_administrator_links_the_own_account() -> None:
    oidc = Oidc()
    signed_in = session_of(oidc.ward, "admin@consumo.test")
    begun = oidc.ward.use_cases.account.begin_linking_oidc(signed_in)
    oidc.provider.identities["code"] = an_identity("a-1")
    returned = OidcReturn(code="code", state="s", transaction=begun.transaction)
    oidc.ward.use_cases.account.link_oidc(signed_in, returned)
    assert oidc.user(an_identity("a-1")).id == oidc.ward.admin.user_id
    assert [letter.occasion for letter in oidc.ward.postbox.letters] == ["oidc_linked"]


def test_linking_needs_a_confirmed_session_and_its_transaction() -> None:
    oidc = Oidc()
    mine, other = session_of(oidc.ward, NURSE), session_of(oidc.ward, NURSE)
    begun = oidc.ward.use_cases.account.begin_linking_oidc(mine)
    oidc.ward.clock.now += CONFIRMATION_LASTS
    with refused(Code.SESSION_UNCONFIRMED):
        oidc.ward.use_cases.account.begin_linking_oidc(mine)
    oidc.provider.identities["code"] = an_identity("n-1")
    for signed_in, transaction in ((other, begun.transaction), (mine, SIGN_IN)):
        with refused(Code.OIDC_TRANSACTION):
            oidc.ward.use_cases.account.link_oidc(
                signed_in, OidcReturn(code="code", state="s", transaction=transaction)
            )
    with refused(Code.OIDC_TRANSACTION):
        oidc.exchange(transaction=begun.transaction)


def test_an_account_of_the_provider_belongs_to_one_user() -> None:
    oidc = Oidc()
    oidc.link(oidc.ward.nurse, an_identity("n-1"))
    with refused(Code.OIDC_TAKEN):
        oidc.link(oidc.ward.admin, an_identity("n-1"))
    oidc.link(oidc.ward.nurse, an_identity("n-1"))
    oidc.ward.use_cases.users.delete(oidc.ward.admin, oidc.ward.nurse.user_id)
    oidc.link(oidc.ward.admin, an_identity("n-1"))
    assert oidc.user(an_identity("n-1")).id == oidc.ward.admin.user_id


def test_unlinking_ends_the_sessions_of_the_provider() -> None:
    oidc = Oidc()
    nurse = oidc.ward.nurse.user_id
    inside = oidc.enter(an_identity("n-1", NURSE)).token
    by_password = sign_in(oidc.ward, NURSE)
    oidc.ward.use_cases.users.unlink_oidc(oidc.ward.supervisor, nurse)
    assert (works(oidc.ward, inside), works(oidc.ward, by_password)) == (False, True)
    assert not user_of(oidc.ward, nurse).is_linked
    assert oidc.actions()[-1] == "user.oidc_unlinked"
    with nothing_written(oidc.ward):
        oidc.ward.use_cases.users.unlink_oidc(oidc.ward.supervisor, nurse)


# --- signing out at the provider, and by it --------------------------------------------------------------------------


def test_signing_out_goes_on_at_the_provider() -> None:
    oidc = Oidc(signs_out_there=True)
    read = oidc.ward.use_cases.session.read_logout_url
    signed_in = oidc.signed_in(an_identity())
    assert read(signed_in) == f"{ISSUER}/logout?client_id=consumo"
    assert read(session_of(oidc.ward, NURSE)) is None
    oidc.provider.is_down = True
    assert read(signed_in) is None
    assert Oidc().ward.use_cases.session.read_logout_url(signed_in) is None


@pytest.mark.parametrize(
    ("announced", "left"),
    [
        ("j:n-1:", [False, False, True, True]),
        ("j::session of n-1", [False, False, True, True]),
        ("j:n-1:session of n-1", [False, False, True, True]),
        # Of another person, or of another session.
        ("j:n-2:session of n-1", [True, True, True, True]),
        ("j:n-1:session of another", [True, True, True, True]),
        ("j:unknown:", [True, True, True, True]),
    ],
)
def test_the_provider_ends_the_sessions_of_a_person(announced: str, left: list[bool]) -> None:
    oidc = Oidc()
    mine = [oidc.enter(an_identity("n-1", NURSE)).token for _ in range(2)]
    others = [sign_in(oidc.ward, NURSE), oidc.enter(an_identity("n-2")).token]
    oidc.ward.use_cases.session.end_by_provider(announced)
    assert [works(oidc.ward, token) for token in (*mine, *others)] == left


def test_an_announced_sign_out_counts_once() -> None:
    oidc = Oidc()
    oidc.enter(an_identity("n-1", NURSE))
    oidc.ward.use_cases.session.end_by_provider("j-1:n-1:")
    again = oidc.enter(an_identity("n-1", NURSE)).token
    oidc.ward.use_cases.session.end_by_provider("j-1:n-1:")
    assert works(oidc.ward, again)
    oidc.ward.use_cases.session.end_by_provider("j-2:n-1:")
    assert not works(oidc.ward, again)
    with refused(Code.OIDC_TOKEN):
        oidc.ward.use_cases.session.end_by_provider("forged")
