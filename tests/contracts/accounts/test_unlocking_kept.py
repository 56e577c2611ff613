"""Locked sessions, PINs and badges, on every store."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from application.accounts.ports.identity import Session, SignInMethod
from application.accounts.ports.unlocking import StoredPin, UnlockState
from application.accounts.sessions.identify import SignedIn
from application.accounts.sign_in.badges import BadgeDraft, ScannedBadge
from application.accounts.sign_in.pins import PinDraft
from application.accounts.sign_in.sign_in import Credentials
from application.accounts.sign_in.unlock_session import UnlockDraft
from domain.accounts.badge import Badge
from domain.accounts.pin import MAX_PIN_FAILURES
from domain.common.errors import Code, NotFound, Refused
from tests.assertions import refused
from tests.builders import NOON, PASSWORD, Ward
from tests.contracts.common.concurrently import at_once
from tests.devices import TABLET

PIN, OTHER_PIN = "480716", "905284"


def a_session(ward: Ward, id: str, user_id: int, **changes: object) -> Session:
    session = Session(id=id, user_id=user_id, expires_at=ward.clock.now + timedelta(hours=1), how=SignInMethod.PASSKEY)
    session = replace(session, **changes)  # type: ignore[arg-type]
    with ward.store.begin() as work:
        work.sessions.add(session)
    return session


def test_a_session_is_stored_with_lock_device_and_failures(ward: Ward) -> None:
    changed = {"locked_at": NOON, "confirmed_at": NOON, "pin_failures": 3, "device": "d" * 43, "device_key": "k" * 87}
    session = a_session(ward, "s-1", ward.nurse.user_id)
    with ward.store.begin() as work:
        work.sessions.save(replace(session, **changed))  # type: ignore[arg-type]
    with ward.store.begin() as work:
        assert work.sessions.lock("s-1", ward.clock.now) == replace(session, **changed)  # type: ignore[arg-type]


def test_sessions_on_a_device_are_listed_by_user(ward: Ward) -> None:
    here, there = "h" * 43, "t" * 43
    a_session(ward, "s-1", ward.nurse.user_id, device=here, began_at=NOON + timedelta(hours=1))
    a_session(ward, "s-2", ward.admin.user_id, device=here)
    a_session(ward, "s-3", ward.nurse.user_id, device=here, began_at=NOON)
    a_session(ward, "s-4", ward.nurse.user_id, device=there)
    a_session(ward, "s-5", ward.nurse.user_id)
    a_session(ward, "s-6", ward.nurse.user_id, device=here, expires_at=ward.clock.now)
    with ward.store.read() as views:
        found = [(one.user_id, one.id) for one in views.sessions_on_device(here, ward.clock.now)]
    admin, nurse = ward.admin.user_id, ward.nurse.user_id
    assert found == sorted([(admin, "s-2"), (nurse, "s-3"), (nurse, "s-1")], key=lambda one: one[0])


def test_a_user_has_one_pin_and_the_state_tells_it(ward: Ward) -> None:
    nurse = ward.nurse.user_id
    with ward.store.begin() as work:
        assert work.views.unlock_state(nurse) == UnlockState(has_password=True)
        assert work.views.unlock_state(999) == UnlockState()
        work.pins.save(StoredPin(nurse, "first", NOON))
        work.pins.save(StoredPin(nurse, "second", NOON + timedelta(minutes=1)))
    with ward.store.begin() as work:
        assert work.pins.get(nurse) == StoredPin(nurse, "second", NOON + timedelta(minutes=1))
        assert work.pins.get(ward.admin.user_id) is None
        assert work.views.unlock_state(nurse) == UnlockState(has_password=True, has_pin=True)
        work.badges.add(Badge(user_id=nurse, digest="d", made_by=nurse, made_at=NOON))
        work.pins.remove(nurse)
        work.pins.remove(nurse)
        assert work.views.unlock_state(nurse) == UnlockState(has_password=True, has_badge=True)


def test_badges_are_found_by_digest_and_user(ward: Ward) -> None:
    nurse, admin = ward.nurse.user_id, ward.admin.user_id
    badges = [
        Badge(user_id=nurse, digest="d-1", name="Azul", made_by=admin, made_at=NOON),
        Badge(user_id=nurse, digest="d-2", made_by=nurse, made_at=NOON, used_at=NOON + timedelta(minutes=1)),
        Badge(user_id=admin, digest="d-3", made_by=admin, made_at=NOON),
    ]
    with ward.store.begin() as work:
        for badge in badges:
            work.badges.add(badge)
    with ward.store.begin() as work:
        assert work.badges.find_many("user_id", [nurse]) == badges[:2]
        assert work.badges.find_many("digest", ["d-3", "none"]) == badges[2:]
        work.badges.save(replace(badges[0], digest="d-4", used_at=NOON))
        work.badges.remove(badges[1])
    with ward.store.begin() as work:
        assert work.badges.find_many("user_id", [nurse]) == [replace(badges[0], digest="d-4", used_at=NOON)]


def at_the_tablet(ward: Ward, email: str = "user@consumo.test") -> SignedIn:
    session = ward.use_cases.session
    signed_in = session.identify(session.sign_in(Credentials(email=email, password=PASSWORD)))
    TABLET.bind(ward.use_cases, signed_in)
    return signed_in


def test_a_shift_at_a_shared_tablet(ward: Ward) -> None:
    nurse, supervisor = at_the_tablet(ward), at_the_tablet(ward, "supervisor@consumo.test")
    use_cases = ward.use_cases
    for person in (nurse, supervisor):
        use_cases.session.set_pin(person, PinDraft(pin=PIN, pin_confirmation=PIN))
        use_cases.session.lock(person)
        assert use_cases.account.read(person.actor)["unlock_by"] == ["password", "pin"]
    with refused((Code.PIN_WRONG, "pin")):
        use_cases.session.unlock(nurse, UnlockDraft(pin=OTHER_PIN, **TABLET.proof(use_cases, nurse, "unlock")))
    use_cases.session.unlock(nurse, UnlockDraft(pin=PIN, **TABLET.proof(use_cases, nurse, "unlock")))
    with ward.store.read() as views:
        locked = {one.user_id: one.locked_at for one in views.sessions_on_device(TABLET.thumbprint, ward.clock.now)}
    assert locked == {nurse.actor.user_id: None, supervisor.actor.user_id: ward.clock.now}
    use_cases.badges.add(nurse, nurse.actor.user_id, BadgeDraft(badge="BADGE-1", name="Azul"))
    scanned = ScannedBadge(badge="badge-1", **TABLET.proof(use_cases, supervisor, "badge"))
    assert use_cases.badges.find(supervisor, scanned) == {"user_id": nurse.actor.user_id}
    use_cases.users.delete(ward.admin, nurse.actor.user_id)
    with pytest.raises(NotFound):
        use_cases.badges.find(supervisor, scanned)
    admin = at_the_tablet(ward, "admin@consumo.test")
    use_cases.session.end_on_device(admin, TABLET.thumbprint)
    with ward.store.read() as views:
        assert [one.id for one in views.sessions_on_device(TABLET.thumbprint, ward.clock.now)] == [admin.session_id]


def test_concurrent_wrong_pins_get_five_tries(ward: Ward) -> None:
    nurse = at_the_tablet(ward)
    ward.use_cases.session.set_pin(nurse, PinDraft(pin=PIN, pin_confirmation=PIN))
    drafts = [UnlockDraft(pin=OTHER_PIN, **TABLET.proof(ward.use_cases, nurse, "unlock")) for _ in range(8)]

    calls = [partial(ward.use_cases.session.unlock, nurse, draft) for draft in drafts]
    codes = [one.reasons[0].code for one in at_once(calls) if isinstance(one, Refused)]
    assert codes.count(Code.PIN_WRONG) == MAX_PIN_FAILURES - 1
    assert codes.count(Code.PIN_EXHAUSTED) == 8 - MAX_PIN_FAILURES + 1


def test_a_badge_added_twice_at_once_belongs_to_one_account(ward: Ward) -> None:
    admin, draft = SignedIn(ward.admin, ""), BadgeDraft(badge="BADGE-1")
    people = (ward.nurse, ward.supervisor)
    outcomes = at_once([partial(ward.use_cases.badges.add, admin, person.user_id, draft) for person in people])
    refusals = [one.reasons[0].code for one in outcomes if isinstance(one, Refused)]
    assert refusals == [Code.BADGE_TAKEN]
