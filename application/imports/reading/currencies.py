"""In which currency a price is, as far as a file tells: beside the number, in another column, in the column's name.

``$`` may mean the money of twenty countries: the hospital's own where that is one of them.
"""

import re
from dataclasses import dataclass

from application.imports.reading.cells import RawRow, shown
from application.imports.reading.numbers import currency_marks

_DOLLARS_AND_PESOS = frozenset(
    ["USD", "MXN", "COP", "CLP", "ARS", "UYU", "DOP", "CAD", "AUD", "CUP", "BZD", "BSD", "BBD", "JMD", "TTD", "XCD"]
)
_MAY_MEAN = {
    "$": _DOLLARS_AND_PESOS, "US$": {"USD"}, "MX$": {"MXN"}, "MN$": {"MXN"}, "M.N.": {"MXN"}, "RD$": {"DOP"},
    "A$": {"AUD", "ARS"}, "B$": {"BOB", "BSD"}, "C$": {"NIO", "CAD"}, "R$": {"BRL"}, "N$": {"MXN", "UYU"},
    "€": {"EUR"}, "£": {"GBP"}, "¥": {"JPY", "CNY"}, "₡": {"CRC"}, "₲": {"PYG"}, "₱": {"PHP", "CUP"}, "₹": {"INR"},
    "S/": {"PEN"}, "S/.": {"PEN"}, "BS": {"BOB", "VES"}, "BS.": {"BOB", "VES"}, "B/.": {"PAB"}, "Q": {"GTQ"},
    "L.": {"HNL"},
    "DOLARES": {"USD"}, "DÓLARES": {"USD"}, "DOLLARS": {"USD"}, "EUROS": {"EUR"}, "EURO": {"EUR"}, "MN": {"MXN"},
    "PESOS": _DOLLARS_AND_PESOS - {"USD", "CAD", "AUD"}, "SOLES": {"PEN"}, "QUETZALES": {"GTQ"},
    "LEMPIRAS": {"HNL"}, "BOLIVIANOS": {"BOB"}, "GUARANIES": {"PYG"}, "COLONES": {"CRC"}, "REALES": {"BRL"},
}  # fmt: skip
_CODES = frozenset(code for codes in _MAY_MEAN.values() for code in codes) | {"CHF"}
# What a column's name tells: Precio (USD), Unit price €.
_IN_A_NAME = re.compile(
    r"\b(?:USD|MXN|EUR|GBP|CAD|PEN|COP|CLP|ARS|BOB|GTQ|HNL|NIO|CRC|PAB|DOP|PYG|UYU|VES|BRL)\b|[$€£]"
)


@dataclass(frozen=True, slots=True)
class Currencies:
    """Where a file tells the currency of its prices, and which one the hospital uses.

    ``price`` and ``column`` are the columns of the price and of the currency, if there are such; ``name`` is what the
    name of the price's column tells.
    """

    hospital: str
    price: int | None = None
    column: int | None = None
    name: str = ""

    def of(self, row: RawRow) -> str:
        """The currency of that row's price; nothing where the file does not tell it."""
        told = self.named(*currency_marks(_text_at(row, self.price)))
        return told or self.named(_text_at(row, self.column)) or self.name

    def quoted(self, row: RawRow) -> str:
        """The price as it stands in the file, with its currency where that stands in a column of its own."""
        return " ".join(filter(None, [_text_at(row, self.price), _text_at(row, self.column)]))

    def named(self, *marks: str) -> str:
        """The currency that is marked so: its code, the mark where it may be several, nothing where it is none."""
        if not any(marks):
            return ""
        may_be = [codes for mark in marks if (codes := _may_mean(mark, self.hospital))]
        if not may_be:
            return ""
        meant = frozenset.intersection(*may_be) or may_be[0]
        if self.hospital in meant:
            return self.hospital
        return next(iter(meant)) if len(meant) == 1 else marks[0]


def currency_in_a_name(name: str, hospital: str) -> str:
    """The currency that a column's name tells."""
    return Currencies(hospital).named(*_IN_A_NAME.findall(name))


def _may_mean(mark: str, hospital: str) -> frozenset[str]:
    mark = mark.upper()
    return frozenset(_MAY_MEAN.get(mark, {mark} if mark in _CODES or mark == hospital else ()))


def _text_at(row: RawRow, index: int | None) -> str:
    return "" if index is None or index >= len(row.cells) else shown(row.cells[index])
