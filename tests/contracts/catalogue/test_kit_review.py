"""Contract of every store: the uses of a kit equal a count of its lines, one by one."""

import random
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import product
from statistics import median_low

from domain.catalogue.kit import Kit, KitLine
from domain.hospital.use_reason import WASTE
from domain.sheets.detail import Detail
from tests.builders import NOON, TODAY, Ward

LINES = 1_500
DAYS = 180


def test_uses_equal_a_count_of_all_lines(ward: Ward) -> None:
    chance = random.Random(7)
    names = [ward.product_id, *(ward.product(f"Sonda {number}").id for number in range(5))]
    sheets = [ward.sheet()["id"] for _ in range(3)]
    made = [Kit(name=name, lines=(KitLine(product_id=names[0], quantity=Decimal(1)),)) for name in ("Vía", "Sonda")]
    with ward.store.begin() as work:
        for one in made:
            work.kits.add(one)
    moments = [NOON - timedelta(days=days, minutes=minutes) for days, minutes in product(range(150, 210), range(3))]
    lines = []
    for _ in range(LINES):
        at = chance.choice(moments)
        # Half of the lines were recorded later than they were used.
        recorded = chance.choice([at, at + timedelta(minutes=chance.randint(1, 90))])
        lines.append(
            Detail(
                sheet_id=chance.choice(sheets),
                product_id=chance.choice(names),
                staff_id=None,
                user_id=chance.choice([ward.nurse, ward.admin]).user_id,
                area_id=None,
                quantity=chance.choice([Decimal(0), Decimal("0.5"), Decimal(1), Decimal(2)]),
                unit_price=Decimal(1),
                total=Decimal(0),
                created_at=recorded,
                occurred_at=None if recorded == at else at,
                day=at.date(),
                kit_id=chance.choice([made[0].id, made[0].id, made[1].id, None]),
                returned=chance.choice([None, None, Decimal("0.25")]),
                use_reason=chance.choice([None, None, None, *WASTE]),
                voided_at=chance.choice([None, None, None, NOON]),
                voided_by=ward.admin.user_id,
            )
        )
    with ward.store.begin() as work:
        for line in lines:
            work.details.add(replace(line) if line.voided_at else replace(line, voided_by=None))
    since = TODAY - timedelta(days=DAYS)
    of_kit = [line for line in lines if line.kit_id == made[0].id and line.day >= since and not line.voided]
    uses = {(line.sheet_id, line.user_id, line.occurred_at or line.created_at) for line in of_kit}
    used: dict[int, Counter[tuple[object, ...]]] = defaultdict(Counter)
    sums: dict[int, list[Decimal]] = defaultdict(lambda: [Decimal(0)] * 3)
    for line in of_kit:
        returned = line.returned or Decimal(0)
        wasted = line.quantity if line.use_reason else Decimal(0)
        use = line.sheet_id, line.user_id, line.occurred_at or line.created_at
        used[line.product_id][use] += line.quantity - wasted  # type: ignore[assignment]
        added = line.quantity + returned, returned, wasted
        sums[line.product_id] = [one + more for one, more in zip(sums[line.product_id], added, strict=True)]
    expected = {
        product_id: (
            sum(quantity > 0 for quantity in used[product_id].values()),
            median_low([quantity for quantity in used[product_id].values() if quantity > 0]),
            *sums[product_id],
        )
        for product_id in names
    }
    found = ward.use_cases.kits.review(ward.admin, made[0].id, days=DAYS)
    assert (found["uses"], found["since"]) == (len(uses), since)
    assert {
        one["product"]["id"]: (one["used_in"], one["median"], one["recorded"], one["returned"], one["wasted"])
        for one in found["items"]
    } == expected
