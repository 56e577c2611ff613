"""Real files, with their known row counts and sums."""

import csv
import io
from decimal import Decimal
from pathlib import Path

import pytest

from tests.builders import Ward
from tests.imports import test_import_consumption as consumption
from tests.imports.catalogue import of, products, written_out
from tests.imports.importing import asked, brought_in, findings, understood
from tests.real_files import real_file
from tests.walk import WALKS_ALL

# Kennestone's catalogue: number of rows, sum and maximum of the prices, and number of names. All of it takes a minute:
# `make walk` imports it, also with a given mapping, and `make test` only its first rows.
WHOLE = (43_089, Decimal("169488510.02"), Decimal("351984.50"), 5_472)
SOME = (5_000, Decimal("6074283.69"), Decimal("39500.00"), 104)
TOLD = {"code": "Supply #", "name": "Procedure Description", "price": "Unit Price"}


def head_of(file: Path, rows: int, folder: Path) -> Path:
    """Copy the first rows of a file."""
    head = folder / file.name
    head.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[: rows + 1]))
    return head


@pytest.mark.parametrize("mapping", [{}, TOLD] if WALKS_ALL else [{}])
def test_the_catalogue_of_a_whole_hospital_is_imported(ward: Ward, tmp_path: Path, mapping: dict[str, str]) -> None:
    count, total, highest, names = WHOLE if WALKS_ALL else SOME
    file = head_of(real_file("kennestone-supplies.txt"), count, tmp_path)
    assert brought_in(ward, file, mapping=mapping).counts == (count, 0, 0, 0)
    assert brought_in(ward, file, mapping=mapping).counts == (0, 0, count, 0)

    text = written_out(ward)
    rows = [row for row in csv.DictReader(io.StringIO(text.removeprefix("\N{BYTE ORDER MARK}"))) if row["code"]]
    prices = [Decimal(row["price"]) for row in rows]
    assert len({row["code"] for row in rows}) == len(rows) == count
    assert sum(prices) == total
    assert max(prices) == highest
    assert len({row["name"] for row in rows}) == names


def test_an_empty_sheet_is_skipped_and_two_prices_are_asked_for(ward: Ward) -> None:
    file = real_file("scott-and-white-supplies.xlsx")
    how = understood(ward, file)
    assert findings(how)["sheet"] == ("Pricing Data", "sheet.only")
    assert asked(how) == [("column.several", "price", ("Lowest Price", "Highest Price"))]
    mapping = {"price": "Highest Price"}
    assert brought_in(ward, file, mapping=mapping).counts == (1_269, 0, 0, 0)
    assert brought_in(ward, file, mapping=mapping).counts == (0, 0, 1_269, 0)
    found = products(ward)
    assert of(found["27201347"]) == ("HC 6FR SHUTTLE SHEATH", "1549.09")
    assert of(found["S2344"]) == ("Endosc balloon sinuplasty", "7755.25")


def test_a_title_above_the_header_and_text_prices_are_read(ward: Ward) -> None:
    file = real_file("sharp-memorial-supplies.xlsx")
    brought = brought_in(ward, file)
    assert brought.counts == (486, 0, 0, 0)
    assert brought.how
    assert findings(brought.how)["header_row"] == ("2", "header.known")
    assert findings(brought.how)["currency"] == ("“$”", "currency.passed_over")
    assert of(products(ward)["405200142"]) == ("CATH JEJUNOSTOMY KIT", "1512.00")
    assert brought_in(ward, file).counts == (0, 0, 486, 0)


def test_a_generated_admission_is_imported(ward: Ward) -> None:
    folder = real_file("synthea")
    assert consumption.brought_in(ward, folder).counts == (72, 0, 0, 0)
    (sheet,) = consumption.sheets(ward, closed=True)
    details = consumption.details(ward, sheet)
    assert len(details) == 72
    assert sum(detail["quantity"] for detail in details) == 588
    assert len({detail["product_id"] for detail in details}) == 6
    assert sheet["closed"] is True
    assert consumption.brought_in(ward, folder).counts == (0, 0, 72, 0)
