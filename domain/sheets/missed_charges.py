"""Missed charges: supplies that were probably used and not recorded.

They are found by association rules (Agrawal, Imielinski and Swami, 1993): closed sheets show which product almost
always comes with another one. Support and confidence are theirs, lift is the *interest* of Brin, Motwani, Ullman and
Tsur (1997). Neither quantities nor prices count.
"""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from itertools import accumulate, chain, combinations, permutations

# Sheets that were closed within this time are counted: long enough for rare supplies, and short enough that changed
# habits and new products show.
LEARNING_WINDOW = timedelta(days=180)
# At most this many of the latest sheets are counted, so that the time and memory are limited.
MAX_SHEETS = 50_000
# Only pairs of this many of the most frequent products are counted: a million counters.
MAX_PRODUCTS = 1_000
# The limit of stored pairs. A hospital has a few hundred.
MAX_PAIRS = 2_000

# Support: how many sheets have both products. In fewer, nine out of ten may be chance.
MIN_SUPPORT = 30
# Confidence: which part of the sheets with the one product has the other one, too. Charges are missing on the counted
# sheets as well: of a true 95 %, 81 % are left if every seventh line is missing.
MIN_CONFIDENCE = 0.8
# Lift: how many times more frequent the other product is than on all sheets. Gloves are on almost every sheet, and not
# because of the first product.
MIN_LIFT = 1.2
# How many questions the pairs would raise on a counted sheet, on average. The less certain pairs are left out, so that
# users with many of them are not asked at every closing, and learn to read the question.
MAX_MEAN_QUESTIONS = 0.25

MAX_QUESTIONS = 3
# A pair that was denied this many times is not asked about again.
MAX_DENIALS = 20

# When the pairs are counted, in the hospital's time: hardly anything is recorded then.
LEARNING_TIME = time(3)
# Another process may start over after this time, if the first one was killed.
LEARNING_LEASE = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductPair:
    """Two products: sheets with the first one almost always have the second.

    The first is ``because_id``, the second ``product_id``.
    ``sheets`` have the first product, ``together`` of them have the second one, too. Both are 0 once the pair is no
    longer learned. ``denials`` is how often a user answered that the second product was not used.
    """

    because_id: int
    product_id: int
    sheets: int
    together: int
    denials: int = 0

    @property
    def confidence(self) -> float:
        """Which part of the sheets with the first product has both."""
        return self.together / self.sheets if self.sheets else 0.0

    @property
    def is_asked(self) -> bool:
        """Whether users are asked about it."""
        return self.sheets > 0 and self.denials < MAX_DENIALS


def learn_pairs(sheets: Sequence[Collection[int]]) -> list[ProductPair]:
    """Return the pairs with enough support, confidence and lift.

    ``sheets`` are the distinct products of each sheet. The most certain pair comes first. There are at most
    ``MAX_PAIRS``, and only as many as ``MAX_MEAN_QUESTIONS`` allows.
    """
    on_sheets = Counter(chain.from_iterable(sheets))
    supported = (product for product, count in on_sheets.items() if count >= MIN_SUPPORT)
    frequent = sorted(supported, key=lambda product: (-on_sheets[product], product))[:MAX_PRODUCTS]
    index = {product: place for place, product in enumerate(frequent)}
    # No product of a frequent pair is infrequent (Apriori). The array has a fixed size, unlike a dictionary of pairs.
    size = len(frequent)
    together = array("I", bytes(array("I").itemsize * size * size))
    for products in sheets:
        places = sorted(index[product] for product in products if product in index)
        for low, high in combinations(places, 2):
            together[low * size + high] += 1
    found = [
        ProductPair(because_id=because, product_id=product, sheets=on_sheets[because], together=count)
        for low, high in combinations(range(size), 2)
        if (count := together[low * size + high]) >= MIN_SUPPORT
        for because, product in permutations((frequent[low], frequent[high]))
        if count >= MIN_CONFIDENCE * on_sheets[because]
        and count * len(sheets) >= MIN_LIFT * on_sheets[because] * on_sheets[product]
    ]
    pairs = sorted(found, key=_certainty)[:MAX_PAIRS]
    return pairs[: _affordable(pairs, sheets)]


def _certainty(pair: ProductPair) -> tuple[float, int, int, int]:
    return -pair.confidence, -pair.together, pair.product_id, pair.because_id


def _affordable(pairs: Sequence[ProductPair], sheets: Sequence[Collection[int]]) -> int:
    """Return how many of the pairs stay within ``MAX_MEAN_QUESTIONS``."""
    by_reason: dict[int, list[tuple[int, int]]] = {}
    for rank, pair in enumerate(pairs):
        by_reason.setdefault(pair.because_id, []).append((rank, pair.product_id))
    questions = [0] * len(pairs)
    for products in sheets:
        ranks: dict[int, int] = {}
        for reason in products:
            for rank, product in by_reason.get(reason, ()):
                if product not in products:
                    ranks[product] = min(rank, ranks.get(product, rank))
        for rank in ranks.values():
            questions[rank] += 1
    return sum(asked <= MAX_MEAN_QUESTIONS * len(sheets) for asked in accumulate(questions))


def choose_questions(
    pairs: Iterable[ProductPair],
    *,
    used: Collection[int],
    because: Collection[int] | None = None,
    answers: Mapping[int, bool],
) -> list[ProductPair]:
    """Return the pairs to ask about on a sheet, the most certain first.

    * ``used`` are the products on the sheet. A missing one is asked about once, for its most certain pair.
    * ``because`` limits the first products of the pairs, such as to those of a kit.
    * ``answers`` are the earlier ones on this sheet, by missing product: True if it was used. A denied product is not
      asked about again. Together with these there are at most ``MAX_QUESTIONS``.
    """
    reasons = used if because is None else because
    candidates: dict[int, ProductPair] = {}
    for pair in sorted(pairs, key=_certainty):
        if pair.is_asked and pair.because_id in reasons and pair.product_id not in used:
            candidates.setdefault(pair.product_id, pair)
    again = [pair for pair in candidates.values() if answers.get(pair.product_id)]
    new = [pair for pair in candidates.values() if pair.product_id not in answers]
    return [*again, *new[: max(0, MAX_QUESTIONS - len(answers))]]


def may_answer(product_id: int, answers: Mapping[int, bool]) -> bool:
    """Return whether an answer is stored: one for each question of the sheet."""
    return product_id in answers or len(answers) < MAX_QUESTIONS


def next_learning(now: datetime, zone: tzinfo) -> datetime:
    """Return when the pairs are counted next."""
    today = datetime.combine(now.astimezone(zone).date(), LEARNING_TIME, zone)
    return today if now < today else datetime.combine(today.date() + timedelta(days=1), LEARNING_TIME, zone)
