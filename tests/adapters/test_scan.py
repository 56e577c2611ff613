"""Parsing scans: separators in all forms, lost separators, wrong labels."""

import json
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from adapters.symbols.scan import LONGEST, read_scan

GS = "\x1d"
GTIN = "04006381333931"
ALL = {"gtin": GTIN, "lot": "AB-12", "expiry": "2027-01-31", "serial": "SER9"}
# The client uses the same vectors: ui/src/symbols/gs1.test.ts.
VECTORS = Path(__file__).parents[1] / "scan_vectors.json"


def reported(raw: str) -> dict[str, Any]:
    """The reading of a scan, without empty fields."""
    reading = read_scan(raw)
    values = {name: getattr(reading, name) for name in reading.__slots__ if name not in ("text", "symbology")}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in values.items() if value}


# The separator in all forms in which scanners send it, and what they add around the text.
SEPARATORS = (GS, "{GS}", "<GS>", "[GS]", "^]", "␝", "{gs}")
BEFORE = ("", "]d2", "]d5", "]d8", "]dB", "]C1", "]e0", "]Q3", "]J1", GS, "]C1" + GS)
BEHIND = ("", "\r", "\r\n", "\t", GS + "\n")


@pytest.mark.parametrize(
    ("separator", "before", "behind"),
    [*product(SEPARATORS, BEFORE[:2], BEHIND[:2]), *product(SEPARATORS[:1], BEFORE, BEHIND)],
)
def test_an_element_string_is_read_in_every_form(separator: str, before: str, behind: str) -> None:
    assert reported(f"{before}01{GTIN}1727013110AB-12{separator}21SER9{behind}") == ALL


@pytest.mark.parametrize(
    "vector", json.loads(VECTORS.read_text(encoding="utf-8")), ids=lambda vector: ascii(vector["scan"])
)
def test_a_symbol_is_read(vector: dict[str, Any]) -> None:
    assert reported(vector["scan"]) == vector["reads"]


@pytest.mark.parametrize(
    ("raw", "symbology"),
    [(f"01{GTIN}", None), (f"]d201{GTIN}", "]d2"), ("]C0MC-0008", "]C0"), ("]c11042331", "]C1"), ("]", None)],
)
def test_the_symbology_identifier_is_kept(raw: str, symbology: str | None) -> None:
    assert read_scan(raw).symbology == symbology


def test_extreme_scans_are_read_in_reasonable_time() -> None:
    for raw in ("10" * LONGEST, "1010A" * 400, "21" + "17270131" * 300, "(01)" * 1_000, "10A21B17" * 90, GS * 9_999):
        assert read_scan(raw).hibc is None
