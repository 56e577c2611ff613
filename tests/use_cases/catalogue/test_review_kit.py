"""Review of a kit: what counts as a use of it, and who may see it."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.kits import KitDraft, KitLineDraft
from application.catalogue.views import KitReviewItemView
from application.sheets.detail_views import DetailView
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.mark_waste import WasteDraft
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.lines.return_detail import ReturnDraft
from domain.catalogue.kit_review import MAX_REVIEW_DAYS, MIN_USES
from domain.common.errors import Code, NotFound
from tests.assertions import refused
from tests.builders import Ward

D = Decimal


@pytest.fixture
def valve(ward: Ward) -> int:
    """Return the id of a product that is not in the kit."""
    return ward.product("Llave", "3.33").id


@pytest.fixture
def kit_id(ward: Ward) -> int:
    """Return the id of a kit of two gauzes."""
    line = KitLineDraft(product_id=ward.product_id, quantity=D(2))
    return ward.use_cases.kits.create(ward.admin, KitDraft(name="Vía", lines=(line,))).id


def use(ward: Ward, kit_id: int, *items: tuple[int, str], sheet_id: int | None = None, **how: Any) -> list[DetailView]:
    """Record a use of the kit, some time after the one before."""
    ward.clock.advance(minutes=10)
    drafts = tuple(DetailDraft(product_id=product, quantity=D(quantity), **how) for product, quantity in items)
    recorded = ward.use_cases.details.record_many(
        ward.nurse, sheet_id or ward.sheet()["id"], DetailsDraft(items=drafts, kit_id=kit_id)
    )
    return recorded.answer["items"]


def review(ward: Ward, kit_id: int, **how: Any) -> tuple[int, list[KitReviewItemView]]:
    found = ward.use_cases.kits.review(ward.admin, kit_id, **how)
    return found["uses"], found["items"]


def figures(items: Sequence[KitReviewItemView]) -> list[tuple[Any, ...]]:
    return [
        (one["product"]["name"], one["used_in"], one["median"], one["recorded"], one["returned"], one["wasted"])
        for one in items
    ]


def test_a_use_is_the_lines_of_one_request(ward: Ward, kit_id: int, valve: int) -> None:
    sheet_id = ward.sheet()["id"]
    use(ward, kit_id, (ward.product_id, "2"), (valve, "1"), sheet_id=sheet_id)
    use(ward, kit_id, (ward.product_id, "4"), sheet_id=sheet_id)
    ward.detail(sheet_id)
    uses, items = review(ward, kit_id)
    assert uses == 2
    assert figures(items) == [("Gasa estéril", 2, D(2), D(6), D(0), D(0)), ("Llave", 1, D(1), D(1), D(0), D(0))]
    assert [(one["in_kit"], one["quantity"], one["optional"]) for one in items] == [
        (True, D(2), False), (False, None, None)
    ]  # fmt: skip
    assert [one["proposal"] for one in items] == [None, None]


def test_corrected_and_split_lines_stay_in_their_use(ward: Ward, kit_id: int, valve: int) -> None:
    gauze, other = use(ward, kit_id, (ward.product_id, "5"), (valve, "1"))
    ward.clock.advance(minutes=3)
    corrected = ward.use_cases.details.correct(
        ward.nurse, gauze["id"], CorrectionDraft(quantity=D(4)), reason="Conteo"
    ).answer
    ward.clock.advance(minutes=3)
    wasted = WasteDraft(quantity=D(1), use_reason="opened")
    left, _ = ward.use_cases.details.mark_waste(ward.nurse, corrected["id"], wasted).answer["items"]
    ward.use_cases.details.return_part(ward.nurse, left["id"], ReturnDraft(quantity=D(1), reason="unused"))
    ward.use_cases.details.mark_waste(ward.nurse, other["id"], wasted)
    uses, items = review(ward, kit_id)
    assert uses == 1
    assert figures(items) == [("Gasa estéril", 1, D(2), D(4), D(1), D(1)), ("Llave", 0, None, D(1), D(0), D(1))]


def test_a_use_whose_lines_were_all_voided_does_not_count(ward: Ward, kit_id: int, valve: int) -> None:
    for one in use(ward, kit_id, (ward.product_id, "2"), (valve, "1")):
        ward.use_cases.details.delete(ward.nurse, one["id"])
    gauze, _ = use(ward, kit_id, (ward.product_id, "2"), (valve, "1"))
    ward.use_cases.details.delete(ward.nurse, gauze["id"])
    uses, items = review(ward, kit_id)
    assert (uses, figures(items)[0][1], figures(items)[1][1]) == (1, 0, 1)


def test_only_uses_of_the_chosen_days_count(ward: Ward, kit_id: int) -> None:
    use(ward, kit_id, (ward.product_id, "2"))
    ward.clock.advance(days=30)
    use(ward, kit_id, (ward.product_id, "2"), occurred_at=ward.clock() - timedelta(days=2))
    assert [review(ward, kit_id, days=days)[0] for days in (1, 2, 29, 30, None)] == [0, 1, 1, 2, 2]
    assert ward.use_cases.kits.review(ward.admin, kit_id, days=30)["since"] == ward.clock().date() - timedelta(days=30)
    for days in (0, MAX_REVIEW_DAYS + 1, -1):
        with refused((Code.NUMBER_OUT_OF_RANGE, "days")):
            review(ward, kit_id, days=days)


def test_twenty_uses_propose_what_the_kit_would_become(ward: Ward, kit_id: int, valve: int) -> None:
    sheet_id = ward.sheet()["id"]
    for _ in range(MIN_USES):
        use(ward, kit_id, (ward.product_id, "3"), (valve, "1"), sheet_id=sheet_id)
    _, items = review(ward, kit_id)
    assert [one["proposal"] for one in items] == [
        {"action": "change", "quantity": D(3), "optional": False},
        {"action": "add", "quantity": D(1), "optional": False},
    ]


def test_a_review_is_only_for_those_who_may_change_the_kit(ward: Ward, kit_id: int) -> None:
    line = KitLineDraft(product_id=ward.product_id, quantity=D(2))
    own = ward.use_cases.kits.create(ward.nurse, KitDraft(name="Mía", own=True, lines=(line,))).id
    assert ward.use_cases.kits.review(ward.nurse, own)["uses"] == 0
    with refused(Code.KIT_FOR_SUPERVISION):
        ward.use_cases.kits.review(ward.nurse, kit_id)
    for who, missing in ((ward.admin, own), (ward.admin, 999), (ward.nurse, 999)):
        with pytest.raises(NotFound):
            ward.use_cases.kits.review(who, missing)
