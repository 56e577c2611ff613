"""Pairs of products, and questions about missing ones."""

from decimal import Decimal

import pytest

from application.catalogue.kits import KitDraft, KitLineDraft
from application.catalogue.products import ProductDraft
from application.closing.reopen_sheet import ReopenDraft
from application.sheets.lines.missed_charges import MissedChargeDraft
from application.sheets.lines.proposal_views import MissedChargeView
from domain.common.errors import Code, NotFound
from domain.sheets.missed_charges import MAX_DENIALS, ProductPair
from tests.assertions import refused
from tests.builders import Ward


@pytest.fixture
def catheter(ward: Ward) -> int:
    return ward.product("Catéter venoso 20G").id


@pytest.fixture
def dressing(ward: Ward) -> int:
    return ward.product("Apósito transparente", code="AP-1", unit="pieza").id


def learned(ward: Ward, *pairs: tuple[int, int]) -> None:
    """Store pairs as if they had been learned, the first one the most certain."""
    found = [
        ProductPair(because_id=because, product_id=product, sheets=100, together=99 - place)
        for place, (because, product) in enumerate(pairs)
    ]
    with ward.store.begin() as work:
        work.missed_charges.replace_pairs(found, max_denied=2)


def sheet_with(ward: Ward, *products: int) -> int:
    sheet_id = ward.sheet()["id"]
    if products:
        ward.details(sheet_id, *(ward.detail_draft(product_id=product) for product in products))
    return sheet_id


def closed_sheet_with(ward: Ward, *products: int) -> int:
    sheet_id = sheet_with(ward, *products)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    return sheet_id


def questions(ward: Ward, sheet_id: int, kit_id: int | None = None) -> list[MissedChargeView]:
    return ward.use_cases.missed_charges.list(ward.nurse, sheet_id, kit_id=kit_id)["items"]


def asked(ward: Ward, sheet_id: int, kit_id: int | None = None) -> list[int]:
    return [one["product"]["id"] for one in questions(ward, sheet_id, kit_id)]


def answer(ward: Ward, sheet_id: int, because: int, product: int, *, used: bool = False) -> None:
    draft = MissedChargeDraft(because_id=because, used=used)
    ward.use_cases.missed_charges.answer(ward.nurse, sheet_id, product, draft)


def figures(ward: Ward, because: int, product: int) -> tuple[int, int, int] | None:
    with ward.store.begin_read_only() as work:
        pair = work.missed_charges.pair(because, product)
    return (pair.sheets, pair.together, pair.denials) if pair else None


def test_a_denied_product_is_not_asked_about_again(ward: Ward, catheter: int, dressing: int) -> None:
    needle = ward.product("Aguja").id
    learned(ward, (catheter, dressing), (needle, dressing))
    sheet_id, other = (sheet_with(ward, catheter, needle) for _ in range(2))
    for _ in range(2):
        answer(ward, sheet_id, catheter, dressing)
    assert asked(ward, sheet_id) == []
    assert asked(ward, other) == [dressing]
    # A repeated answer counts once.
    assert figures(ward, catheter, dressing) == (100, 99, 1)
    assert figures(ward, needle, dressing) == (100, 98, 0)


def test_a_used_product_is_asked_about_until_recorded(ward: Ward, catheter: int, dressing: int) -> None:
    learned(ward, (catheter, dressing))
    sheet_id = sheet_with(ward, catheter)
    answer(ward, sheet_id, catheter, dressing, used=True)
    assert asked(ward, sheet_id) == [dressing]
    answer(ward, sheet_id, catheter, dressing)
    assert asked(ward, sheet_id) == []


def test_a_sheet_counts_once_towards_silencing(ward: Ward, catheter: int, dressing: int) -> None:
    needle = ward.product("Aguja").id
    learned(ward, (catheter, dressing), (needle, dressing))
    sheet_id = sheet_with(ward, catheter, needle)
    for _ in range(MAX_DENIALS):
        answer(ward, sheet_id, catheter, dressing)
        answer(ward, sheet_id, needle, dressing, used=True)
        answer(ward, sheet_id, needle, dressing)
    assert figures(ward, catheter, dressing) == (100, 99, 0)
    assert figures(ward, needle, dressing) == (100, 98, 1)


