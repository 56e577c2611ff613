"""The figures that real files must give."""

import csv
import io
from decimal import Decimal
from pathlib import Path

from adapters.batch.products import ProductColumns
from tests.batch import test_import_consumption as consumption
from tests.batch.catalogue import brought_in, told, written_out
from tests.builders import Ward

KENNESTONE = ProductColumns(code="Supply #", name="Procedure Description", price="Unit Price")
PRODUCTS = 43_089


def test_a_whole_hospitals_catalogue(ward: Ward, real_files: Path) -> None:
    file = real_files / "kennestone-supplies.txt"
    assert told(brought_in(ward, file, columns=KENNESTONE)) == (PRODUCTS, 0, 0, 0)
    assert told(brought_in(ward, file, columns=KENNESTONE)) == (0, 0, PRODUCTS, 0)

    text = written_out(ward)
    rows = [row for row in csv.DictReader(io.StringIO(text.removeprefix("\N{BYTE ORDER MARK}"))) if row["code"]]
    prices = [Decimal(row["price"]) for row in rows]
    assert len({row["code"] for row in rows}) == len(rows) == PRODUCTS
    assert sum(prices) == Decimal("169488510.02")
    assert max(prices) == Decimal("351984.50")
    assert len({row["name"] for row in rows}) == 5_472


def test_an_admission_that_a_generator_made_up(ward: Ward, real_files: Path) -> None:
    folder = real_files / "synthea"
    assert told(consumption.brought_in(ward, folder)) == (72, 0, 0, 0)
    (sheet,) = consumption.sheets(ward, closed=True)
    details = consumption.details(ward, sheet)
    assert len(details) == 72
    assert sum(detail["quantity"] for detail in details) == 588
    assert len({detail["product_id"] for detail in details}) == 6
    assert sheet["closed"] is True
    assert told(consumption.brought_in(ward, folder)) == (0, 0, 72, 0)
