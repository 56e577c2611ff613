"""Contract of every store: concurrent changes behave as if serialized."""

import threading
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from itertools import cycle
from typing import Any

import pytest

from adapters.sql.store import SqlStore
from application.accounts.users.draft import UserDraft
from application.catalogue.areas import AreaDraft
from application.catalogue.products import ProductDraft
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey, Replayable
from application.people.staff import StaffDraft
from application.people.views import StaffQuery
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.views import SheetQuery, SheetView
from domain.common.errors import Code, NotFound, Refused, RequestInProgress, VersionConflict
from domain.common.policy import Role
from domain.sheets.sheet import PatientSheet
from tests.builders import PASSWORD, ZONE, Ward, a_ward
from tests.contracts.accounts.signed_in import details_of, the_account_is_right
from tests.contracts.common.concurrently import at_once
from tests.pace import PATIENCE

WRITERS = 16
# An upper bound: by then every writer has been refused, in any order of service.
MAX_PER_WRITER = 2_000


def is_refused(outcome: object, code: Code) -> bool:
    return isinstance(outcome, Refused) and [reason.code for reason in outcome.reasons] == [code]


def unexpected(outcomes: list[Any], *expected: type[Exception]) -> list[Any]:
    return [outcome for outcome in outcomes if isinstance(outcome, Exception) and not isinstance(outcome, expected)]


# --- many writes during a closing ------------------------------------------------------------------------------------


@pytest.fixture
def products(ward: Ward) -> list[int]:
    """Return products whose prices do not add up to a round sum."""
    return [ward.product("Venda", price).id for price in ("0.01", "3.33", "12.49", "1999.99")]


def test_no_detail_is_added_after_a_concurrent_closing(ward: Ward, products: list[int]) -> None:
    sheet_id = ward.sheet()["id"]
    acknowledged = threading.Semaphore(0)

    def write(number: int) -> list[int]:
        ids: list[int] = []
        for product_id in cycle(products[number % 4 :] + products[: number % 4]):
            try:
                ids.append(ward.detail(sheet_id, f"{number}.125", product_id=product_id)["id"])
            except Refused as refused:
                if not is_refused(refused, Code.SHEET_CLOSED):
                    raise
                break
            acknowledged.release()
            assert len(ids) < MAX_PER_WRITER
        return ids

    def close() -> SheetView:
        for _ in range(150):
            assert acknowledged.acquire(timeout=PATIENCE)
        return ward.use_cases.sheets.close(ward.admin, sheet_id)

    *written, closing = at_once([*(partial(write, n) for n in range(WRITERS)), close])
    assert not unexpected([*written, closing])
    ids = [detail_id for writer in written for detail_id in writer]
    assert len(ids) == len(set(ids)) >= 150
    assert sorted(ids) == sorted(detail.id for detail in details_of(ward, sheet_id))
    sheet = the_account_is_right(ward, sheet_id)
    assert closing == sheet
    assert sheet["version"] == len(ids) + 2


def test_concurrent_duplicates_warn_all_but_first(
    ward: Ward,
) -> None:
    sheet_id = ward.sheet()["id"]
    recorded = at_once([partial(ward.detail, sheet_id, by=ward.nurse) for _ in range(6)])
    assert not unexpected(recorded)
    recorded.sort(key=lambda one: int(one["id"]))
    reported = [[warning["detail_id"] for warning in one.get("warnings", ())] for one in recorded]
    assert reported == [[], *([one["id"]] for one in recorded[:-1])]


def test_a_batch_is_recorded_whole_or_not_at_all_during_closing(ward: Ward, products: list[int]) -> None:
    for together in (2, 5, 9):
        sheet_id = ward.sheet()["id"]
        drafts = [ward.detail_draft("1.5", product_id=products[n % 4]) for n in range(together)]
        *recorded, closing = at_once(
            [
                *(partial(ward.details, sheet_id, *drafts, by=ward.nurse) for _ in range(4)),
                partial(ward.use_cases.sheets.close, ward.admin, sheet_id),
            ]
        )
        assert not unexpected([closing])
        assert all(isinstance(outcome, list) or is_refused(outcome, Code.SHEET_CLOSED) for outcome in recorded)
        ids = [one["id"] for outcome in recorded if isinstance(outcome, list) for one in outcome]
        assert sorted(ids) == sorted(detail.id for detail in details_of(ward, sheet_id))
        assert closing == the_account_is_right(ward, sheet_id)


