"""Writing lists out again."""

from collections.abc import Callable, Iterable, Iterator
from typing import TextIO, TypeVar

from adapters.csv_lines import PRODUCT_COLUMNS, csv_lines
from application.use_cases import UseCases
from application.views import ProductQuery
from domain.policy import Actor

Item = TypeVar("Item")


def export_products(use_cases: UseCases, actor: Actor, out: TextIO, *, advance: Callable[[int], None]) -> None:
    """Write all products as CSV; ``advance`` is told of each."""
    products = use_cases.products.every(actor, ProductQuery())
    out.writelines(csv_lines(_told(products, advance), PRODUCT_COLUMNS, actor))


def _told(items: Iterable[Item], advance: Callable[[int], None]) -> Iterator[Item]:
    for item in items:
        yield item
        advance(1)
