"""Contract of every store: concurrent changes to accounts and references."""

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from application.accounts.sign_in.sign_in import Credentials
from application.accounts.users.choose_password import ChosenPassword
from application.accounts.users.draft import UserDraft
from application.accounts.users.password_links import RequestedLetter
from application.audit.views import AuditQuery, AuditView
from application.catalogue.areas import AreaDraft
from application.catalogue.rooms import RoomDraft
from application.catalogue.views import RoomQuery
from application.work import UnitOfWork
from domain.accounts.user import User
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.errors import Code, InvalidCredentials, NotFound, Refused
from domain.common.policy import Actor, Role
from domain.sheets.detail import Detail
from tests.builders import PASSWORD, Ward, a_detail, a_product, a_sheet
from tests.contracts.accounts.signed_in import the_account_is_right
from tests.contracts.common.concurrently import at_once
from tests.pace import PATIENCE

MANY = 8


def codes(outcome: object) -> list[Code]:
    """Return the codes of a refusal, or an empty list."""
    return [reason.code for reason in outcome.reasons] if isinstance(outcome, Refused) else []


def done(outcomes: list[Any]) -> int:
    """Return the number of calls that succeeded."""
    return sum(not isinstance(outcome, Exception) for outcome in outcomes)


def administrators(ward: Ward) -> list[int]:
    with ward.store.begin() as work:
        return [user.id for user in work.users.administrators()]


# --- the last administrator ------------------------------------------------------------------------------------------


def demote(ward: Ward, who: Actor, whom: Actor) -> None:
    email = f"u{whom.user_id}@consumo.test"
    ward.use_cases.users.update(who, whom.user_id, UserDraft(email=email, role=int(Role.SUPERVISOR)))


def delete(ward: Ward, who: Actor, whom: Actor) -> None:
    ward.use_cases.users.delete(who, whom.user_id)


@pytest.mark.parametrize(("one", "other"), [(demote, demote), (demote, delete), (delete, delete)])
def test_two_admins_who_remove_each_other_leave_one(
    ward: Ward, one: Callable[..., None], other: Callable[..., None]
) -> None:
    for number in range(4):
        left = administrators(ward)[0]
        first = Actor(user_id=left, role=Role.ADMIN, staff_id=None)
        second = ward.register(f"second{number}@consumo.test", Role.ADMIN)
        outcomes = at_once([partial(one, ward, first, second), partial(other, ward, second, first)])
        assert done(outcomes) == 1
        (refusal,) = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        assert codes(refusal) == [Code.LAST_ADMINISTRATOR]
        assert len(administrators(ward)) == 1


def test_admins_who_remove_each_other_in_a_circle_leave_one(ward: Ward) -> None:
    ring = [ward.admin, *(ward.register(f"a{number}@consumo.test", Role.ADMIN) for number in range(MANY - 1))]
    outcomes = at_once(
        [partial((demote, delete)[n % 2], ward, who, ring[(n + 1) % MANY]) for n, who in enumerate(ring)]
    )
    assert done(outcomes) == MANY - 1
    assert [codes(outcome) for outcome in outcomes if isinstance(outcome, Exception)] == [[Code.LAST_ADMINISTRATOR]]
    assert len(administrators(ward)) == 1


# --- links -----------------------------------------------------------------------------------------------------------


def choose(ward: Ward, secret: str, password: str) -> None:
    chosen = ChosenPassword(token=secret, password=password, password_confirmation=password)
    ward.use_cases.account.choose_password(chosen)


def new_secret(ward: Ward) -> str:
    return ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id).url.partition("token=")[2]


def signs_in(ward: Ward, password: str) -> bool:
    try:
        ward.use_cases.session.sign_in(Credentials(email="user@consumo.test", password=password))
    except InvalidCredentials:
        return False
    return True


def test_a_link_used_concurrently_works_once(ward: Ward) -> None:
    secret = new_secret(ward)
    passwords = [f"gasa, venda y {number} cánulas" for number in range(MANY)]
    outcomes = at_once([partial(choose, ward, secret, password) for password in passwords])
    assert done(outcomes) == 1
    assert sum(codes(outcome) == [Code.LINK_INVALID] for outcome in outcomes) == MANY - 1
    assert [signs_in(ward, password) for password in passwords] == [outcome is None for outcome in outcomes]
    assert not signs_in(ward, PASSWORD)