def test_no_edit_or_deletion_succeeds_after_a_concurrent_closing(ward: Ward, products: list[int]) -> None:
    sheet_id = ward.sheet()["id"]
    there = [ward.detail(sheet_id, "1.5", product_id=products[n % 4])["id"] for n in range(200)]
    done = threading.Semaphore(0)

    def change(number: int) -> Counter[str]:
        outcomes: Counter[str] = Counter()
        for turn in range(MAX_PER_WRITER):
            detail_id = there[(number * 13 + turn) % len(there)]
            draft = ward.detail_draft(f"{number}.{turn % 1000}", product_id=products[(number + turn) % 4])
            try:
                if turn % 10 == 9:
                    ward.use_cases.details.delete(ward.admin, detail_id)
                elif turn % 10 == 8:
                    ward.detail(sheet_id, f"0.{turn % 1000}", product_id=products[turn % 4])
                else:
                    ward.use_cases.details.edit(ward.admin, detail_id, draft)
                outcomes["done"] += 1
            except NotFound:
                outcomes["gone"] += 1
            except Refused as refused:
                if not is_refused(refused, Code.SHEET_CLOSED):
                    raise
                return outcomes
            done.release()
        raise AssertionError("the sheet was not closed")

    def close() -> SheetView:
        for _ in range(150):
            assert done.acquire(timeout=PATIENCE)
        return ward.use_cases.sheets.close(ward.admin, sheet_id)

    *changed, closing = at_once([*(partial(change, n) for n in range(WRITERS)), close])
    assert not unexpected([*changed, closing])
    assert sum(outcomes["done"] for outcomes in changed) >= 100
    assert closing == the_account_is_right(ward, sheet_id)


def test_concurrent_closing_reopening_and_recording_add_up(ward: Ward, products: list[int]) -> None:
    sheet_id = ward.sheet()["id"]

    def record(number: int) -> int:
        recorded = 0
        for _ in range(12):
            try:
                ward.detail(sheet_id, "0.333", product_id=products[number % 4])
                recorded += 1
            except Refused as refused:
                if not is_refused(refused, Code.SHEET_CLOSED):
                    raise
        return recorded

    def close_and_reopen() -> int:
        for _ in range(12):
            for change in (
                partial(ward.use_cases.sheets.close, ward.admin, sheet_id),
                partial(ward.use_cases.sheets.reopen, ward.admin, sheet_id, ReopenDraft(reason="Faltaba algo")),
            ):
                try:
                    change()
                except Refused as refused:
                    if not is_refused(refused, Code.SHEET_CLOSED) and not is_refused(refused, Code.SHEET_NOT_CLOSED):
                        raise
        return 0

    outcomes = at_once([*(partial(record, n) for n in range(6)), close_and_reopen, close_and_reopen])
    assert not unexpected(outcomes)
    the_account_is_right(ward, sheet_id)
    assert len(details_of(ward, sheet_id)) == sum(outcomes)


