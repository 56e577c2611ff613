"""Published files that are not in this repository.

Tests that need them are skipped without them. ``CONSUMO_REAL_FILES`` is the folder with the files, named as below.
"""

import os
from pathlib import Path

import pytest

_FOLDER = os.environ.get("CONSUMO_REAL_FILES")

_CHARGES = "https://github.com/vsoch/hospital-chargemaster (MIT), data"
SOURCES = {
    "kennestone-supplies.txt": f"{_CHARGES}/kennestone-hospital/latest/WSSupplies.txt",
    "scott-and-white-supplies.xlsx": f"{_CHARGES}/scott-and-white-memorial-hospital/2019-01-19/ctx-supplies.xlsx",
    "sharp-memorial-supplies.xlsx": f"{_CHARGES}/sharp-memorial-hospital/2019-01-19/surgerySMH4052-2.xlsx",
    "synthea": "https://github.com/OHDSI/dbt-synthea (Apache-2.0), seeds/synthea: devices.csv, encounters.csv, "
    "patients.csv, providers.csv and supplies.csv, without the prefix synthea_",
}


def file_at_hand(name: str) -> Path | None:
    """The path of the file, if it is available."""
    file = Path(_FOLDER, name) if _FOLDER else None
    return file if file and file.exists() else None


def real_file(name: str) -> Path:
    """The file's path; without it the test is skipped, naming its source."""
    file = file_at_hand(name)
    if file is None:
        pytest.skip(f"{name} is not in the folder that CONSUMO_REAL_FILES names; it is published at {SOURCES[name]}")
    return file
