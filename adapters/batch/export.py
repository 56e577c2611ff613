"""Writing lists out again."""

import csv
import re
from collections.abc import Callable
from typing import TextIO

from application.use_cases import UseCases
from application.views import ProductQuery
from domain.policy import Actor

_AT_A_TIME = 100
# What a spreadsheet would take for a formula; with an apostrophe before it, it is text. One more goes before what looks
# as if it had one, so that the import can take it off again.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def export_products(use_cases: UseCases, actor: Actor, out: TextIO, *, advance: Callable[[int], None]) -> int:
    """Write all products as CSV (RFC 4180, UTF-8 with BOM, no formulas) and say how many there were."""
    out.write("\N{BYTE ORDER MARK}")
    writer = csv.writer(out)
    writer.writerow(["code", "name", "price", "category_code", "category", "gtin", "unit", "active"])
    page = written = 0
    while True:
        page += 1
        found = use_cases.products.page(actor, ProductQuery(page=page, limit=_AT_A_TIME))
        for product in found["items"]:
            category = product["category"]
            writer.writerow(
                [
                    _harmless(product["code"]),
                    _harmless(product["name"]),
                    product.get("price", ""),
                    _harmless(category.get("code")),
                    _harmless(category["name"]),
                    _harmless(product["gtin"]),
                    _harmless(product["unit"]),
                    int(product["active"]),
                ]
            )
        written += len(found["items"])
        advance(len(found["items"]))
        if page >= found["meta"]["pages"]:
            return written


def _harmless(text: str | None) -> str:
    return f"'{text}" if text and _FORMULA.match(text) else text or ""
