"""Contract of every store: answers under idempotency keys."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from application.common.idempotency import IdempotencyKey
from application.sheets.detail_views import DetailView
from application.sheets.views import SheetView
from domain.common.errors import Code
from tests.assertions import refused
from tests.builders import NOON, Ward

ONCE = IdempotencyKey(key="k-1", fingerprint="this body")


def test_a_stored_answer_is_recalled_with_all_values_and_types(ward: Ward) -> None:
    sheet = ward.sheet()
    detail = ward.detail(sheet["id"], "2.500", area_id=ward.area_id, staff_id=ward.nurse.staff_id)
    closed = ward.use_cases.sheets.close(ward.admin, sheet["id"])
    with ward.store.begin() as work:
        work.idempotency_store.save(1, ONCE, detail, NOON)
        work.idempotency_store.save(1, replace(ONCE, key="k-2"), closed, NOON)
    with ward.store.begin() as work:
        recalled = work.idempotency_store.recall(1, ONCE, DetailView)
        recalled_sheet = work.idempotency_store.recall(1, replace(ONCE, key="k-2"), SheetView)
    assert (recalled, recalled_sheet) == (detail, closed)
    assert recalled is not None
    assert recalled_sheet is not None
    assert str(recalled["quantity"]) == "2.500"
    assert recalled["created_at"].utcoffset() == timedelta(0)
    assert type(recalled_sheet["admission_date"]) is date


def test_a_recalled_answer_is_the_callers_copy(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    with ward.store.begin() as work:
        work.idempotency_store.save(1, ONCE, detail, NOON)
        detail["product"]["name"] = "changed"
        again = work.idempotency_store.recall(1, ONCE, DetailView)
        assert again is not None
        assert again["product"]["name"] == "Gasa estéril"
        again["product"]["name"] = "changed"
        assert work.idempotency_store.recall(1, ONCE, DetailView) != again


def test_a_new_key_has_no_answer(ward: Ward) -> None:
    with ward.store.begin() as work:
        assert work.idempotency_store.recall(1, ONCE, DetailView) is None


def test_a_key_belongs_to_its_user(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    with ward.store.begin() as work:
        work.idempotency_store.save(1, ONCE, detail, NOON)
        assert work.idempotency_store.recall(2, ONCE, DetailView) is None


def test_a_key_with_another_fingerprint_is_refused(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    with ward.store.begin() as work:
        work.idempotency_store.save(1, ONCE, detail, NOON)
    with refused(Code.KEY_REUSED), ward.store.begin() as work:
        work.idempotency_store.recall(1, replace(ONCE, fingerprint="that body"), DetailView)


def test_answers_before_a_time_are_purged(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    ages = {"old": NOON - timedelta(microseconds=1), "at that moment": NOON, "new": NOON + timedelta(days=1)}
    with ward.store.begin() as work:
        for key, at in ages.items():
            work.idempotency_store.save(1, replace(ONCE, key=key), detail, at)
        work.idempotency_store.purge(NOON, but=0)
    with ward.store.begin() as work:
        left = [key for key in ages if work.idempotency_store.recall(1, replace(ONCE, key=key), DetailView) is not None]
    assert left == ["at that moment", "new"]


@pytest.mark.parametrize(("but", "left"), [(2, ["new", "newest"]), (3, ["old", "new", "newest"]), (9, None)])
def test_the_newest_answers_are_kept_whatever_the_clock_says(ward: Ward, but: int, left: list[str] | None) -> None:
    """Retries must stay safe if the clock is far ahead for a moment.

    Otherwise the purge would forget today's answers and a retry would be done twice.
    """
    detail = ward.detail(ward.sheet()["id"])
    keys = ["oldest", "old", "new", "newest"]
    with ward.store.begin() as work:
        for days, key in enumerate(keys):
            work.idempotency_store.save(1, replace(ONCE, key=key), detail, NOON + timedelta(days=days))
        work.idempotency_store.purge(NOON + timedelta(days=400), but=but)
    with ward.store.begin() as work:
        found = [
            key for key in keys if work.idempotency_store.recall(1, replace(ONCE, key=key), DetailView) is not None
        ]
    assert found == (keys if left is None else left)
