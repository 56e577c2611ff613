"""A patient's account in words that a family understands, and why it changed.

A line is named by its product's plain name, or else by its category. Quantities of one plain name add up. Metres and
pieces of a category do not, so its products are counted instead.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from domain.common.money import ZERO, ZERO_QUANTITY
from domain.common.text import fold


class Words(NamedTuple):
    """What a line is called: a plain name, or the name of a category."""

    name: str
    is_category: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountLine:
    """A line of a sheet, as far as its account tells it."""

    id: int
    product_id: int
    day: date
    category: str
    plain_name: str | None
    quantity: Decimal
    returned: Decimal
    total: Decimal
    wasted: bool
    included: bool
    corrected_from: Decimal | None = None

    @property
    def words(self) -> Words:
        """What the line is called."""
        return Words(self.plain_name or self.category, not self.plain_name)


class AccountItem(NamedTuple):
    """What was used of one name.

    The ``quantity`` of a category is a number of products.
    """

    words: Words
    quantity: Decimal
    wasted: bool
    included: bool
    total: Decimal


class AccountKind(NamedTuple):
    """What was used of one category."""

    name: str
    products: int
    total: Decimal


class AccountDay(NamedTuple):
    """What was used on a day."""

    day: date
    total: Decimal
    items: list[AccountItem]
    kinds: list[AccountKind]


class Returned(NamedTuple):
    """What came back, by the day of its use."""

    day: date
    words: Words
    quantity: Decimal


def account_days(lines: Iterable[AccountLine], *, with_prices: bool) -> list[AccountDay]:
    """Return what was used on each day, the oldest first.

    Without prices nothing may tell that a line is included in the stay, so it is no row of its own.
    """
    days: dict[date, list[AccountLine]] = {}
    for line in lines:
        if _is_shown(line, with_prices):
            days.setdefault(line.day, []).append(line)
    return [
        AccountDay(
            day,
            _total(those),
            _items(those, with_prices=with_prices),
            account_kinds(those, with_prices=with_prices),
        )
        for day, those in sorted(days.items())
    ]


def account_kinds(lines: Iterable[AccountLine], *, with_prices: bool) -> list[AccountKind]:
    """Return what was used of each category, by name."""
    kinds: dict[str, list[AccountLine]] = {}
    for line in lines:
        if _is_shown(line, with_prices):
            kinds.setdefault(line.category, []).append(line)
    found = [
        AccountKind(name, len({line.product_id for line in those}), _total(those)) for name, those in kinds.items()
    ]
    return sorted(found, key=lambda kind: fold(kind.name))


def _is_shown(line: AccountLine, with_prices: bool) -> bool:
    """Return whether an account shows a line.

    Without prices nothing may depend on an amount.
    """
    return bool(line.quantity or (with_prices and line.total))


def account_returns(lines: Iterable[AccountLine]) -> list[Returned]:
    """Return what came back, by day and name."""
    found: dict[tuple[date, Words], list[AccountLine]] = {}
    for line in lines:
        if line.returned:
            found.setdefault((line.day, line.words), []).append(line)
    return [
        Returned(day, words, _counted(words, [(line.product_id, line.returned) for line in those]))
        for (day, words), those in sorted(found.items(), key=lambda each: (each[0][0], fold(each[0][1].name)))
    ]


def _items(lines: Iterable[AccountLine], *, with_prices: bool) -> list[AccountItem]:
    rows: dict[tuple[Words, bool, bool], list[AccountLine]] = {}
    for line in lines:
        rows.setdefault((line.words, line.wasted, line.included and with_prices), []).append(line)
    return [
        AccountItem(
            words,
            _counted(words, [(line.product_id, line.quantity) for line in those]),
            wasted,
            included,
            _total(those),
        )
        for (words, wasted, included), those in sorted(
            rows.items(), key=lambda each: (each[0][0].is_category, fold(each[0][0].name), *each[0])
        )
    ]


def _total(lines: Iterable[AccountLine]) -> Decimal:
    return sum((line.total for line in lines), ZERO)


def _counted(words: Words, quantities: Sequence[tuple[int, Decimal]]) -> Decimal:
    """Add up the quantities of products, or count the products of a category."""
    if words.is_category:
        return Decimal(len({product_id for product_id, quantity in quantities if quantity}))
    return sum((quantity for _, quantity in quantities), ZERO_QUANTITY)


class DifferenceKind(StrEnum):
    """Why an account differs from an earlier one."""

    ADDED = "added"
    # Another quantity, or another amount.
    CORRECTED = "corrected"
    RETURNED = "returned"
    WASTED = "wasted"
    VOIDED = "voided"
    # It is on the right account now.
    MOVED = "moved"


_ORDER = {kind: place for place, kind in enumerate(DifferenceKind)}


class Difference(NamedTuple):
    """A reason why an account differs, added up by name.

    The ``quantity`` of what was corrected is signed: how much more it is now.
    """

    kind: DifferenceKind
    words: Words
    quantity: Decimal
    amount: Decimal


class _Change(NamedTuple):
    kind: DifferenceKind
    line: AccountLine
    quantity: Decimal
    amount: Decimal


def compare_accounts(
    then: Sequence[AccountLine], now: Sequence[AccountLine], voided: Collection[int]
) -> list[Difference]:
    """Return why the account is another one now than then.

    ``voided`` are the lines that were voided, of those that left. The sum of all amounts is the difference of the
    totals. Names are those of now.
    """
    names = {line.product_id: line.words for line in (*then, *now)}
    found: dict[tuple[DifferenceKind, Words], list[_Change]] = {}
    for change in _changes(then, now, voided):
        found.setdefault((change.kind, names[change.line.product_id]), []).append(change)
    differences = [
        Difference(
            kind,
            words,
            _counted(words, [(change.line.product_id, change.quantity) for change in those]),
            sum((change.amount for change in those), ZERO),
        )
        for (kind, words), those in found.items()
    ]
    return sorted(
        (one for one in differences if one.quantity or one.amount),
        key=lambda one: (_ORDER[one.kind], fold(one.words.name), one.words),
    )


def _changes(then: Sequence[AccountLine], now: Sequence[AccountLine], voided: Collection[int]) -> Iterator[_Change]:
    before, after = {line.id: line for line in then}, {line.id: line for line in now}
    left = {line.id: line for line in then if line.id not in after}
    new = [line for line in now if line.id not in before]
    # A part that was thrown away is a line of its own, and its first line has less.
    parts = {(line.product_id, line.day) for line in new if line.wasted}
    for line in new:
        old = _corrected_by(line, [one for one in left.values() if one.id in voided])
        if old:
            del left[old.id]
            yield _Change(DifferenceKind.CORRECTED, line, line.quantity - old.quantity, line.total - old.total)
        else:
            kind = DifferenceKind.WASTED if line.wasted else DifferenceKind.ADDED
            yield _Change(kind, line, line.quantity, line.total)
    for line in left.values():
        kind = DifferenceKind.VOIDED if line.id in voided else DifferenceKind.MOVED
        yield _Change(kind, line, line.quantity, -line.total)
    for line in now:
        if line.id not in before:
            continue
        old = before[line.id]
        if old.product_id == line.product_id:
            yield _change_of(old, line, parts)
        else:
            yield _Change(DifferenceKind.CORRECTED, old, -old.quantity, -old.total)
            yield _Change(DifferenceKind.CORRECTED, line, line.quantity, line.total)


def _corrected_by(line: AccountLine, voided: Sequence[AccountLine]) -> AccountLine | None:
    """Return the voided line that a new one replaces, perhaps twice."""
    if line.corrected_from is None:
        return None
    like = [one for one in voided if (one.product_id, one.day) == (line.product_id, line.day)]
    exact = [one for one in like if one.quantity == line.corrected_from]
    return next(iter(exact or like), None)


def _change_of(old: AccountLine, line: AccountLine, parts: Collection[tuple[int, date]]) -> _Change:
    amount = line.total - old.total
    if line.wasted and not old.wasted:
        return _Change(DifferenceKind.WASTED, line, line.quantity, amount)
    if line.returned > old.returned:
        return _Change(DifferenceKind.RETURNED, line, line.returned - old.returned, amount)
    if line.quantity < old.quantity and (line.product_id, line.day) in parts:
        return _Change(DifferenceKind.WASTED, line, ZERO_QUANTITY, amount)
    return _Change(DifferenceKind.CORRECTED, line, line.quantity - old.quantity, amount)
