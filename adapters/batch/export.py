"""Writing lists out again."""

import io
import shutil
from collections.abc import Callable, Iterable, Iterator
from typing import IO, TypeVar

from adapters.exports.columns import PRODUCT_COLUMNS
from adapters.exports.csv_lines import csv_lines
from adapters.exports.workbook import list_workbook
from adapters.house import House
from application.use_cases import UseCases
from application.views import ProductQuery
from domain.policy import Actor

Item = TypeVar("Item")


def export_products(use_cases: UseCases, actor: Actor, out: IO[bytes], *, advance: Callable[[int], None]) -> None:
    """Write all products as CSV; ``advance`` is told of each."""
    products = use_cases.products.every(actor, ProductQuery())
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    text.writelines(csv_lines(_told(products, advance), PRODUCT_COLUMNS, actor))
    text.detach()


def export_products_workbook(
    use_cases: UseCases, actor: Actor, out: IO[bytes], *, language: str, house: House, advance: Callable[[int], None]
) -> None:
    """Write all products as XLSX; ``advance`` is told of each."""
    products = use_cases.products.every(actor, ProductQuery())
    with list_workbook(_told(products, advance), PRODUCT_COLUMNS, actor, language, house) as book:
        shutil.copyfileobj(book, out)


def _told(items: Iterable[Item], advance: Callable[[int], None]) -> Iterator[Item]:
    for item in items:
        yield item
        advance(1)
