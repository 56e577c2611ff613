"""Contract of every store: texts typed in vain, as proposed names.

A text is proposed until it becomes one of the product's other names.
"""

import pytest

from application.audit.views import AuditQuery
from domain.catalogue.typed_name import MAX_TYPED_NAMES
from tests.builders import Ward
from tests.use_cases.catalogue.test_typed_names import id_of, kept, note, proposals


@pytest.fixture
def saline(ward: Ward) -> int:
    return ward.product("Solución salina 0.9 %", code="SO-1").id


def test_a_text_is_proposed_from_the_third_time_on(ward: Ward, saline: int) -> None:
    other = ward.product("Gasa").id
    note(ward, saline, "Suero", "SUÉRO", "fisiologico")
    note(ward, other, "suero")
    assert (kept(ward, saline), proposals(ward, saline)) == ({"suero": 2, "fisiologico": 1}, [])
    note(ward, saline, "suero", times=2)
    note(ward, saline, "fisiologico", times=2)
    assert proposals(ward, saline) == [("suero", 4), ("fisiologico", 3)]
    [first, _] = ward.use_cases.typed_names.list(ward.admin, saline)["items"]
    assert first["last_at"] < ward.clock.now
    assert proposals(ward, other) == []


def test_a_product_has_a_limited_number_of_texts(ward: Ward, saline: int) -> None:
    names = [f"nombre {chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(MAX_TYPED_NAMES)]
    note(ward, saline, names[0], times=2)
    note(ward, saline, *names[1:])
    assert len(kept(ward, saline)) == MAX_TYPED_NAMES
    note(ward, saline, "suero")
    left = kept(ward, saline)
    assert (len(left), left[names[0]], left["suero"], names[1] in left) == (MAX_TYPED_NAMES, 2, 1, False)


def test_an_added_text_finds_the_product_and_is_not_proposed(ward: Ward, saline: int) -> None:
    note(ward, saline, "suero", times=3)
    before = ward.use_cases.products.read_catalogue.version(ward.nurse)
    product = ward.use_cases.typed_names.add(ward.supervisor, id_of(ward, saline, "suero"))
    assert (product.also_called, proposals(ward, saline), kept(ward, saline)) == (("suero",), [], {})
    assert ward.use_cases.products.read_catalogue.version(ward.nurse) > before
    [entry] = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="product", limit=1))["items"]
    assert (entry["action"], entry["entity_id"]) == ("product.updated", saline)
    assert entry["changes"] == {"also_called": [None, "suero"]}
    note(ward, saline, "suero", times=3)
    assert kept(ward, saline) == {}


def test_a_dismissed_text_is_not_proposed_again(ward: Ward, saline: int) -> None:
    note(ward, saline, "suero", times=3)
    typed = id_of(ward, saline, "suero")
    for _ in range(2):
        ward.use_cases.typed_names.dismiss(ward.supervisor, typed)
    note(ward, saline, "suero", times=3)
    assert (proposals(ward, saline), kept(ward, saline)) == ([], {"suero": 6})
    entries = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="product"))["items"]
    reported = [entry["changes"] for entry in entries if entry["action"] == "product.name_dismissed"]
    assert reported == [{"typed_name": [None, "suero"]}]
