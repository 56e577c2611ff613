"""A sheet's PDF: ``python -m tools.benchmarks.pdf``.

Measures from the use case to the bytes.
"""

import statistics
import sys
import time

from adapters.documents.pdf.sheet import sheet_pdf
from adapters.hospital.profile import HospitalProfile
from tests.builders import ZONE, a_ward


def main() -> None:
    """Print the median of 20 PDFs of 10, 100 and 1,000 lines, from memory."""
    hospital = HospitalProfile(letterhead=("Hospital San José", "Av. Amazonas 123"), currency="USD", zone=ZONE)
    for lines in (10, 100, 1_000):
        ward = a_ward()
        sheet_id = ward.sheet()["id"]
        products = [ward.product(f"Gasa estéril {number} × 10 cm", "0.35").id for number in range(20)]
        for number in range(lines):
            ward.detail(sheet_id, "1.5", product_id=products[number % len(products)])
        took = []
        for _ in range(20):
            begun = time.perf_counter()
            size = len(sheet_pdf(hospital, ward.use_cases.sheets.print(ward.supervisor, sheet_id), "es"))
            took.append(time.perf_counter() - begun)
        sys.stdout.write(f"{lines:5} lines: {statistics.median(took) * 1000:6.0f} ms, {size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()
