"""Short ways to bring a file in, write the catalogue out, and look at what there is."""

import io
from pathlib import Path
from typing import Any

from adapters.batch.export import export_products
from adapters.batch.products import ProductColumns, import_products
from adapters.batch.report import Report
from adapters.batch.tables import open_table
from application.views import ProductQuery, ProductView
from domain.policy import Actor
from tests.builders import Ward

COLUMNS = ProductColumns(code="code", name="name", price="price")


def brought_in(ward: Ward, file: Path, *, columns: ProductColumns = COLUMNS, actor: Actor | None = None) -> Report:
    table = open_table(file, [columns.code, columns.name, columns.price])
    begin = ward.store.begin
    return import_products(ward.use_cases, begin, actor or ward.admin, table, columns, advance=lambda _: None)


def written_out(ward: Ward, *, actor: Actor | None = None) -> str:
    out = io.StringIO(newline="")
    export_products(ward.use_cases, actor or ward.admin, out, advance=lambda _: None)
    return out.getvalue()


def file_of(folder: Path, text: str, *, encoding: str = "utf-8") -> Path:
    file = folder / "catalogue.csv"
    file.write_bytes(text.encode(encoding))
    return file


def refusals(report: Report) -> dict[int, list[tuple[str | None, str]]]:
    """Field and code of each reason, by the line of the refused row."""
    return {row.line: [(reason.field, reason.code.value) for reason in row.reasons] for row in report.refused}


def products(ward: Ward) -> dict[str, ProductView]:
    """Every product that has a code, by its code."""
    found: dict[str, ProductView] = {}
    for number in range(1, 100):
        page = ward.use_cases.products.page(ward.admin, ProductQuery(limit=100, page=number))
        found |= {product["code"]: product for product in page["items"] if product["code"]}
        if number >= page["meta"]["pages"]:
            break
    return found


def told(report: Report) -> tuple[int, int, int, int]:
    """How many were created, changed, left as they were, and refused."""
    return report.created, report.changed, report.unchanged, len(report.refused)


def of(product: Any) -> tuple[str, str]:
    """Name and price."""
    return product["name"], str(product["price"])