def test_concurrent_sign_in_failures_are_counted_one_by_one(ward: Ward) -> None:
    def fail(guesser: int) -> None:
        for number in range(5):
            credentials = Credentials(email=f"u{guesser}-{number}@consumo.test", password="wrong")
            with pytest.raises(InvalidCredentials):
                ward.use_cases.session.sign_in(credentials, "192.0.2.1")

    assert done(at_once([partial(fail, guesser) for guesser in range(5)])) == 5
    failed = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(action="session.sign_in_failed", limit=50))[
        "items"
    ]
    assert Counter(entry["changes"].get("failures", [None, 1])[1] for entry in failed) == {1: 10, 20: 1}


def test_one_of_several_links_requested_at_once_works(ward: Ward) -> None:
    letter = RequestedLetter("user@consumo.test", "192.0.2.1", is_due=True)
    send = partial(ward.use_cases.account.request_password_reset.send, letter, "es")
    assert done(at_once([send] * MANY)) == MANY
    secrets = [letter.url.partition("token=")[2] for letter in ward.postbox.letters]
    outcomes = at_once([partial(choose, ward, secret, "gasa, venda y cánula") for secret in secrets])
    assert done(outcomes) == 1
    assert sum(codes(outcome) == [Code.LINK_INVALID] for outcome in outcomes) == MANY - 1


def test_using_a_link_while_links_are_created_does_not_block(ward: Ward) -> None:
    for _ in range(3):
        follow = partial(choose, ward, new_secret(ward), "gasa, venda y cánula")
        outcomes = at_once([follow, *[partial(new_secret, ward)] * 4, follow])
        for outcome in (outcomes[0], outcomes[-1]):
            assert outcome is None or codes(outcome) == [Code.LINK_INVALID]
        assert all(isinstance(outcome, str) for outcome in outcomes[1:-1])


# --- deleting something that gets a reference ------------------------------------------------------------------------


def a_room(area_id: int) -> Room:
    return Room(name="201", status=RoomStatus.AVAILABLE, type=RoomType.SINGLE, area_id=area_id)


def room_draft(area_id: int) -> RoomDraft:
    return RoomDraft(name="201", status=1, type=1, area_id=area_id)


def who_comes_second(ward: Ward, change: Callable[[UnitOfWork], object], call: Callable[[], object]) -> Any:
    """Start a call while a change is uncommitted, and return its outcome.

    The call must wait for the commit of the change.
    """
    outcomes: list[Any] = []
    ended = threading.Event()

    def run() -> None:
        outcomes.extend(at_once([call]))
        ended.set()

    with ward.store.begin() as work:
        change(work)
        threading.Thread(target=run, daemon=True).start()
        assert not ended.wait(0.1)
    assert ended.wait(PATIENCE)
    return outcomes[0]


# For each kind of thing, how a reference to it is created: in a unit of work, and by a use case.
NEEDED: dict[str, tuple[Callable[[Ward, UnitOfWork, int], object], Callable[[Ward, int], object]]] = {
    "area": (
        lambda ward, work, area_id: work.rooms.add(a_room(area_id)),
        lambda ward, area_id: ward.use_cases.rooms.create(ward.admin, room_draft(area_id)),
    ),
    "product": (
        lambda ward, work, product_id: work.details.add(a_detail_of(ward, product_id)),
        lambda ward, product_id: ward.detail(1, product_id=product_id),
    ),
    "room": (
        lambda ward, work, room_id: work.sheets.add(a_sheet(patient_id=ward.patient_id, room_id=room_id, id=0)),
        lambda ward, room_id: ward.sheet(room_id=room_id),
    ),
    "staff": (
        lambda ward, work, staff_id: work.users.add(
            User(email="luz@consumo.test", role=Role.USER, password_hash=None, staff_id=staff_id)
        ),
        lambda ward, staff_id: ward.use_cases.users.assign_profile(ward.admin, ward.supervisor.user_id, staff_id),
    ),
}


def a_detail_of(ward: Ward, product_id: int) -> Detail:
    """Build a detail of the first sheet, ready to be added."""
    sheet = a_sheet(id=1, room_id=ward.room_id)
    return a_detail(sheet, a_product(id=product_id), by=ward.nurse)


def one_that_is_free(ward: Ward, noun: str) -> int:
    """Create a thing without references; the first sheet is open."""
    ward.sheet()
    if noun == "area":
        return ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano")).id
    if noun == "product":
        return ward.product("Sonda").id
    if noun == "room":
        return ward.use_cases.rooms.create(ward.admin, room_draft(ward.area_id)).id
    return ward.staff("Luz", "Gil").id


def group_of(ward: Ward, noun: str) -> Any:
    """The use cases of the noun."""
    return getattr(ward.use_cases, {"category": "categories", "staff": "staff"}.get(noun, f"{noun}s"))


def is_there(ward: Ward, noun: str, this: int) -> bool:
    with ward.store.begin() as work:
        store = noun if noun == "staff" else f"{noun}s"
        return getattr(work, store).get(this) is not None


