"""Idempotency keys: a repeated request is done once, with the same answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from inspect import unwrap

import pytest

from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.common.store_errors import DuplicateEntry
from application.sheets.detail_views import DetailQuery
from application.sheets.views import SheetQuery
from application.work import UnitOfWork
from domain.common.errors import Code, Forbidden
from domain.common.policy import Actor, Role
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import nothing_written

FIRST = IdempotencyKey(key="k-1", fingerprint="this body")
SAME_KEY_OTHER_BODY = IdempotencyKey(key="k-1", fingerprint="that body")
OTHER_KEY = IdempotencyKey(key="k-2", fingerprint="this body")


def test_a_repeated_detail_is_recorded_once_with_the_same_answer(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    first = ward.use_cases.details.add(ward.admin, ward.detail_draft("2"), sheet_id=sheet_id, idempotency_key=FIRST)
    ward.clock.advance(hours=1)
    with nothing_written(ward):
        again = ward.use_cases.details.add(ward.admin, ward.detail_draft("2"), sheet_id=sheet_id, idempotency_key=FIRST)
    assert (first.replayed, again.replayed) == (False, True)
    assert again.answer == first.answer


def test_a_repeated_sheet_is_opened_once_with_the_same_answer(ward: Ward) -> None:
    first = ward.use_cases.sheets.open(ward.admin, ward.sheet_draft(), FIRST)
    with nothing_written(ward):
        again = ward.use_cases.sheets.open(ward.admin, ward.sheet_draft(), FIRST)
    assert (first.replayed, again.replayed, again.answer) == (False, True, first.answer)
    assert len(ward.use_cases.sheets.reader.page(ward.admin, SheetQuery())["items"]) == 1


def test_the_answer_is_repeated_even_if_the_detail_has_changed(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    first = ward.use_cases.details.add(ward.admin, ward.detail_draft("2"), sheet_id=sheet_id, idempotency_key=FIRST)
    ward.use_cases.details.delete(ward.admin, first.answer["id"])
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    again = ward.use_cases.details.add(ward.admin, ward.detail_draft("2"), sheet_id=sheet_id, idempotency_key=FIRST)
    assert again == (first.answer, True)


def test_the_same_key_with_another_body_is_refused(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.details.add(ward.admin, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=FIRST)
    with nothing_written(ward), refused(Code.KEY_REUSED):
        ward.use_cases.details.add(
            ward.admin, ward.detail_draft("9"), sheet_id=sheet_id, idempotency_key=SAME_KEY_OTHER_BODY
        )


def test_a_concurrent_body_with_the_same_key_is_refused(ward: Ward) -> None:
    """The request sees no stored answer, but the line of the other one exists."""
    sheet_id = ward.sheet()["id"]
    first = ward.use_cases.details.add(ward.nurse, ward.detail_draft("2"), sheet_id=sheet_id, idempotency_key=FIRST)

    def a_moment_later(quantity: str, key: IdempotencyKey) -> object:
        looked: list[bool] = []

        @contextmanager
        def begin() -> Iterator[UnitOfWork]:
            if not looked:
                looked.append(True)
                raise DuplicateEntry
            with ward.store.begin() as work:
                yield work

        add_detail = replace(unwrap(ward.use_cases.details.add), begin=begin)
        return add_detail(ward.nurse, ward.detail_draft(quantity), sheet_id=sheet_id, idempotency_key=key)

    with refused(Code.KEY_REUSED):
        a_moment_later("3", SAME_KEY_OTHER_BODY)
    assert a_moment_later("2", FIRST) == (first.answer, True)


def test_another_key_or_another_user_is_another_request(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for who, idempotency_key in ((ward.admin, FIRST), (ward.admin, OTHER_KEY), (ward.supervisor, FIRST)):
        assert not ward.use_cases.details.add(
            who, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=idempotency_key
        ).replayed
    assert len(ward.use_cases.details.reader.page(ward.admin, DetailQuery())["items"]) == 3


def test_without_a_key_each_request_counts(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    assert ward.detail(sheet_id)["id"] != ward.detail(sheet_id)["id"]


def test_a_refused_request_may_be_repeated_with_its_key(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with nothing_written(ward), refused(Code.SHEET_CLOSED):
        ward.use_cases.details.add(ward.admin, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=FIRST)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltaba una venda"))
    assert not ward.use_cases.details.add(
        ward.admin, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=FIRST
    ).replayed


def test_a_repeated_answer_is_redacted_for_the_current_role(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    chief = ward.register("chief@consumo.test", Role.SUPERVISOR)
    demoted = Actor(user_id=chief.user_id, role=Role.USER, staff_id=ward.nurse.staff_id)
    as_chief = ward.use_cases.details.add(chief, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=FIRST).answer
    as_nurse = ward.use_cases.details.add(demoted, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=FIRST).answer
    assert "total" in as_chief
    assert "total" not in as_nurse
    assert (
        ward.use_cases.details.add(chief, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=FIRST).answer
        == as_chief
    )


def test_a_repeated_request_needs_the_permission_again(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.details.add(ward.nurse, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=FIRST)
    without_profile = Actor(user_id=ward.nurse.user_id, role=Role.USER, staff_id=None)
    with nothing_written(ward), pytest.raises(Forbidden):
        ward.use_cases.details.add(without_profile, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=FIRST)
