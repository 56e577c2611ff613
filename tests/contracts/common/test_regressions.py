"""Regression tests."""

import base64

import pytest

from application.catalogue.views import ProductQuery
from application.common.paging import InvalidQuery, Sort, read_cursor, write_cursor
from application.people.views import PatientQuery
from application.sheets.views import SheetQuery
from domain.common.errors import Forbidden
from tests.builders import Ward


def test_a_deeply_nested_cursor_is_refused() -> None:
    with pytest.raises(InvalidQuery, match="cursor"):
        read_cursor(base64.urlsafe_b64encode(b"[" * 40_000).decode())


def test_a_cursor_with_a_boolean_id_is_refused() -> None:
    with pytest.raises(InvalidQuery, match="cursor"):
        read_cursor(write_cursor("2091-05-03T12:00:00+00:00", True))


def test_a_search_text_that_is_too_long_is_refused(ward: Ward) -> None:
    with pytest.raises(InvalidQuery, match="q"):
        ward.use_cases.patients.reader.page(ward.admin, PatientQuery(q="a" * 60_000))


def test_every_word_of_a_long_search_counts(ward: Ward) -> None:
    ward.product("uno dos tres cuatro cinco seis siete ocho nueve diez once doce")
    q = "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece"
    with ward.store.read() as views:
        assert views.products.page(ProductQuery(q=q))["items"] == []


def test_doctors_are_sorted_ignoring_case_and_accents(ward: Ward) -> None:
    for doctor in ("ana", "Zoe", "Álvaro"):
        ward.sheet(doctor=doctor)
    with ward.store.read() as views:
        page = views.sheets.page(SheetQuery(sort=Sort("doctor")))
    assert [item["doctor"] for item in page["items"]] == ["Álvaro", "ana", "Zoe"]


def test_without_permission_existing_users_cannot_be_detected(ward: Ward) -> None:
    for user_id in (ward.admin.user_id, 999):
        with pytest.raises(Forbidden):
            ward.use_cases.users.assign_profile(ward.nurse, user_id, None)
