"""Regressions: what was found to go wrong once."""

import base64

import pytest

from application.paging import InvalidQuery, Sort, read_cursor, write_cursor
from application.views import PatientQuery, ProductQuery, SheetQuery
from domain.errors import Forbidden
from tests.builders import Ward


def test_a_cursor_that_is_nested_too_deep_is_not_understood() -> None:
    with pytest.raises(InvalidQuery, match="cursor"):
        read_cursor(base64.urlsafe_b64encode(b"[" * 40_000).decode())


def test_a_cursor_with_a_truth_for_an_id_is_not_understood() -> None:
    with pytest.raises(InvalidQuery, match="cursor"):
        read_cursor(write_cursor("2091-05-03T12:00:00+00:00", True))


def test_a_text_that_is_longer_than_any_name_is_refused(ward: Ward) -> None:
    with pytest.raises(InvalidQuery, match="q"):
        ward.use_cases.patients.page(ward.admin, PatientQuery(q="a" * 60_000))


def test_every_word_counts_however_many_there_are(ward: Ward) -> None:
    ward.product("uno dos tres cuatro cinco seis siete ocho nueve diez once doce")
    q = "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece"
    with ward.store.read() as views:
        assert views.products.page(ProductQuery(q=q))["items"] == []


def test_doctors_are_ordered_whatever_their_case_and_accents(ward: Ward) -> None:
    for doctor in ("ana", "Zoe", "Álvaro"):
        ward.sheet(doctor=doctor)
    with ward.store.read() as views:
        page = views.sheets.page(SheetQuery(sort=Sort("doctor")))
    assert [item["doctor"] for item in page["items"]] == ["Álvaro", "ana", "Zoe"]


def test_who_may_not_know_of_users_does_not_learn_which_there_are(ward: Ward) -> None:
    for user_id in (ward.admin.user_id, 999):
        with pytest.raises(Forbidden):
            ward.use_cases.assign_profile(ward.nurse, user_id, None)