def test_a_sheet_has_three_questions_at_most(ward: Ward, catheter: int) -> None:
    others = [ward.product(f"Producto {number}").id for number in range(5)]
    learned(ward, *((catheter, other) for other in others))
    sheet_id = sheet_with(ward, catheter)
    assert asked(ward, sheet_id) == others[:3]
    answer(ward, sheet_id, catheter, others[0])
    assert asked(ward, sheet_id) == others[1:3]
    for other in others[1:]:
        answer(ward, sheet_id, catheter, other)
    assert asked(ward, sheet_id) == []
    assert figures(ward, catheter, others[4]) == (100, 95, 0)


def test_a_pair_denied_twenty_times_is_forgotten_for_good(ward: Ward, catheter: int, dressing: int) -> None:
    learned(ward, (catheter, dressing))
    sheets = [sheet_with(ward, catheter) for _ in range(MAX_DENIALS + 1)]
    for sheet_id in sheets[1:]:
        assert asked(ward, sheets[0]) == [dressing]
        answer(ward, sheet_id, catheter, dressing)
    assert asked(ward, sheets[0]) == []
    learned(ward)
    assert figures(ward, catheter, dressing) == (0, 0, MAX_DENIALS)
    learned(ward, (catheter, dressing))
    assert figures(ward, catheter, dressing) == (100, 99, MAX_DENIALS)
    assert asked(ward, sheets[0]) == []


def test_retired_products_are_not_asked_about(ward: Ward, catheter: int, dressing: int) -> None:
    learned(ward, (catheter, dressing))
    retired = ProductDraft(name="Apósito", price=Decimal(1), category_id=ward.category_id, active=0)
    ward.use_cases.products.update(ward.admin, dressing, retired)
    assert asked(ward, sheet_with(ward, catheter)) == []


def test_included_products_are_not_asked_about(ward: Ward, catheter: int, dressing: int) -> None:
    learned(ward, (catheter, dressing))
    sheet_id = sheet_with(ward, catheter)
    assert asked(ward, sheet_id) == [dressing]
    free = ProductDraft(name="Apósito", price=Decimal(1), category_id=ward.category_id, included_in_stay=True)
    ward.use_cases.products.update(ward.admin, dressing, free)
    assert asked(ward, sheet_id) == []


def test_a_kit_asks_about_what_comes_with_its_products(ward: Ward, catheter: int, dressing: int) -> None:
    saline, tape = ward.product("Suero").id, ward.product("Cinta").id
    learned(ward, (catheter, dressing), (catheter, saline), (ward.product_id, tape))
    lines = tuple(KitLineDraft(product_id=each, quantity=Decimal(1)) for each in (catheter, saline))
    kit = ward.use_cases.kits.create(ward.nurse, KitDraft(name="Vía", own=True, lines=lines)).id
    # The gauze is on the sheet, but not in the kit.
    sheet_id = sheet_with(ward, ward.product_id)
    assert asked(ward, sheet_id, kit) == [dressing]
    ward.detail(sheet_id, product_id=dressing)
    assert asked(ward, sheet_id, kit) == []
    with pytest.raises(NotFound):
        ward.use_cases.missed_charges.list(ward.supervisor, sheet_id, kit_id=kit)


def test_closed_sheets_have_no_questions(ward: Ward, catheter: int, dressing: int) -> None:
    learned(ward, (catheter, dressing))
    sheet_id = closed_sheet_with(ward, catheter)
    assert asked(ward, sheet_id) == []
    with refused(Code.SHEET_CLOSED):
        answer(ward, sheet_id, catheter, dressing)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó algo"))
    assert asked(ward, sheet_id) == [dressing]


def test_answers_need_a_pair_a_sheet_and_all_fields(ward: Ward, catheter: int, dressing: int) -> None:
    learned(ward, (catheter, dressing))
    sheet_id = sheet_with(ward, catheter)
    with refused((Code.REQUIRED, "because_id"), (Code.REQUIRED, "used")):
        ward.use_cases.missed_charges.answer(ward.nurse, sheet_id, dressing, MissedChargeDraft())
    for sheet, because in ((sheet_id, dressing), (999, catheter)):
        with pytest.raises(NotFound):
            answer(ward, sheet, because, dressing)
    with pytest.raises(NotFound):
        questions(ward, 999)
