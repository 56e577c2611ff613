"""The currency of a price in a file.

It may be next to the number, in another column or in the column's name. ``$`` may mean the currency of twenty
countries. It means the hospital's own, if that is one of them.
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
# Currencies in the names of columns: Precio (USD), Unit price €.
_IN_A_NAME = re.compile(
    r"\b(?:USD|MXN|EUR|GBP|CAD|PEN|COP|CLP|ARS|BOB|GTQ|HNL|NIO|CRC|PAB|DOP|PYG|UYU|VES|BRL)\b|[$€£]"
)


@dataclass(frozen=True, slots=True)
class Currencies:
    """Where a file gives the currency of its prices.

    ``hospital`` is the hospital's currency. ``price`` and ``column`` are the indexes of the columns with the price and
    with the currency, if they exist. ``name`` is the currency in the name of the price column.
    """

    hospital: str
    price: int | None = None
    column: int | None = None
    name: str = ""

    def of(self, row: RawRow) -> str:
        """Return the currency of a row's price, or an empty text if unknown."""
        marked = self.named(*currency_marks(_text_at(row, self.price)))
        return marked or self.named(_text_at(row, self.column)) or self.name

    def quoted(self, row: RawRow) -> str:
        """Return the price as written, with its currency if in another column."""
        return " ".join(filter(None, [_text_at(row, self.price), _text_at(row, self.column)]))

    def named(self, *marks: str) -> str:
        """Return the currency that the marks mean.

        The result is its code, the first mark if several currencies are possible, or an empty text if none is.
        """
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
    """Return the currency in the name of a column."""
    return Currencies(hospital).named(*_IN_A_NAME.findall(name))


def _may_mean(mark: str, hospital: str) -> frozenset[str]:
    mark = mark.upper()
    return frozenset(_MAY_MEAN.get(mark, {mark} if mark in _CODES or mark == hospital else ()))


def _text_at(row: RawRow, index: int | None) -> str:
    return "" if index is None or index >= len(row.cells) else shown(row.cells[index])
