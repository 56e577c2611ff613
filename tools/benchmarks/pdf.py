"""A sheet's PDF and a family's account: ``python -m tools.benchmarks.pdf``.

Measures from the use case to the bytes.
"""

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

from adapters.documents.pdf.account import account_pdf
from adapters.documents.pdf.sheet import sheet_pdf
from adapters.hospital.profile import HospitalProfile
from tests.builders import ZONE, Ward, a_ward

HOSPITAL = HospitalProfile(letterhead=("Hospital San José", "Av. Amazonas 123"), currency="USD", zone=ZONE)
REPEATS = 20


def a_sheet(lines: int) -> tuple[Ward, int]:
    """Return a ward with a sheet of lines of 20 products.

    Half of the products have a plain name.
    """
    ward = a_ward()
    sheet_id = ward.sheet()["id"]
    products = [
        ward.product(f"Gasa estéril {number} × 10 cm", "0.35", plain_name=f"Gasas {number}" if number % 2 else None).id
        for number in range(20)
    ]
    for number in range(lines):
        ward.detail(sheet_id, "1.5", product_id=products[number % len(products)])
    return ward, sheet_id


def print_sheet(ward: Ward, sheet_id: int) -> bytes:
    """Print a sheet."""
    return sheet_pdf(HOSPITAL, ward.use_cases.sheets.print(ward.supervisor, sheet_id), "es")


def measure(step: Callable[[], bytes | object]) -> str:
    """Return the median time of a step, and the size of its file."""
    took = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        answer = step()
        took.append(time.perf_counter() - begun)
    size = f", {len(answer) / 1000:.0f} kB" if isinstance(answer, bytes) else ""
    return f"{statistics.median(took) * 1000:6.1f} ms{size}"


def main() -> None:
    """Print the median times of sheets and of an account of 500 lines."""
    for lines in (10, 100, 1_000):
        ward, sheet_id = a_sheet(lines)
        took = measure(partial(print_sheet, ward, sheet_id))
        sys.stdout.write(f"{lines:5} lines, sheet: {took}\n")
    ward, sheet_id = a_sheet(500)
    accounts = ward.use_cases.accounts
    of = accounts.issue(ward.supervisor, sheet_id)[0]["of"]
    sys.stdout.write(f"  500 lines, account read: {measure(lambda: accounts.read(ward.supervisor, sheet_id))}\n")
    took = measure(lambda: account_pdf(HOSPITAL, accounts.print(ward.supervisor, sheet_id, of, with_prices=True), "es"))
    sys.stdout.write(f"  500 lines, account printed: {took}\n")


if __name__ == "__main__":
    main()