@pytest.mark.parametrize("noun", NEEDED)
def test_a_thing_that_gets_a_reference_meanwhile_is_not_deleted(ward: Ward, noun: str) -> None:
    this = one_that_is_free(ward, noun)
    outcome = who_comes_second(
        ward,
        lambda work: NEEDED[noun][0](ward, work, this),
        lambda: group_of(ward, noun).delete(ward.admin, this),
    )
    assert codes(outcome) == [Code.IN_USE]
    assert is_there(ward, noun, this)


@pytest.mark.parametrize("noun", NEEDED)
def test_a_thing_being_deleted_cannot_be_referenced(ward: Ward, noun: str) -> None:
    this = one_that_is_free(ward, noun)
    store = noun if noun == "staff" else f"{noun}s"
    outcome = who_comes_second(
        ward,
        lambda work: getattr(work, store).remove(getattr(work, store).lock(this)),
        lambda: NEEDED[noun][1](ward, this),
    )
    assert codes(outcome) in ([Code.REFERENCE_UNKNOWN], [Code.REFERENCE_GONE])
    assert not is_there(ward, noun, this)


def test_no_race_leaves_a_dangling_reference(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for number in range(8):
        product, area = ward.product("Sonda"), ward.use_cases.areas.create(ward.admin, AreaDraft(name=f"Área {number}"))
        calls: list[Callable[[], object]] = [
            partial(ward.use_cases.products.delete, ward.admin, product.id),
            partial(ward.detail, sheet_id, product_id=product.id),
            partial(ward.use_cases.areas.delete, ward.admin, area.id),
            partial(ward.use_cases.rooms.create, ward.admin, room_draft(area.id)),
        ]
        outcomes = at_once(calls[::-1] if number % 2 else calls)
        deleted, added, closed_down, built = outcomes[::-1] if number % 2 else outcomes
        for deletion, addition, noun, this in (
            (deleted, added, "product", product.id),
            (closed_down, built, "area", area.id),
        ):
            assert done([deletion, addition]) == 1
            if deletion is None:
                assert codes(addition) in ([Code.REFERENCE_UNKNOWN], [Code.REFERENCE_GONE])
            else:
                assert codes(deletion) == [Code.IN_USE]
            assert is_there(ward, noun, this) is (deletion is not None)
    with ward.store.begin() as work:
        for room in work.views.rooms.page(RoomQuery(limit=100))["items"]:
            assert work.areas.get(room["area_id"])
        for detail in work.details.on_sheet(sheet_id):
            assert work.products.get(detail.product_id)
    the_account_is_right(ward, sheet_id)


# --- the same change several times -----------------------------------------------------------------------------------


def reported(ward: Ward, action: str) -> list[AuditView]:
    """Return the audit entries of an action, oldest first."""
    with ward.store.read() as views:
        return views.audit.page(AuditQuery(action=action, limit=100))["items"][::-1]


@pytest.mark.parametrize("noun", [*NEEDED, "user"])
def test_one_of_several_deletions_succeeds_and_is_logged_once(ward: Ward, noun: str) -> None:
    this = ward.register("luz@consumo.test", Role.USER).user_id if noun == "user" else one_that_is_free(ward, noun)
    outcomes = at_once([partial(group_of(ward, noun).delete, ward.admin, this)] * MANY)
    assert outcomes.count(None) == 1
    assert sum(isinstance(outcome, NotFound) for outcome in outcomes) == MANY - 1
    assert [entry["entity_id"] for entry in reported(ward, f"{noun}.deleted")] == [this]


def test_concurrent_changes_are_logged_as_a_chain(ward: Ward) -> None:
    """Each entry's old value is the new value of the entry before."""
    user_id = ward.register("u0@consumo.test", Role.USER).user_id

    def rename(number: int) -> None:
        ward.use_cases.areas.update(ward.admin, ward.area_id, AreaDraft(name=f"Área {number}"))
        ward.use_cases.users.update(ward.admin, user_id, UserDraft(email=f"u{number}@consumo.test", role=1))

    assert done(at_once([partial(rename, number) for number in range(1, MANY + 1)])) == MANY
    for action, field, first in (("area.updated", "name", "Urgencias"), ("user.updated", "email", "u0@consumo.test")):
        changes = [entry["changes"][field] for entry in reported(ward, action)]
        assert len(changes) == MANY
        assert [before for before, _ in changes] == [first, *(after for _, after in changes[:-1])]
    with ward.store.begin() as work:
        area = work.areas.get(ward.area_id)
    assert area
    assert area.name == reported(ward, "area.updated")[-1]["changes"]["name"][1]
