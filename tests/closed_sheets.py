"""Generated closed sheets, on some of which one line of a pair is missing."""

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from random import Random

from domain.sheets.missed_charges import choose_questions, learn_pairs

PRODUCTS = 400
# How many products come with another one often, but not surely.
OFTEN = 20
CERTAIN = 0.9
# How often a companion is used alone.
ALONE = 0.002


@dataclass(frozen=True)
class ClosedSheets:
    """The distinct products of each sheet, and the missing product by sheet."""

    sheets: list[set[int]]
    missing: dict[int, int]


@dataclass(frozen=True)
class Found:
    """Which part of the missing lines was found, and how many false questions."""

    found: float
    false_questions: float
    max_questions: int


def generate_sheets(count: int, *, missing: int, sure: int = 20, seed: int = 1997) -> ClosedSheets:
    """Generate sheets, and take one line of a pair from some of them.

    A few products are on almost all sheets, others are rare. ``sure`` products have a companion on 93 to 99 % of their
    sheets, others on half of them or more. A line is only taken from pairs whose confidence is 90 % or more.
    """
    random = Random(seed)
    rates = {product: 0.92 if product <= 2 else random.uniform(0.005, 0.15) for product in range(1, PRODUCTS // 2)}
    firsts = random.sample(range(3, PRODUCTS // 2), sure + OFTEN)
    companions = {
        first: (PRODUCTS // 2 + place, random.uniform(0.93, 0.99) if place < sure else random.uniform(0.5, 0.85))
        for place, first in enumerate(firsts)
    }
    sheets: list[set[int]] = []
    for _ in range(count):
        sheet = {product for product, rate in rates.items() if random.random() < rate}
        sheet |= {other for first, (other, rate) in companions.items() if first in sheet and random.random() < rate}
        sheet |= {other for other, _ in companions.values() if random.random() < ALONE}
        sheets.append(sheet)
    on_sheets = Counter(chain.from_iterable(sheets))
    certain = [
        (first, other)
        for first, (other, _) in companions.items()
        if sum({first, other} <= sheet for sheet in sheets) >= CERTAIN * on_sheets[first]
    ]
    taken: dict[int, int] = {}
    for place in random.sample(range(count), count):
        pairs = [other for first, other in certain if {first, other} <= sheets[place]]
        if len(taken) < missing and pairs:
            taken[place] = random.choice(pairs)
            sheets[place].remove(taken[place])
    return ClosedSheets(sheets, taken)


def find_missing(closed: ClosedSheets) -> Found:
    """Learn from the sheets, and ask about each of them."""
    pairs = learn_pairs(closed.sheets)
    asked = [{pair.product_id for pair in choose_questions(pairs, used=sheet, answers={})} for sheet in closed.sheets]
    right = sum(product in asked[place] for place, product in closed.missing.items())
    return Found(
        found=right / len(closed.missing),
        false_questions=(sum(map(len, asked)) - right) / len(closed.sheets),
        max_questions=max(map(len, asked)),
    )