def test_deleting_a_sheet_during_writes_leaves_no_details(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    acknowledged = threading.Semaphore(0)

    def write() -> int:
        for count in range(MAX_PER_WRITER):
            try:
                ward.detail(sheet_id)
            except NotFound:
                return count
            acknowledged.release()
        raise AssertionError("the sheet was not deleted")

    def delete() -> int:
        for _ in range(50):
            assert acknowledged.acquire(timeout=PATIENCE)
        ward.use_cases.sheets.delete(ward.admin, sheet_id)
        return 0

    outcomes = at_once([*[write] * 8, delete])
    assert not unexpected(outcomes)
    with ward.store.read() as views:
        assert views.details.page(DetailQuery())["items"] == []
        assert views.sheets.one(sheet_id) is None


# --- one of several identical changes succeeds -----------------------------------------------------------------------


def test_one_of_several_closings_succeeds(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    outcomes = at_once([lambda: ward.use_cases.sheets.close(ward.admin, sheet_id)] * 10)
    assert sum(isinstance(outcome, dict) for outcome in outcomes) == 1
    assert sum(is_refused(outcome, Code.SHEET_CLOSED) for outcome in outcomes) == 9
    the_account_is_right(ward, sheet_id)


def test_one_of_several_edits_of_the_same_version_succeeds(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    detail_id = ward.detail(sheet_id)["id"]

    def edit(quantity: int) -> DetailView:
        draft = ward.detail_draft(str(quantity))
        return ward.use_cases.details.edit(ward.admin, detail_id, draft, frozenset({1}))

    outcomes = at_once([partial(edit, n) for n in range(2, 12)])
    (kept,) = [outcome for outcome in outcomes if isinstance(outcome, dict)]
    assert sum(isinstance(outcome, VersionConflict) for outcome in outcomes) == 9
    assert ward.use_cases.details.reader.one(ward.admin, detail_id) == kept
    the_account_is_right(ward, sheet_id)


def test_one_of_several_deletions_succeeds(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    detail_id = ward.detail(sheet_id)["id"]
    outcomes = at_once([lambda: ward.use_cases.details.delete(ward.admin, detail_id)] * 10)
    assert outcomes.count(None) == 1
    assert sum(isinstance(outcome, NotFound) for outcome in outcomes) == 9
    assert the_account_is_right(ward, sheet_id)["total"] == 0


@pytest.mark.parametrize("what", ["detail", "sheet"])
def test_concurrent_requests_with_one_key_are_done_once(ward: Ward, what: str) -> None:
    sheet_id = ward.sheet()["id"]
    idempotency_key = IdempotencyKey(key="k-1", fingerprint="this body")

    def send() -> Replayable[DetailView] | Replayable[SheetView]:
        if what == "sheet":
            return ward.use_cases.sheets.open(ward.nurse, ward.sheet_draft(), idempotency_key)
        return ward.use_cases.details.add(
            ward.nurse, ward.detail_draft("2"), sheet_id=sheet_id, idempotency_key=idempotency_key
        )

    outcomes = at_once([send] * 20)
    assert not unexpected(outcomes, RequestInProgress)
    done = [outcome for outcome in outcomes if isinstance(outcome, Replayable)]
    assert [outcome.replayed for outcome in done].count(False) == 1
    assert all(outcome.answer == done[0].answer for outcome in done)
    with ward.store.read() as views:
        assert views.details.page(DetailQuery())["meta"]["total"] == (what == "detail")
        assert views.sheets.page(SheetQuery())["meta"]["total"] == 1 + (what == "sheet")
    # A client that was asked to wait gets the answer later.
    assert send() == (done[0].answer, True)
    the_account_is_right(ward, sheet_id)


def test_one_of_several_bodies_with_the_same_key_is_done(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]

    def send(number: int) -> Replayable[DetailView]:
        idempotency_key = IdempotencyKey(key="k-1", fingerprint=f"body {number}")
        return ward.use_cases.details.add(
            ward.nurse, ward.detail_draft(str(1 + number)), sheet_id=sheet_id, idempotency_key=idempotency_key
        )

    outcomes = at_once([partial(send, n) for n in range(10)])
    assert sum(isinstance(outcome, Replayable) for outcome in outcomes) == 1
    refusals = [outcome for outcome in outcomes if not isinstance(outcome, Replayable)]
    assert all(isinstance(outcome, RequestInProgress) or is_refused(outcome, Code.KEY_REUSED) for outcome in refusals)
    assert len(details_of(ward, sheet_id)) == 1


def test_completing_a_profile_twice_creates_one_profile(ward: Ward) -> None:
    newcomer = ward.register("new@consumo.test", Role.USER)

    def complete(number: int) -> int:
        return ward.use_cases.account.complete_profile(newcomer, StaffDraft(name=f"Luz {number}", first_surname="Gil"))[
            "id"
        ]

    outcomes = at_once([partial(complete, n) for n in range(8)])
    assert not unexpected(outcomes)
    assert len(set(outcomes)) == 1
    with ward.store.read() as views:
        people = views.staff.page(StaffQuery(q="luz"))["items"]
    assert [(person["id"], person["user_id"]) for person in people] == [(outcomes[0], newcomer.user_id)]


def test_a_profile_is_assigned_to_one_of_several_users(ward: Ward) -> None:
    person = ward.staff("Luz", "Gil")
    user_ids = [ward.register(f"u{number}@consumo.test", Role.USER).user_id for number in range(6)]
    outcomes = at_once(
        [partial(ward.use_cases.users.assign_profile, ward.admin, user_id, person.id) for user_id in user_ids]
    )
    assert sum(is_refused(outcome, Code.PROFILE_TAKEN) for outcome in outcomes) == 5
    assert len([outcome for outcome in outcomes if not isinstance(outcome, Exception)]) == 1


def one_email(ward: Ward, number: int) -> object:
    email = f"{'lL'[number % 2]}uz@Consumo.test"
    return ward.use_cases.users.register(ward.admin, UserDraft(email=email, role=1, password=PASSWORD))


def one_area(ward: Ward, number: int) -> object:
    return ward.use_cases.areas.create(ward.admin, AreaDraft(name=f"{'uU'[number % 2]}CI"))


def one_code(ward: Ward, number: int) -> object:
    draft = ProductDraft(name="Venda", price=Decimal(1), category_id=ward.category_id, code=f"{'vV'[number % 2]}-1")
    return ward.use_cases.products.create(ward.admin, draft)


@pytest.mark.parametrize(("create", "field"), [(one_email, "email"), (one_area, "name"), (one_code, "code")])
def test_one_of_several_equal_creations_succeeds(ward: Ward, create: Callable[[Ward, int], object], field: str) -> None:
    outcomes = at_once([partial(create, ward, n) for n in range(8)])
    assert len([outcome for outcome in outcomes if not isinstance(outcome, Exception)]) == 1
    refusals = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    assert len(refusals) == 7
    for refusal in refusals:
        assert [(reason.code, reason.field) for reason in refusal.reasons] == [(Code.TAKEN, field)]
        assert str(refusal.reasons[0].params["value"]).casefold() in ("luz@consumo.test", "uci", "v-1")


# --- which calls wait ------------------------------------------------------------------------------------------------


def test_writers_on_one_sheet_wait_and_see_the_committed_state(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    locked, seen = threading.Event(), threading.Event()
    doctors: list[str] = []

    def second() -> None:
        assert locked.wait(PATIENCE)
        with ward.store.begin() as work:
            sheet = work.sheets.lock(sheet_id)
            assert isinstance(sheet, PatientSheet)
            doctors.append(sheet.doctor)
        seen.set()

    waiting = threading.Thread(target=second, daemon=True)
    waiting.start()
    with ward.store.begin() as work:
        sheet = work.sheets.lock(sheet_id)
        assert isinstance(sheet, PatientSheet)
        locked.set()
        assert not seen.wait(0.2)
        sheet.doctor = "Dr. Sol"
        work.sheets.save(sheet)
    assert seen.wait(PATIENCE)
    assert doctors == ["Dr. Sol"]


def test_reads_do_not_wait_for_writers(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    # The first read in an hour writes an entry to the access log: make it before.
    ward.use_cases.sheets.reader.one(ward.admin, sheet_id)
    with ward.store.begin() as work:
        sheet = work.sheets.lock(sheet_id)
        assert sheet
        work.sheets.remove(sheet)
        outcomes = at_once([lambda: ward.use_cases.sheets.reader.one(ward.admin, sheet_id)] * 4)
        assert [isinstance(outcome, dict) and outcome["total"] for outcome in outcomes] == [Decimal("12.50")] * 4


@pytest.mark.postgresql
def test_postgresql_writers_on_different_sheets_do_not_wait(postgresql_url: str) -> None:
    store = SqlStore(postgresql_url, ZONE)
    try:
        ward = a_ward(store)
        one, other = ward.sheet()["id"], ward.sheet()["id"]
        with store.begin() as work:
            assert work.sheets.lock(one)
            outcomes = at_once([lambda: ward.detail(other)] * 4)
        assert not unexpected(outcomes)
        assert len(details_of(ward, other)) == 4
    finally:
        store.close()
