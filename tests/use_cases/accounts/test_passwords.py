"""Links to choose a password: handed out, requested by mail, used once."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from datetime import timedelta

import pytest

from application.accounts.users.change_own_account import AccountDraft
from application.accounts.users.choose_password import ChosenPassword
from application.accounts.users.draft import UserDraft
from application.accounts.users.password_links import ResetRequest
from application.accounts.users.read_link import LinkToken
from application.common.mail import MailMessage
from application.imports.bulk_load import BulkLoad
from application.work import UnitOfWork, Views
from domain.common.errors import Code, InvalidCredentials, NotFound, Reason, TooManyAttempts
from domain.common.policy import Actor, Role
from domain.common.text import full_name
from tests.assertions import refused
from tests.builders import PASSWORD, ZONE, QuickPasswords, Ward, a_ward
from tests.stores import InMemoryStore
from tests.use_cases.accounts.signed_in import NEW_PASSWORD, ask_for_letter, choose, secret_of, sign_in, works
from tests.use_cases.stored import audit_log, kept, nothing_written, rows_of, snapshot

NURSE = "user@consumo.test"


def handed_out(ward: Ward) -> str:
    """Return a link for the nurse, handed out by an administrator."""
    return ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id).url


def asked_for(ward: Ward) -> str:
    """Return a link for the nurse, requested by mail."""
    ask_for_letter(ward, NURSE, "es")
    return ward.postbox.letters[-1].url


LINKS: dict[str, Callable[[Ward], str]] = {"handed out": handed_out, "asked for": asked_for}


# --- handing out -----------------------------------------------------------------------------------------------------


def test_a_link_is_handed_out_and_not_mailed(ward: Ward) -> None:
    link = ward.use_cases.users.create_reset_link(ward.supervisor, ward.nurse.user_id)
    assert link.url.startswith("http://127.0.0.1:8000/auth/reset-password?token=")
    assert link.expires_at == ward.clock.now + timedelta(hours=72)
    assert ward.postbox.letters == []


def test_handing_out_changes_neither_password_nor_sessions(ward: Ward) -> None:
    token = sign_in(ward, NURSE)
    handed_out(ward)
    assert works(ward, token)
    assert sign_in(ward, NURSE)


def test_handing_out_is_logged_without_the_link(ward: Ward) -> None:
    ward.clock.advance(minutes=1)
    handed_out(ward)
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.entity, entry.entity_id) == ("user.reset_link_handed_out", "user", ward.nurse.user_id)
    assert (entry.user_id, entry.at, entry.changes) == (ward.admin.user_id, ward.clock.now, {})


def test_handing_out_ends_earlier_links(ward: Ward) -> None:
    older, newer = handed_out(ward), handed_out(ward)
    with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
        choose(ward, older)
    choose(ward, newer)


def test_a_link_for_a_missing_user_is_not_found(ward: Ward) -> None:
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.users.create_reset_link(ward.admin, 99)


# --- requests by mail ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("email", [NURSE, "  USER@Consumo.test "])
def test_a_user_who_forgot_the_password_gets_a_mail(ward: Ward, email: str) -> None:
    ask_for_letter(ward, email, "en")
    (letter,) = ward.postbox.letters
    assert letter == MailMessage(NURSE, "reset", "en", ward.clock.now + timedelta(hours=72), letter.url)
    choose(ward, letter.url)
    assert sign_in(ward, NURSE, NEW_PASSWORD)


@pytest.mark.parametrize("email", ["unknown@consumo.test", "not an email", "deleted@consumo.test"])
def test_a_request_for_an_unknown_account_sends_nothing(ward: Ward, email: str) -> None:
    deleted = ward.register("deleted@consumo.test", Role.USER)
    ward.use_cases.users.delete(ward.admin, deleted.user_id)
    before, entries = rows_of(snapshot(ward)), audit_log(ward)
    ask_for_letter(ward, email, "es")
    assert ward.postbox.letters == []
    (entry,) = audit_log(ward)[len(entries) :]
    assert (entry.action, entry.user_id, entry.entity_id) == ("user.reset_requested", None, 0)
    changed = {table for table, rows in rows_of(snapshot(ward)).items() if rows != before[table]}
    assert changed == {"audit_trail", "sign_in_failures"}


def test_a_request_is_logged_without_a_user(ward: Ward) -> None:
    asked_for(ward)
    mailed = audit_log(ward)[-1]
    assert (mailed.action, mailed.user_id, mailed.entity_id) == ("user.reset_link_mailed", None, ward.nurse.user_id)
    assert mailed.changes == {"address": (None, "")}


def test_only_the_latest_link_of_an_account_works(ward: Ward) -> None:
    password_links = [handed_out(ward), asked_for(ward), asked_for(ward)]
    assert len(kept(ward).password_links) == 1
    for dead in password_links[:2]:
        with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
            choose(ward, dead)
    choose(ward, password_links[2])


def test_without_mail_a_request_ends_no_handed_out_link(ward: Ward) -> None:
    """Otherwise a stranger could end links that cannot be replaced."""
    link = handed_out(ward)
    ward.postbox.delivers = False
    ask_for_letter(ward, NURSE)
    choose(ward, link)


def test_a_user_gets_at_most_three_mails_per_quarter_of_an_hour(ward: Ward) -> None:
    for number in range(20):
        ask_for_letter(ward, NURSE, address=f"192.0.2.{number}")
    assert len(ward.postbox.letters) == 3
    ask_for_letter(ward, "admin@consumo.test", address="192.0.2.1")
    assert len(ward.postbox.letters) == 4
    ward.clock.advance(minutes=15)
    ask_for_letter(ward, NURSE)
    assert len(ward.postbox.letters) == 5


def test_requests_per_address_are_limited(ward: Ward) -> None:
    for number in range(30):
        ask_for_letter(ward, f"unknown-{number}@consumo.test", address="192.0.2.1")
    with pytest.raises(TooManyAttempts):
        ask_for_letter(ward, NURSE, address="192.0.2.1")
    ask_for_letter(ward, NURSE, address="192.0.2.2")


def test_before_the_answer_a_request_is_only_counted(ward: Ward) -> None:
    for email in (NURSE, "unknown@consumo.test"):
        attempts = len(kept(ward).failed_attempts)
        with nothing_written(ward):
            ward.use_cases.account.request_password_reset(ResetRequest(email=email))
        assert len(kept(ward).failed_attempts) == attempts + 2
        assert ward.postbox.letters == []


@pytest.mark.parametrize("email", [NURSE, "unknown@consumo.test"])
@pytest.mark.parametrize("why", ["it is mailed", "no mail is set up", "it was mailed often enough"])
def test_every_request_writes_one_entry(ward: Ward, email: str, why: str) -> None:
    if why == "it was mailed often enough":
        for _ in range(3):
            ask_for_letter(ward, email)
    ward.postbox.delivers = why != "no mail is set up"
    before = audit_log(ward)
    ask_for_letter(ward, email, address="192.0.2.1")
    (entry,) = audit_log(ward)[len(before) :]
    is_mailed = email == NURSE and why == "it is mailed"
    assert entry.action == ("user.reset_link_mailed" if is_mailed else "user.reset_requested")
    assert entry.entity_id == (ward.nurse.user_id if is_mailed else 0)
    assert entry.changes == {"address": (None, "192.0.2.1")}


def test_wrong_links_cost_no_hash_and_lock_no_owner_out(ward: Ward) -> None:
    wrong = ChosenPassword(token="x", password=NEW_PASSWORD, password_confirmation=NEW_PASSWORD)
    link = handed_out(ward)
    hash_ = ward.use_cases.account.choose_password.passwords.hash
    ward.use_cases.account.choose_password.passwords.hash = None  # type: ignore[method-assign, assignment]
    with nothing_written(ward):
        for _ in range(40):
            with refused((Code.LINK_INVALID, "token")):
                ward.use_cases.account.choose_password(wrong, "192.0.2.1")
    ward.use_cases.account.choose_password.passwords.hash = hash_  # type: ignore[method-assign]
    assert choose(ward, link, address="192.0.2.1")


def test_a_link_from_before_a_promotion_is_invalid(ward: Ward) -> None:
    """Otherwise the supervisor who made the link could become administrator."""
    link = ward.use_cases.users.create_reset_link(ward.supervisor, ward.nurse.user_id)
    ward.use_cases.users.update(ward.admin, ward.nurse.user_id, UserDraft(email=NURSE, role=10))
    with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
        choose(ward, link)


def test_a_new_email_ends_the_earlier_links(ward: Ward) -> None:
    link = handed_out(ward)
    ward.use_cases.users.update(
        ward.admin, ward.nurse.user_id, UserDraft(email="other@consumo.test", role=1, staff_id=ward.nurse.staff_id)
    )
    with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
        choose(ward, link)


@pytest.mark.parametrize("meanwhile", ["demoted", "deleted"])
def test_a_link_is_invalid_when_its_maker_loses_the_permission(ward: Ward, meanwhile: str) -> None:
    maker = ward.register("maker@consumo.test", Role.SUPERVISOR)
    link = ward.use_cases.users.create_reset_link(maker, ward.nurse.user_id)
    if meanwhile == "demoted":
        ward.use_cases.users.update(ward.admin, maker.user_id, UserDraft(email="maker@consumo.test", role=1))
    else:
        ward.use_cases.users.delete(ward.admin, maker.user_id)
    with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
        choose(ward, link)


def test_an_invited_user_can_request_another_mail(ward: Ward) -> None:
    ward.use_cases.users.invite(ward.admin, UserDraft(email="luz@consumo.test", role=1), "es")
    ask_for_letter(ward, "luz@consumo.test", "es")
    choose(ward, ward.postbox.letters[-1].url)
    assert sign_in(ward, "luz@consumo.test", NEW_PASSWORD)


@pytest.mark.parametrize("email", [None, "", "   "])
def test_a_request_needs_an_email(ward: Ward, email: str | None) -> None:
    with nothing_written(ward), refused((Code.REQUIRED, "email")):
        ward.use_cases.account.request_password_reset(ResetRequest(email=email))


# --- choosing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LINKS)
def test_the_chosen_password_is_valid_from_then_on(ward: Ward, kind: str) -> None:
    choose(ward, LINKS[kind](ward))
    assert ward.use_cases.session.identify(sign_in(ward, NURSE, NEW_PASSWORD)).actor == ward.nurse
    with pytest.raises(InvalidCredentials):
        sign_in(ward, NURSE)


@pytest.mark.parametrize("kind", LINKS)
def test_a_link_works_once(ward: Ward, kind: str) -> None:
    link = LINKS[kind](ward)
    choose(ward, link)
    with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
        choose(ward, link, "otra contraseña distinta")


@pytest.mark.parametrize("kind", LINKS)
def test_a_link_works_until_its_expiry(ward: Ward, kind: str) -> None:
    in_time = LINKS[kind](ward)
    ward.clock.advance(hours=72, microseconds=-1)
    choose(ward, in_time)
    late = LINKS[kind](ward)
    ward.clock.advance(hours=72)
    with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
        choose(ward, late)


def test_a_used_link_does_not_affect_links_of_other_users(ward: Ward) -> None:
    others = ward.use_cases.users.create_reset_link(ward.admin, ward.supervisor.user_id)
    choose(ward, asked_for(ward))
    choose(ward, others)


def test_a_chosen_password_ends_all_sessions_of_the_user(ward: Ward) -> None:
    tokens, others = [sign_in(ward, NURSE) for _ in range(2)], sign_in(ward, "admin@consumo.test")
    choose(ward, handed_out(ward))
    assert [works(ward, token) for token in (*tokens, others)] == [False, False, True]


def test_a_chosen_password_is_reported_by_mail(ward: Ward) -> None:
    choose(ward, handed_out(ward))
    assert ward.postbox.letters == [MailMessage(NURSE, "password_changed", "es", ward.clock.now)]


def test_choosing_is_logged_as_the_users_own_action(ward: Ward) -> None:
    link = handed_out(ward)
    ward.clock.advance(hours=1)
    choose(ward, link)
    entry = audit_log(ward)[-2]
    assert (entry.action, entry.entity_id, entry.user_id) == (
        "user.password_chosen",
        ward.nurse.user_id,
        ward.nurse.user_id,
    )
    assert (entry.at, entry.changes) == (ward.clock.now, {})


@pytest.mark.parametrize("kind", LINKS)
def test_choosing_a_password_signs_in(ward: Ward, kind: str) -> None:
    token = choose(ward, LINKS[kind](ward), address="192.0.2.7")
    signed_in = ward.use_cases.session.identify(token)
    assert signed_in.actor == ward.nurse
    (session,) = ward.use_cases.session.list(signed_in, ward.nurse.user_id)["items"]
    assert session["current"]
    assert session["address"] == "192.0.2.7"
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.user_id) == ("session.signed_in", ward.nurse.user_id)
    assert entry.changes["address"] == (None, "192.0.2.7")


# --- for whom a link is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LINKS)
def test_a_link_tells_for_whom_it_is_and_stays_valid(ward: Ward, kind: str) -> None:
    link = LINKS[kind](ward)
    holder = ward.use_cases.account.read_link(LinkToken(token=secret_of(link)))
    staff = kept(ward).staff[ward.nurse.staff_id or 0]
    assert (holder.email, holder.hospital) == (NURSE, ward.use_cases.account.read_link.hospital_name)
    assert holder.name == full_name(staff.name, staff.first_surname, staff.second_surname)
    choose(ward, link)


def test_a_link_of_an_invited_user_has_no_name(ward: Ward) -> None:
    invited = ward.use_cases.users.invite(ward.admin, UserDraft(email="luz@consumo.test", role=1), "es")
    holder = ward.use_cases.account.read_link(LinkToken(token=secret_of(invited.activation)))
    assert (holder.email, holder.name) == ("luz@consumo.test", None)


def test_an_invalid_link_reveals_nothing(ward: Ward) -> None:
    link = handed_out(ward)
    choose(ward, link)
    for number in range(40):
        with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
            ward.use_cases.account.read_link(LinkToken(token=secret_of(link) if number else "x"))


def test_a_link_without_token_is_refused(ward: Ward) -> None:
    with nothing_written(ward), refused((Code.REQUIRED, "token")):
        ward.use_cases.account.read_link(LinkToken())


def test_the_repr_of_a_link_token_hides_it() -> None:
    assert "the secret" not in repr(LinkToken(token="the secret"))


@pytest.mark.parametrize(
    ("password", "confirmation", "reasons"),
    [
        (None, None, [(Code.REQUIRED, "password")]),
        ("short", "short", [(Code.PASSWORD_TOO_SHORT, "password")]),
        ("x" * 129, "x" * 129, [(Code.PASSWORD_TOO_LONG, "password")]),
        ("administrador", "administrador", [(Code.PASSWORD_FEW_WORDS, "password")]),
        ("USER@consumo.test", "USER@consumo.test", [(Code.PASSWORD_PERSONAL, "password")]),
        (NEW_PASSWORD, NEW_PASSWORD + " ", [(Code.PASSWORD_MISMATCH, "password_confirmation")]),
        (NEW_PASSWORD, None, [(Code.PASSWORD_MISMATCH, "password_confirmation")]),
        ("short", None, [(Code.PASSWORD_TOO_SHORT, "password"), (Code.PASSWORD_MISMATCH, "password_confirmation")]),
    ],
)
def test_a_refused_password_does_not_consume_the_link(
    ward: Ward, password: str | None, confirmation: str | None, reasons: list[tuple[Code, str]]
) -> None:
    link = handed_out(ward)
    chosen = ChosenPassword(token=secret_of(link), password=password, password_confirmation=confirmation)
    with nothing_written(ward), refused(*reasons):
        ward.use_cases.account.choose_password(chosen)
    choose(ward, link)


def test_all_errors_of_a_chosen_password_are_reported_at_once(ward: Ward) -> None:
    chosen = ChosenPassword(password="short", parse_errors=(Reason(Code.TEXT_EXPECTED, "password_confirmation"),))
    expected = [
        (Code.TEXT_EXPECTED, "password_confirmation"),
        (Code.REQUIRED, "token"),
        (Code.PASSWORD_TOO_SHORT, "password"),
    ]
    with nothing_written(ward), refused(*expected):
        ward.use_cases.account.choose_password(chosen)


@pytest.mark.parametrize("token", ["x", "é", "' OR 1=1", "x" * 200])
def test_an_invalid_token_sets_no_password(ward: Ward, token: str) -> None:
    handed_out(ward)
    chosen = ChosenPassword(token=token, password=NEW_PASSWORD, password_confirmation=NEW_PASSWORD)
    with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
        ward.use_cases.account.choose_password(chosen)


def test_a_link_needs_its_exact_secret(ward: Ward) -> None:
    secret = secret_of(handed_out(ward))
    digest = next(iter(kept(ward).password_links))
    for other in (secret[:-1], secret.swapcase(), secret + "x", digest):
        chosen = ChosenPassword(token=other, password=NEW_PASSWORD, password_confirmation=NEW_PASSWORD)
        with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
            ward.use_cases.account.choose_password(chosen)


def test_a_throttled_user_can_sign_in_after_using_a_link(ward: Ward) -> None:
    for _ in range(10):
        with pytest.raises(InvalidCredentials):
            sign_in(ward, NURSE, "wrong", address="192.0.2.1")
    choose(ward, handed_out(ward))
    assert sign_in(ward, NURSE, NEW_PASSWORD, address="192.0.2.2")


# --- secrets ---------------------------------------------------------------------------------------------------------


def test_neither_secrets_nor_passwords_are_stored(ward: Ward) -> None:
    invited = ward.use_cases.users.invite(ward.admin, UserDraft(email="luz@consumo.test", role=1), "es")
    password_links = [handed_out(ward), asked_for(ward), invited.activation.url]
    choose(ward, invited.activation)
    everything = repr(rows_of(snapshot(ward)))
    reported = repr([asdict(entry) for entry in audit_log(ward)])
    for secret in (*map(secret_of, password_links), NEW_PASSWORD, PASSWORD):
        assert secret not in everything
    for secret in (*kept(ward).password_links, QuickPasswords().hash(NEW_PASSWORD), QuickPasswords().hash(PASSWORD)):
        assert secret not in reported


def test_the_repr_of_a_chosen_password_hides_secrets() -> None:
    printed = repr(ChosenPassword(token="the secret", password=NEW_PASSWORD, password_confirmation=NEW_PASSWORD))
    assert "the secret" not in printed
    assert NEW_PASSWORD not in printed


def test_a_link_made_after_a_promotion_is_valid(ward: Ward) -> None:
    ward.use_cases.users.update(ward.admin, ward.nurse.user_id, UserDraft(email=NURSE, role=2))
    choose(ward, handed_out(ward))
    actor = ward.use_cases.session.identify(sign_in(ward, NURSE, NEW_PASSWORD)).actor
    assert actor == Actor(user_id=ward.nurse.user_id, role=Role.SUPERVISOR, staff_id=None)


# --- hashing ---------------------------------------------------------------------------------------------------------


class WatchedStore:
    """A store that counts the open units of work."""

    def __init__(self) -> None:
        self._store = InMemoryStore(ZONE)
        self.under_way = 0

    @contextmanager
    def begin(self) -> Iterator[UnitOfWork]:
        with self._store.begin() as work:
            self.under_way += 1
            try:
                yield work
            finally:
                self.under_way -= 1

    def begin_bulk_load(self) -> AbstractContextManager[BulkLoad]:
        return self._store.begin_bulk_load()

    def begin_read_only(self) -> AbstractContextManager[UnitOfWork]:
        return self._store.begin_read_only()

    def read(self) -> AbstractContextManager[Views]:
        return self._store.read()

    def read_for_reports(self) -> AbstractContextManager[Views]:
        return self._store.read_for_reports()


class UnhurriedPasswords(QuickPasswords):
    """Passwords whose hash takes long: no unit of work may be open meanwhile."""

    def __init__(self, store: WatchedStore) -> None:
        self._store = store
        self.asked = 0

    def hash(self, password: str) -> str:
        assert not self._store.under_way
        self.asked += 1
        return super().hash(password)


def test_no_unit_of_work_is_open_while_a_password_is_hashed() -> None:
    store = WatchedStore()
    passwords = UnhurriedPasswords(store)
    ward = a_ward(store, passwords=passwords)
    before = passwords.asked
    sign_in(ward, NURSE)
    draft = AccountDraft(
        email=NURSE, password=NEW_PASSWORD, password_confirmation=NEW_PASSWORD, current_password=PASSWORD
    )
    ward.use_cases.account.change(ward.nurse, draft)
    choose(ward, handed_out(ward))
    with pytest.raises(InvalidCredentials):
        sign_in(ward, NURSE, "wrong")
    assert passwords.asked - before == 5
