"""GS1 DataMatrix symbols (ISO/IEC 16022, ECC 200) of one region.

ReportLab draws one size in another encodation. It provides the error correction and the placement of modules.
"""

from functools import lru_cache

from reportlab.graphics.barcode.ecc200datamatrix import ECC200DataMatrix

from domain.scanning.udi import GROUP_SEPARATOR

_FNC1, _PAD, _DIGIT_PAIRS = 232, 129, 130
# Modules per side, codewords of data, and of error correction.
_SIZES = (
    *((10, 3, 5), (12, 5, 7), (14, 8, 10), (16, 12, 12), (18, 18, 14)),
    *((20, 22, 18), (22, 30, 20), (24, 36, 24), (26, 44, 28)),
)


class _Gs1DataMatrix(ECC200DataMatrix):  # type: ignore[misc]
    """A symbol of the smallest size that has room for the codewords."""

    def __init__(self, codewords: list[int], side: int, data: int, correction: int) -> None:
        super().__init__("")
        self.row_modules = self.col_modules = side
        self.row_regions = self.col_regions = 1
        self.row_usable_modules = self.col_usable_modules = side - 2
        self.cw_data, self.cw_ecc = data, correction
        self._codewords = codewords

    def rows(self) -> tuple[tuple[bool, ...], ...]:
        """Return the modules, from the top; True is dark."""
        data = _padded(self._codewords, self.cw_data)
        placed = self._create_matrix([*data, *self._get_reed_solomon_code(data, self.cw_ecc)])
        if self.row_usable_modules % 4:
            # In these sizes the placement leaves a corner free, which has a fixed pattern.
            placed[-1][-1] = placed[-2][-2] = 1
        [region] = self._wrap_data_regions_with_finders(self._create_data_regions(placed))
        return tuple(tuple(map(bool, row)) for row in region)


@lru_cache(maxsize=512)
def gs1_data_matrix(text: str) -> tuple[tuple[bool, ...], ...] | None:
    """Return the modules of a GS1 symbol, or None if the text does not fit.

    ``text`` is what follows the first FNC1; a group separator becomes another FNC1.
    """
    codewords = _encode(text)
    for side, data, correction in _SIZES:
        if len(codewords) <= data:
            return _Gs1DataMatrix(codewords, side, data, correction).rows()
    return None


def _encode(text: str) -> list[int]:
    """Return the codewords in ASCII encodation, two digits in each."""
    codewords, at = [_FNC1], 0
    while at < len(text):
        pair = text[at : at + 2]
        if len(pair) == 2 and pair.isascii() and pair.isdigit():
            codewords.append(_DIGIT_PAIRS + int(pair))
            at += 2
        else:
            codewords.append(_FNC1 if text[at] == GROUP_SEPARATOR else ord(text[at]) + 1)
            at += 1
    return codewords


def _padded(codewords: list[int], length: int) -> list[int]:
    """Fill up with pad codewords, each of them scrambled by its position."""
    padded = [*codewords, *([_PAD] if len(codewords) < length else [])]
    while len(padded) < length:
        padded.append((_PAD + (149 * (len(padded) + 1)) % 253 + 1) % 254 or 254)
    return padded
