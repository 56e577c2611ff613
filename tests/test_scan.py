"""What symbols hold, as scanners send them: a table of them, with separators lost and labels that are wrong."""

from datetime import date
from itertools import product
from typing import Any

import pytest

from adapters.scan import LONGEST, read_scan

GS = "\x1d"
GTIN = "04006381333931"
ALL = {"gtin": GTIN, "lot": "AB-12", "expiry": date(2027, 1, 31), "serial": "SER9"}
NOTHING: dict[str, Any] = {}


def told(raw: str) -> dict[str, Any]:
    """What was read, but for what was not."""
    reading = read_scan(raw)
    return {name: value for name in reading.__slots__ if name != "text" and (value := getattr(reading, name))}


# Each way in which scanners send the separator, whatever they put before and behind the text.
SEPARATORS = (GS, "{GS}", "<GS>", "[GS]", "^]", "␝", "{gs}")
BEFORE = ("", "]d2", "]d5", "]d8", "]dB", "]C1", "]e0", "]Q3", "]J1", GS, "]C1" + GS)
BEHIND = ("", "\r", "\r\n", "\t", GS + "\n")


@pytest.mark.parametrize(
    ("separator", "before", "behind"),
    [*product(SEPARATORS, BEFORE[:2], BEHIND[:2]), *product(SEPARATORS[:1], BEFORE, BEHIND)],
)
def test_an_element_string_is_read_however_it_is_sent(separator: str, before: str, behind: str) -> None:
    assert told(f"{before}01{GTIN}1727013110AB-12{separator}21SER9{behind}") == ALL


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        # a GTIN alone, of each length
        ("4006381333931", {"gtin": GTIN}),
        ("04006381333931", {"gtin": GTIN}),
        ("96385074", {"gtin": "00000096385074"}),
        ("036000291452", {"gtin": "00036000291452"}),
        ("]E04006381333931", {"gtin": GTIN}),
        ("]I114006381333938", {"gtin": "14006381333938"}),
        # 13 digits that would be another element as well
        ("9501101530003", {"gtin": "09501101530003"}),
        # of a wrong check digit it is none, alone and within
        ("4006381333930", NOTHING),
        # nor is it one of zeros
        ("0000000000000", NOTHING),
        ("0100000000000000", NOTHING),
        ("0100000000000000172701311055", NOTHING),
        ("0104006381333930", NOTHING),
        ("010400638133393017270131", NOTHING),
        # orders of the elements
        (f"01{GTIN}10AB-12{GS}1727013121SER9", ALL),
        (f"01{GTIN}21SER9{GS}10AB-12{GS}17270131", ALL),
        (f"1727013101{GTIN}10AB-12", {"gtin": GTIN, "lot": "AB-12", "expiry": date(2027, 1, 31)}),
        (f"01{GTIN}", {"gtin": GTIN}),
        (f"01{GTIN}10AB-12", {"gtin": GTIN, "lot": "AB-12"}),
        (f"01{GTIN}21SER9", {"gtin": GTIN, "serial": "SER9"}),
        # the second symbol of a label
        ("1727013110AB-12", {"lot": "AB-12", "expiry": date(2027, 1, 31)}),
        (f"]C110AB-12{GS}21SER9", {"lot": "AB-12", "serial": "SER9"}),
        ("]C117270131", {"expiry": date(2027, 1, 31)}),
        # days
        (f"01{GTIN}17270200", {"gtin": GTIN, "expiry": date(2027, 2, 28)}),
        (f"01{GTIN}17280200", {"gtin": GTIN, "expiry": date(2028, 2, 29)}),
        (f"01{GTIN}17271131", {"gtin": GTIN, "expiry_unreadable": True}),
        (f"01{GTIN}17271301", {"gtin": GTIN, "expiry_unreadable": True}),
        (f"01{GTIN}1727113110AB-12", {"gtin": GTIN, "lot": "AB-12", "expiry_unreadable": True}),
        (f"01{GTIN}11270131", {"gtin": GTIN}),
        (f"01{GTIN}15270131", {"gtin": GTIN}),
        (f"01{GTIN}13271131{GS}16270131", {"gtin": GTIN}),
        # how many a pack holds, and what is packed
        (f"01{GTIN}30100", {"gtin": GTIN, "count": 100}),
        (f"02{GTIN}37025", {"gtin": GTIN, "count": 25}),
        (f"02{GTIN}01140063813339383725", {"gtin": "14006381333938", "count": 25}),
        # other elements are passed over
        (f"01{GTIN}240ABC{GS}10AB-12", {"gtin": GTIN, "lot": "AB-12"}),
        (f"01{GTIN}7112345{GS}10AB-12", {"gtin": GTIN, "lot": "AB-12"}),
        # in brackets, as it stands below the bars
        (f"(01){GTIN}(17)270131(10)AB-12(21)SER9", ALL),
        (f"(01) {GTIN} (17) 270131 (10) AB-12 (21) SER9", ALL),
        (f"]C1(01){GTIN}(10)AB-12", {"gtin": GTIN, "lot": "AB-12"}),
        (f"(01){GTIN}(17)271131(10)AB-12", {"gtin": GTIN, "lot": "AB-12", "expiry_unreadable": True}),
        ("(01)04006381333930(10)AB-12", NOTHING),
        ("(99999)1", NOTHING),
        ("(01)123", NOTHING),
        ("(4 unidades) gasa", NOTHING),
        # lost separators: what follows is likely, and to be confirmed
        (f"01{GTIN}10AB-121727013121SER9", {**ALL, "separator_lost": True}),
        (f"01{GTIN}10AB-1221SER917270131", {**ALL, "separator_lost": True}),
        (f"01{GTIN}21SER910AB-1217270131", {**ALL, "separator_lost": True}),
        (f"01{GTIN}1727013110AB-1221SER9", {**ALL, "separator_lost": True}),
        (
            f"01{GTIN}10AB-1217270131",
            {"gtin": GTIN, "lot": "AB-12", "expiry": date(2027, 1, 31), "separator_lost": True},
        ),
        ("10AB-1217270131", {"lot": "AB-12", "expiry": date(2027, 1, 31), "separator_lost": True}),
        # longer than any lot may be
        (
            f"01{GTIN}10ABCDEFGHIJ17270131210123456789",
            {
                "gtin": GTIN,
                "lot": "ABCDEFGHIJ",
                "expiry": date(2027, 1, 31),
                "serial": "0123456789",
                "separator_lost": True,
            },
        ),
        # no day of any calendar: a serial number at most
        (f"01{GTIN}10AB-1217271399", {"gtin": GTIN, "lot": "AB-1", "serial": "7271399", "separator_lost": True}),
        (f"01{GTIN}10AB-X17271399", {"gtin": GTIN, "lot": "AB-X17271399"}),
        (
            f"01{GTIN}1727139910AB-12{GS}21SER9",
            {"gtin": GTIN, "lot": "AB-12", "serial": "SER9", "expiry_unreadable": True},
        ),
        # said already: a lot that looks like it
        (f"01{GTIN}1727013110AB17280101", {"gtin": GTIN, "lot": "AB17280101", "expiry": date(2027, 1, 31)}),
        (f"01{GTIN}10A1017", {"gtin": GTIN, "lot": "A1017"}),
        # HIBC goes whole
        ("+H123PARTNO1234567890120", {"hibc": "+H123PARTNO1234567890120"}),
        ("]C0+A123BJC5D6E71G\r\n", {"hibc": "+A123BJC5D6E71G"}),
        # links
        ("https://id.gs1.org/01/04006381333931", {"gtin": GTIN}),
        ("https://id.gs1.org/01/04006381333931/10/AB-12/21/SER9?17=270131", ALL),
        (
            "HTTPS://EXAMPLE.COM/some/path/01/04006381333931?17=270131&10=AB-12",
            {"gtin": GTIN, "lot": "AB-12", "expiry": date(2027, 1, 31)},
        ),
        ("]Q1https://id.gs1.org/01/4006381333931", {"gtin": GTIN}),
        ("https://id.gs1.org/01/04006381333930", NOTHING),
        ("https://example.com/gasa?x=1", NOTHING),
        ("https://", NOTHING),
        # what is none: other symbologies, words, nothing
        (f"]d101{GTIN}", NOTHING),
        ("]C0MC-0008", NOTHING),
        ("MC-0008", NOTHING),
        ("gasa", NOTHING),
        ("3 gasa", NOTHING),
        ("1.500 gasa", NOTHING),
        ("", NOTHING),
        (GS, NOTHING),
        ("]C1", NOTHING),
        ("01", NOTHING),
        ("17", NOTHING),
        (f"01{GTIN}00", NOTHING),
        (f"01{GTIN}ZZ", NOTHING),
        ("\x00", NOTHING),
        ("٠١٢٣٤٥٦٧٨٩٠١٢", NOTHING),
    ],
)
def test_what_a_symbol_holds(raw: str, expected: dict[str, Any]) -> None:
    assert told(raw) == expected


def test_whatever_is_sent_is_read_in_time() -> None:
    for raw in ("10" * LONGEST, "1010A" * 400, "21" + "17270131" * 300, "(01)" * 1_000, "10A21B17" * 90, GS * 9_999):
        assert read_scan(raw).hibc is None
