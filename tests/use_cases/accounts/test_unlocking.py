"""Devices, PINs and badges: what unlocks a session, and what does not."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from threading import Thread

import pytest

from application.accounts.sessions.device_proof import DeviceDraft
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.throttle import MAX_PINS_PER_ACCOUNT, MAX_PINS_PER_DEVICE, MAX_WRONG_BADGES
from application.accounts.sign_in.badges import BadgeDraft, ScannedBadge
from application.accounts.sign_in.pins import PinDraft
from application.accounts.sign_in.sign_in import Credentials
from application.accounts.sign_in.unlock_session import UnlockDraft
from application.accounts.users.change_own_account import AccountDraft
from application.accounts.users.draft import UserDraft
from application.people.staff import StaffDraft
from application.scanning.look_up_product import Lookup
from domain.accounts.pin import MAX_PIN_FAILURES
from domain.accounts.quick_unlock import QuickUnlock
from domain.common.errors import Code, NotFound, Refused, TooManyAttempts, Unauthenticated
from domain.common.policy import Actor, Role
from tests.assertions import refused
from tests.builders import PASSWORD, QuickPasswords, Ward, a_ward
from tests.devices import TABLET, Device
from tests.use_cases.accounts.signed_in import choose
from tests.use_cases.stored import audit_log, kept, nothing_written, rows_of, snapshot

PIN, OTHER_PIN = "480716", "905284"
PHONE = Device()
NURSE = Credentials(email="user@consumo.test", password=PASSWORD)
ADMIN = Credentials(email="admin@consumo.test", password=PASSWORD)


@dataclass(frozen=True)
class CountingPasswords(QuickPasswords):
    """Passwords that count their hashes."""

    hashes: list[str] = field(default_factory=list)

    def match(self, password: str, password_hash: str | None) -> bool:
        self.hashes.append(password)
        return super().match(password, password_hash)


@pytest.fixture
def passwords() -> CountingPasswords:
    return CountingPasswords()


@pytest.fixture
def ward(passwords: CountingPasswords) -> Ward:
    return a_ward(passwords=passwords)


def sign_in(ward: Ward, who: Credentials = NURSE, *, device: Device | None = TABLET) -> SignedIn:
    """Sign in, and bind the session to a device."""
    signed_in = ward.use_cases.session.identify(ward.use_cases.session.sign_in(who))
    if device:
        device.bind(ward.use_cases, signed_in)
    return signed_in


def set_pin(ward: Ward, signed_in: SignedIn, pin: str = PIN) -> None:
    ward.use_cases.session.set_pin(signed_in, PinDraft(pin=pin, pin_confirmation=pin))


@pytest.fixture
def nurse(ward: Ward) -> SignedIn:
    """The nurse at the tablet, with a PIN and a locked session."""
    signed_in = sign_in(ward)
    set_pin(ward, signed_in)
    ward.use_cases.session.lock(signed_in)
    return signed_in


def unlock(ward: Ward, signed_in: SignedIn, pin: str = PIN, *, device: Device = TABLET) -> None:
    proof = device.proof(ward.use_cases, signed_in, "unlock")
    ward.use_cases.session.unlock(signed_in, UnlockDraft(pin=pin, **proof))


def unlock_by_password(ward: Ward, signed_in: SignedIn, password: str = PASSWORD) -> None:
    ward.use_cases.session.unlock(signed_in, UnlockDraft(password=password))


def is_locked(ward: Ward, signed_in: SignedIn) -> bool:
    return kept(ward).sessions[signed_in.session_id].locked_at is not None


def actions(ward: Ward) -> list[str]:
    return [entry.action for entry in audit_log(ward)]


# --- PIN -------------------------------------------------------------------------------------------------------------


def test_the_right_pin_unlocks_and_does_not_confirm(ward: Ward, nurse: SignedIn) -> None:
    confirmed_at = kept(ward).sessions[nurse.session_id].confirmed_at
    locked_at = ward.clock.now
    ward.clock.advance(minutes=3)
    unlock(ward, nurse)
    assert not is_locked(ward, nurse)
    assert kept(ward).sessions[nurse.session_id].confirmed_at == confirmed_at
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.user_id) == ("session.unlocked", nurse.actor.user_id)
    assert entry.changes["how"] == (None, "pin")
    assert entry.changes["locked_since"] == (None, locked_at.isoformat())


def test_a_wrong_pin_tells_how_many_tries_are_left(ward: Ward, nurse: SignedIn) -> None:
    for left in range(MAX_PIN_FAILURES - 1, 0, -1):
        with pytest.raises(Refused) as wrong:
            unlock(ward, nurse, OTHER_PIN)
        assert (wrong.value.reasons[0].code, wrong.value.reasons[0].params) == (Code.PIN_WRONG, {"left": left})
    with refused((Code.PIN_EXHAUSTED, "pin")):
        unlock(ward, nurse, OTHER_PIN)
    assert actions(ward).count("session.unlock_failed") == MAX_PIN_FAILURES
    assert actions(ward)[-1] == "session.pin_exhausted"
    assert is_locked(ward, nurse)


def test_the_sixth_pin_costs_no_hash(ward: Ward, nurse: SignedIn, passwords: CountingPasswords) -> None:
    passwords.hashes.clear()
    for _ in range(MAX_PIN_FAILURES):
        with pytest.raises(Refused):
            unlock(ward, nurse, OTHER_PIN)
    assert len(passwords.hashes) == MAX_PIN_FAILURES
    for pin in (OTHER_PIN, PIN):
        with nothing_written(ward), refused((Code.PIN_EXHAUSTED, "pin")):
            unlock(ward, nurse, pin)
    assert len(passwords.hashes) == MAX_PIN_FAILURES


def test_the_password_gives_the_tries_back(ward: Ward, nurse: SignedIn) -> None:
    for _ in range(MAX_PIN_FAILURES):
        with pytest.raises(Refused):
            unlock(ward, nurse, OTHER_PIN)
    unlock_by_password(ward, nurse)
    ward.use_cases.session.lock(nurse)
    unlock(ward, nurse)
    assert not is_locked(ward, nurse)


def test_the_right_pin_gives_the_tries_back(ward: Ward, nurse: SignedIn) -> None:
    for _ in range(3):
        for _wrong in range(MAX_PIN_FAILURES - 1):
            with refused((Code.PIN_WRONG, "pin")):
                unlock(ward, nurse, OTHER_PIN)
        unlock(ward, nurse)


def test_a_pin_works_only_on_the_device_of_the_session(ward: Ward, nurse: SignedIn) -> None:
    elsewhere = sign_in(ward, device=PHONE)
    unbound = sign_in(ward, device=None)
    unlock(ward, elsewhere, device=PHONE)
    with nothing_written(ward):
        with refused(Code.PIN_NOT_HERE):
            unlock(ward, unbound)
        with refused((Code.DEVICE_SIGNATURE, "signature")):
            unlock(ward, nurse, device=PHONE)
        with refused((Code.DEVICE_SIGNATURE, "signature")):
            unlock(ward, elsewhere)


def proof_of(ward: Ward, signed_in: SignedIn, what: str = "unlock") -> dict[str, str]:
    proof = TABLET.proof(ward.use_cases, signed_in, what)
    return {"nonce": proof["nonce"], "signature": proof["signature"]}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"nonce": ""}, (Code.REQUIRED, "nonce")),
        ({"signature": ""}, (Code.REQUIRED, "signature")),
        ({"nonce": "1.2.3"}, (Code.NONCE_EXPIRED, "nonce")),
        ({"nonce": "x" * 100_000}, (Code.NONCE_EXPIRED, "nonce")),
        ({"nonce": "ñ.ñ.ñ"}, (Code.NONCE_EXPIRED, "nonce")),
        ({"signature": "x"}, (Code.DEVICE_SIGNATURE, "signature")),
        ({"signature": "A" * 86}, (Code.DEVICE_SIGNATURE, "signature")),
        ({"signature": "\ud800"}, (Code.DEVICE_SIGNATURE, "signature")),
    ],
)
def test_a_damaged_proof_is_refused(
    ward: Ward, nurse: SignedIn, changes: dict[str, str], code: tuple[Code, str]
) -> None:
    proof = proof_of(ward, nurse) | changes
    with nothing_written(ward), refused(code):
        ward.use_cases.session.unlock(nurse, UnlockDraft(pin=PIN, nonce=proof["nonce"], signature=proof["signature"]))


@pytest.mark.parametrize("what", ["device", "badge", "other"])
def test_a_signature_for_something_else_is_refused(ward: Ward, nurse: SignedIn, what: str) -> None:
    proof = proof_of(ward, nurse, what)
    with nothing_written(ward), refused((Code.DEVICE_SIGNATURE, "signature")):
        ward.use_cases.session.unlock(nurse, UnlockDraft(pin=PIN, nonce=proof["nonce"], signature=proof["signature"]))


def test_a_nonce_lasts_a_minute_and_fits_one_session(ward: Ward, nurse: SignedIn) -> None:
    supervisor = sign_in(ward, Credentials(email="supervisor@consumo.test", password=PASSWORD))
    other = TABLET.signed("unlock", ward.use_cases.session.make_nonce(supervisor)["nonce"], nurse.actor.user_id)
    mine = TABLET.proof(ward.use_cases, nurse, "unlock")
    with nothing_written(ward), refused((Code.NONCE_EXPIRED, "nonce")):
        ward.use_cases.session.unlock(nurse, UnlockDraft(pin=PIN, **other))
    ward.clock.advance(seconds=61)
    with nothing_written(ward), refused((Code.NONCE_EXPIRED, "nonce")):
        ward.use_cases.session.unlock(nurse, UnlockDraft(pin=PIN, **mine))
    ward.clock.advance(seconds=-1)
    ward.use_cases.session.unlock(nurse, UnlockDraft(pin=PIN, **mine))


def test_a_pin_does_not_work_after_the_session_has_ended(ward: Ward, nurse: SignedIn) -> None:
    proof = TABLET.proof(ward.use_cases, nurse, "unlock")
    ward.use_cases.session.sign_out(nurse)
    with nothing_written(ward), pytest.raises(Unauthenticated):
        ward.use_cases.session.unlock(nurse, UnlockDraft(pin=PIN, **proof))


@pytest.mark.parametrize("by", ["link", "account page"])
def test_a_new_password_deletes_the_pin_and_keeps_badges(ward: Ward, nurse: SignedIn, by: str) -> None:
    unlock(ward, nurse)
    ward.use_cases.badges.add(nurse, nurse.actor.user_id, BadgeDraft(badge="BADGE-1"))
    new = "gasa, venda y cánula"
    if by == "link":
        choose(ward, ward.use_cases.users.create_reset_link(ward.admin, nurse.actor.user_id), new)
    else:
        form = AccountDraft(
            email="user@consumo.test", password=new, password_confirmation=new, current_password=PASSWORD
        )
        ward.use_cases.account.change(nurse.actor, form)
    assert kept(ward).pins == {}
    assert len(kept(ward).badges) == 1
    again = sign_in(ward, Credentials(email="user@consumo.test", password=new))
    with nothing_written(ward), refused((Code.PIN_NONE, "pin")):
        unlock(ward, again)


def test_a_deleted_account_keeps_neither_pin_nor_badge(ward: Ward, nurse: SignedIn) -> None:
    unlock(ward, nurse)
    ward.use_cases.badges.add(nurse, nurse.actor.user_id, BadgeDraft(badge="BADGE-1"))
    ward.use_cases.users.delete(ward.admin, nurse.actor.user_id)
    assert (kept(ward).pins, kept(ward).badges) == ({}, {})


@dataclass(frozen=True)
class SlowPasswords(QuickPasswords):
    """Passwords whose check runs ``meanwhile``, as if another request ran."""

    meanwhile: list[Callable[[], object]] = field(default_factory=list)

    def match(self, password: str, password_hash: str | None) -> bool:
        while self.meanwhile:
            self.meanwhile.pop()()
        return super().match(password, password_hash)


def test_a_pin_that_was_removed_during_hashing_fails() -> None:
    passwords = SlowPasswords()
    ward = a_ward(passwords=passwords)
    nurse = sign_in(ward)
    set_pin(ward, nurse)
    ward.use_cases.session.lock(nurse)
    passwords.meanwhile.append(lambda: ward.use_cases.session.remove_pin(replace(nurse.actor)))
    with refused((Code.PIN_NONE, "pin")):
        unlock(ward, nurse)
    assert is_locked(ward, nurse)


def test_twenty_concurrent_wrong_pins_cost_five_hashes(
    ward: Ward, nurse: SignedIn, passwords: CountingPasswords
) -> None:
    passwords.hashes.clear()
    drafts = [UnlockDraft(pin=OTHER_PIN, **TABLET.proof(ward.use_cases, nurse, "unlock")) for _ in range(20)]
    codes: list[Code] = []

    def attempt(draft: UnlockDraft) -> None:
        with pytest.raises(Refused) as wrong:
            ward.use_cases.session.unlock(nurse, draft)
        codes.append(wrong.value.reasons[0].code)

    threads = [Thread(target=attempt, args=(draft,)) for draft in drafts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passwords.hashes) == MAX_PIN_FAILURES
    assert codes.count(Code.PIN_WRONG) == MAX_PIN_FAILURES - 1
    assert codes.count(Code.PIN_EXHAUSTED) == 16


def test_pins_of_one_account_are_limited_over_all_devices(
    ward: Ward, nurse: SignedIn, passwords: CountingPasswords
) -> None:
    places = [(nurse, TABLET)] + [(sign_in(ward, device=device), device) for device in (PHONE, Device(), Device())]
    passwords.hashes.clear()
    attempts = [(session, device) for session, device in places for _ in range(MAX_PIN_FAILURES)]
    for session, device in attempts[:MAX_PINS_PER_ACCOUNT]:
        with pytest.raises(Refused):
            unlock(ward, session, OTHER_PIN, device=device)
    session, device = attempts[MAX_PINS_PER_ACCOUNT]
    with nothing_written(ward), pytest.raises(TooManyAttempts):
        unlock(ward, session, device=device)
    assert len(passwords.hashes) == MAX_PINS_PER_ACCOUNT


def test_one_device_cannot_try_a_pin_for_many_people(ward: Ward) -> None:
    people = []
    for number in range(MAX_PINS_PER_DEVICE // 4 + 1):
        email = f"person-{number}@consumo.test"
        ward.register(email, Role.USER)
        session = sign_in(ward, Credentials(email=email, password=PASSWORD))
        set_pin(ward, session)
        people.append(session)
    for number in range(MAX_PINS_PER_DEVICE):
        with pytest.raises(Refused):
            unlock(ward, people[number // 4], OTHER_PIN)
    with nothing_written(ward), pytest.raises(TooManyAttempts):
        unlock(ward, people[-1])
    ward.clock.advance(minutes=15)
    unlock(ward, people[-1])


@pytest.mark.parametrize(
    "draft",
    [
        UnlockDraft(),
        UnlockDraft(password="", pin=""),
        UnlockDraft(password=PASSWORD, pin=PIN, nonce="x", signature="x"),
        UnlockDraft(pin=PIN, badge="BADGE-1", nonce="x", signature="x"),
    ],
)
def test_unlocking_takes_exactly_one_way(ward: Ward, nurse: SignedIn, draft: UnlockDraft) -> None:
    with nothing_written(ward), refused((Code.REQUIRED, "password")):
        ward.use_cases.session.unlock(nurse, draft)


def test_a_password_without_a_lock_only_confirms(ward: Ward) -> None:
    nurse = sign_in(ward)
    ward.clock.advance(minutes=6)
    with refused(Code.SESSION_UNCONFIRMED):
        set_pin(ward, nurse)
    before = actions(ward)
    unlock_by_password(ward, nurse)
    assert actions(ward) == before
    set_pin(ward, nurse)


# --- setting a PIN ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pin", "confirmation", "code"),
    [
        ("", "", (Code.REQUIRED, "pin")),
        ("48071", "48071", (Code.PIN_INVALID, "pin")),
        ("48071x", "48071x", (Code.PIN_INVALID, "pin")),
        (PIN, OTHER_PIN, (Code.PIN_MISMATCH, "pin_confirmation")),
        (PIN, "", (Code.PIN_MISMATCH, "pin_confirmation")),
        ("123456", "123456", (Code.PIN_WEAK, "pin")),
        ("030784", "030784", (Code.PIN_WEAK, "pin")),
        ("555123", "555123", (Code.PIN_WEAK, "pin")),
    ],
)
def test_an_unfit_pin_is_refused(ward: Ward, pin: str, confirmation: str, code: tuple[Code, str]) -> None:
    nurse = sign_in(ward)
    profile = StaffDraft(
        name="Nuria", first_surname="Paz", date_of_birth=date(1984, 7, 3), telephone_number="55 5512-3555123"
    )
    ward.use_cases.account.complete_profile(nurse.actor, profile)
    with nothing_written(ward), refused(code):
        ward.use_cases.session.set_pin(nurse, PinDraft(pin=pin, pin_confirmation=confirmation))


def test_a_pin_needs_a_confirmed_session(ward: Ward, nurse: SignedIn) -> None:
    ward.clock.advance(minutes=5)
    unlock(ward, nurse)
    with nothing_written(ward), refused(Code.SESSION_UNCONFIRMED):
        set_pin(ward, nurse, OTHER_PIN)


def test_the_newest_pin_counts_and_can_be_removed(ward: Ward, nurse: SignedIn) -> None:
    unlock_by_password(ward, nurse)
    set_pin(ward, nurse, OTHER_PIN)
    ward.use_cases.session.lock(nurse)
    with refused((Code.PIN_WRONG, "pin")):
        unlock(ward, nurse, PIN)
    unlock(ward, nurse, OTHER_PIN)
    ward.use_cases.session.remove_pin(nurse.actor)
    with nothing_written(ward):
        ward.use_cases.session.remove_pin(nurse.actor)
    assert [action for action in actions(ward) if action.startswith("user.pin")] == [
        *("user.pin_set", "user.pin_set", "user.pin_removed")
    ]


def test_no_pin_is_in_a_repr_or_in_the_audit_log(ward: Ward, nurse: SignedIn) -> None:
    assert PIN not in repr(UnlockDraft(pin=PIN, badge=PIN))
    assert PIN not in repr(PinDraft(pin=PIN, pin_confirmation=PIN))
    assert PIN not in repr(audit_log(ward))
    assert nurse.actor.user_id in kept(ward).pins


def test_a_role_that_may_not_has_no_quick_way(ward: Ward) -> None:
    admin = sign_in(ward, ADMIN)
    with nothing_written(ward):
        with refused(Code.UNLOCK_NOT_FOR_ROLE):
            set_pin(ward, admin)
        with refused(Code.UNLOCK_NOT_FOR_ROLE):
            unlock(ward, admin)
        with refused(Code.UNLOCK_NOT_FOR_ROLE):
            ward.use_cases.badges.add(admin, admin.actor.user_id, BadgeDraft(badge="BADGE-1"))


def test_a_pin_of_a_role_that_may_no_longer_is_refused() -> None:
    ward = a_ward(quick_unlock=QuickUnlock(frozenset({Role.SUPERVISOR})))
    chief = Credentials(email="supervisor@consumo.test", password=PASSWORD)
    set_pin(ward, sign_in(ward, chief))
    draft = UserDraft(email="supervisor@consumo.test", role=1)
    ward.use_cases.users.update(ward.admin, ward.supervisor.user_id, draft)
    again = sign_in(ward, chief)
    with nothing_written(ward), refused(Code.UNLOCK_NOT_FOR_ROLE):
        unlock(ward, again)
    assert ward.supervisor.user_id in kept(ward).pins


# --- devices ---------------------------------------------------------------------------------------------------------


def test_binding_ends_older_sessions_on_the_same_device(ward: Ward, nurse: SignedIn) -> None:
    elsewhere, supervisor = sign_in(ward, device=PHONE), sign_in(ward, ADMIN)
    again = sign_in(ward)
    assert kept(ward).sessions.keys() == {elsewhere.session_id, supervisor.session_id, again.session_id}
    assert actions(ward)[-2:] == ["session.ended", "session.device_bound"]
    bound = audit_log(ward)[-1]
    assert (bound.user_id, bound.changes["device"]) == (nurse.actor.user_id, (None, TABLET.thumbprint))


def test_binding_again_to_the_same_device_changes_nothing(ward: Ward) -> None:
    nurse = sign_in(ward)
    ward.clock.advance(hours=1)
    with nothing_written(ward):
        TABLET.bind(ward.use_cases, nurse)


def test_binding_to_another_device_needs_a_confirmed_session(ward: Ward) -> None:
    nurse = sign_in(ward)
    ward.clock.advance(minutes=5)
    with nothing_written(ward), refused(Code.SESSION_UNCONFIRMED):
        PHONE.bind(ward.use_cases, nurse)
    unlock_by_password(ward, nurse)
    PHONE.bind(ward.use_cases, nurse)
    assert kept(ward).sessions[nurse.session_id].device == PHONE.thumbprint


@pytest.mark.parametrize(
    "changes", [{"crv": "P-384"}, {"kty": "OKP"}, {"x": "A" * 43}, {"x": 7}, {"y": "A"}, {"y": "ñ" * 43}, {"x": None}]
)
def test_what_is_no_key_of_the_curve_is_refused(ward: Ward, changes: dict[str, object]) -> None:
    nurse = sign_in(ward, device=None)
    proof = TABLET.proof(ward.use_cases, nurse, "device")
    with nothing_written(ward), refused((Code.DEVICE_KEY_INVALID, "public_key")):
        ward.use_cases.session.bind_device(nurse, DeviceDraft(public_key={**TABLET.public_key, **changes}, **proof))


def test_a_key_must_sign_to_be_bound(ward: Ward) -> None:
    nurse = sign_in(ward, device=None)
    proof = PHONE.proof(ward.use_cases, nurse, "device")
    with nothing_written(ward), refused((Code.DEVICE_SIGNATURE, "signature")):
        ward.use_cases.session.bind_device(nurse, DeviceDraft(public_key=TABLET.public_key, **proof))


def test_a_lost_device_ends_the_sessions_of_managed_accounts(ward: Ward, nurse: SignedIn) -> None:
    admin, elsewhere = sign_in(ward, ADMIN), sign_in(ward, device=PHONE)
    supervisor = sign_in(ward, Credentials(email="supervisor@consumo.test", password=PASSWORD), device=None)
    ward.use_cases.session.end_on_device(supervisor, TABLET.thumbprint)
    assert nurse.session_id not in kept(ward).sessions
    # A supervisor does not manage role 10.
    assert {admin.session_id, elsewhere.session_id, supervisor.session_id} <= kept(ward).sessions.keys()
    assert actions(ward)[-2:] == ["session.ended", "device.sessions_ended"]
    ward.use_cases.session.end_on_device(admin, TABLET.thumbprint)
    assert admin.session_id in kept(ward).sessions, "the current session stays"
    for wrong in ("", "x", "%" * 43):
        with pytest.raises(NotFound):
            ward.use_cases.session.end_on_device(admin, wrong)


def test_sessions_tell_device_lock_and_how_they_began(ward: Ward, nurse: SignedIn) -> None:
    admin = sign_in(ward, ADMIN, device=None)
    (session,) = ward.use_cases.session.list(admin, nurse.actor.user_id)["items"]
    assert (session["device"], session["locked"], session["how"]) == (TABLET.thumbprint, True, "password")


# --- badges ----------------------------------------------------------------------------------------------------------

BADGE = "8017952000000000000018"


def a_badge_ward(*, alone: bool = True) -> Ward:
    return a_ward(quick_unlock=QuickUnlock(badge_alone=alone))


def unlock_by_badge(ward: Ward, signed_in: SignedIn, badge: str = BADGE) -> None:
    proof = TABLET.proof(ward.use_cases, signed_in, "unlock")
    ward.use_cases.session.unlock(signed_in, UnlockDraft(badge=badge, **proof))


def find(ward: Ward, signed_in: SignedIn, badge: str = BADGE, *, device: Device = TABLET) -> int:
    proof = device.proof(ward.use_cases, signed_in, "badge")
    return ward.use_cases.badges.find(signed_in, ScannedBadge(badge=badge, **proof))["user_id"]


def add(ward: Ward, signed_in: SignedIn, badge: str = BADGE, *, to: Actor | None = None) -> int:
    user_id = to.user_id if to else signed_in.actor.user_id
    return ward.use_cases.badges.add(signed_in, user_id, BadgeDraft(badge=badge, name="Azul"))["id"]


@pytest.mark.parametrize("scan", [BADGE, f"(8017){BADGE[4:]}", f"]C1{BADGE}", f"]d2{BADGE}\x1d", f" {BADGE}\n"])
def test_a_badge_names_its_user_whatever_the_scanner(ward: Ward, nurse: SignedIn, scan: str) -> None:
    admin = sign_in(ward, ADMIN)
    add(ward, admin, to=nurse.actor)
    ward.use_cases.session.lock(admin)
    assert find(ward, admin, scan) == nurse.actor.user_id
    assert find(ward, nurse, scan.lower()) == nurse.actor.user_id
    assert is_locked(ward, nurse)
    (badge,) = ward.use_cases.badges.list(ward.admin, nurse.actor.user_id)["items"]
    assert badge["used_at"] == ward.clock.now


def test_badges_without_a_session_here_are_alike(ward: Ward, nurse: SignedIn) -> None:
    admin = sign_in(ward, ADMIN, device=PHONE)
    elsewhere = ward.register("luz@consumo.test", Role.USER)
    add(ward, admin, "BADGE-LUZ", to=elsewhere)
    for badge in ("BADGE-LUZ", "BADGE-OF-NO-USER"):
        with pytest.raises(NotFound) as unknown:
            find(ward, nurse, badge)
        assert unknown.value.args == (None,)
    with refused((Code.BADGE_TOO_SHORT, "badge")):
        find(ward, nurse, "B-1")


def test_unknown_badges_on_a_device_are_limited(ward: Ward, nurse: SignedIn) -> None:
    add(ward, sign_in(ward, ADMIN), to=nurse.actor)
    for number in range(MAX_WRONG_BADGES):
        assert find(ward, nurse) == nurse.actor.user_id, "a known badge gives no unknown one back"
        with pytest.raises(NotFound):
            find(ward, nurse, f"UNKNOWN-{number}")
    with pytest.raises(TooManyAttempts):
        find(ward, nurse)


def test_a_badge_alone_unlocks_only_with_the_setting() -> None:
    for alone in (False, True):
        ward = a_badge_ward(alone=alone)
        nurse = sign_in(ward)
        add(ward, nurse)
        ward.use_cases.session.lock(nurse)
        assert ward.use_cases.account.read(nurse.actor)["unlock_by"] == ["password", *(["badge"] if alone else [])]
        if alone:
            unlock_by_badge(ward, nurse)
            assert audit_log(ward)[-1].changes["how"] == (None, "badge")
        else:
            with nothing_written(ward), refused((Code.BADGE_NEEDS_PIN, "badge")):
                unlock_by_badge(ward, nurse)
        assert is_locked(ward, nurse) is not alone


def test_another_users_badge_does_not_unlock() -> None:
    ward = a_badge_ward()
    nurse, admin = sign_in(ward), sign_in(ward, ADMIN)
    add(ward, admin, to=ward.supervisor)
    ward.use_cases.session.lock(nurse)
    for badge in (BADGE, "BADGE-OF-NO-USER"):
        with refused((Code.BADGE_UNKNOWN, "badge")):
            unlock_by_badge(ward, nurse, badge)
    assert actions(ward).count("session.unlock_failed") == 2
    assert is_locked(ward, nurse)


def test_after_five_wrong_pins_a_badge_does_not_unlock() -> None:
    ward = a_badge_ward()
    nurse = sign_in(ward)
    set_pin(ward, nurse)
    add(ward, nurse)
    ward.use_cases.session.lock(nurse)
    for _ in range(MAX_PIN_FAILURES):
        with pytest.raises(Refused):
            unlock(ward, nurse, OTHER_PIN)
    with nothing_written(ward), refused((Code.PIN_EXHAUSTED, "badge")):
        unlock_by_badge(ward, nurse)


def test_the_badge_of_a_deleted_user_is_unknown(ward: Ward, nurse: SignedIn) -> None:
    admin = sign_in(ward, ADMIN)
    add(ward, admin, to=nurse.actor)
    assert find(ward, admin) == nurse.actor.user_id
    ward.use_cases.users.delete(ward.admin, nurse.actor.user_id)
    with pytest.raises(NotFound):
        find(ward, admin)
    add(ward, admin, to=ward.supervisor)


def test_badges_are_unique_and_three_at_most(ward: Ward, nurse: SignedIn) -> None:
    unlock_by_password(ward, nurse)
    first = add(ward, nurse, "BADGE-1")
    for same in ("BADGE-1", "badge-1"):
        with nothing_written(ward), refused((Code.BADGE_TAKEN, "badge")):
            add(ward, nurse, same)
    add(ward, nurse, "BADGE-2")
    add(ward, nurse, "BADGE-3")
    with nothing_written(ward), refused(Code.BADGES_TOO_MANY):
        add(ward, nurse, "BADGE-4")
    ward.use_cases.badges.remove(nurse.actor, nurse.actor.user_id, first)
    add(ward, nurse, "BADGE-4")
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.badges.remove(nurse.actor, nurse.actor.user_id, first)
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.badges.remove(ward.admin, ward.supervisor.user_id, first + 1)


@pytest.mark.parametrize(
    ("badge", "code"),
    [
        ("", Code.REQUIRED),
        ("12345", Code.BADGE_TOO_SHORT),
        ("x" * 101, Code.TEXT_TOO_LONG),
        ("\ud800" * 9, Code.TEXT_UNWRITABLE),
    ],
)
def test_an_unfit_badge_is_refused(ward: Ward, nurse: SignedIn, badge: str, code: Code) -> None:
    unlock_by_password(ward, nurse)
    with nothing_written(ward), refused((code, "badge")):
        add(ward, nurse, badge)


def test_no_badge_text_is_stored(ward: Ward, nurse: SignedIn) -> None:
    unlock_by_password(ward, nurse)
    add(ward, nurse, "SECRET-TEXT")
    find(ward, nurse, "SECRET-TEXT")
    assert "secret-text" not in repr(rows_of(snapshot(ward))).lower()


def test_the_profile_tells_how_to_unlock(ward: Ward) -> None:
    nurse = sign_in(ward)
    account = ward.use_cases.account.read(nurse.actor)
    assert (account["unlock_by"], account["quick_unlock"]) == (["password"], True)
    set_pin(ward, nurse)
    assert ward.use_cases.account.read(nurse.actor)["unlock_by"] == ["password", "pin"]
    account = ward.use_cases.account.read(ward.admin)
    assert (account["unlock_by"], account["quick_unlock"]) == (["password"], False)


@pytest.mark.parametrize("scan", [BADGE, f"(8017){BADGE[4:]}", "BADGE-7", "badge-7", "PROVIDER-8017"])
def test_a_badge_in_the_record_bar_is_no_unknown_code(ward: Ward, scan: str) -> None:
    admin = sign_in(ward, ADMIN)
    add(ward, admin, "BADGE-7", to=ward.nurse)
    ward.use_cases.products.look_up(ward.nurse, Lookup(scan=scan))
    known = scan != "PROVIDER-8017"
    assert (len(kept(ward).unknown_codes) == 0) is known


def test_a_scanned_badge_answers_like_an_unknown_code(ward: Ward) -> None:
    add(ward, sign_in(ward, ADMIN), "BADGE-7", to=ward.supervisor)
    badge, unknown = (ward.use_cases.products.look_up(ward.nurse, Lookup(scan=text)) for text in ("BADGE-7", "BADGE-8"))
    assert badge["noted"] == {"system": "code", "code": "BADGE-7"}
    assert repr(badge).replace("BADGE-7", "BADGE-8") == repr(unknown)
    assert [row.code_key for row in kept(ward).unknown_codes] == ["badge-8"]


def test_badges_of_others_cannot_be_tried_one_by_one(ward: Ward, nurse: SignedIn) -> None:
    """Adding says that a badge is taken, and other devices are at hand."""
    unlock_by_password(ward, nurse)
    admin = sign_in(ward, ADMIN)
    add(ward, admin, "BADGE-7", to=ward.supervisor)
    for number in range(MAX_WRONG_BADGES - 1):
        with pytest.raises(NotFound):
            find(ward, nurse, f"UNKNOWN-{number}")
    with refused((Code.BADGE_TAKEN, "badge")):
        add(ward, nurse, "BADGE-7")
    with nothing_written(ward), pytest.raises(TooManyAttempts):
        add(ward, nurse, "BADGE-7")
    elsewhere = sign_in(ward, device=PHONE)
    with pytest.raises(TooManyAttempts):
        find(ward, elsewhere, "UNKNOWN", device=PHONE)
    ward.clock.advance(minutes=16)
    add(ward, sign_in(ward), "BADGE-9")


def test_the_own_badge_is_not_counted(ward: Ward) -> None:
    nurse = sign_in(ward)
    add(ward, nurse, "BADGE-9")
    for _ in range(MAX_WRONG_BADGES + 1):
        with refused((Code.BADGE_TAKEN, "badge")):
            add(ward, nurse, "BADGE-9")
