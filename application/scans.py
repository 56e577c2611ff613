"""What a scan means: which products have the code, and what it tells of the pack."""

from dataclasses import replace
from typing import NamedTuple

from application.ports.scanning import ReadScan, ScanResult
from application.ports.views import KnownCode, NumberOwner, Packs, PatientNumbers
from application.views import ScannedPersonView
from domain.hibc import hibc_spellings
from domain.keyboard_layout import for_other_keyboards, is_of_other_keyboard
from domain.label import sheet_of_label
from domain.patient import number_code, scanned_number
from domain.product import CodeSystem, is_gtin
from domain.text import is_storable, unique_key

_OF_SYMBOLS = (CodeSystem.GTIN, CodeSystem.HIBC)
# Shorter digits are as likely to be another number, whatever their check digit.
_MIN_CERTAIN_GTIN_LENGTH = 12


class Scan(NamedTuple):
    """A scan as it was read, and the codes of products that it may be.

    ``read_as`` is the text as another keyboard layout would have it. What was found by that is for a person to confirm.
    """

    read: ScanResult
    found: list[KnownCode]
    read_as: str | None = None

    def pack_read(self, product_id: int | None) -> ScanResult | None:
        """What may be recorded of the pack without a question, when that product was chosen; None where nothing may."""
        by_symbol = {known.product["id"] for known in self.found if known.system in _OF_SYMBOLS}
        by_code = {known.product["id"] for known in self.found} - by_symbol
        # It is one product's code, and would be another one's symbol.
        is_clash = bool(by_symbol) and product_id in by_code
        return None if self.read_as is not None or self.read.bare or is_clash else self.read


def understand_scan(packs: Packs, read_scan: ReadScan, raw: str) -> Scan:
    """Read a scan, and find the products it may mean.

    A code that a product has goes before any reading of the same text. What nothing is known of is tried as if the
    scanner typed for another keyboard layout.
    """
    scan = find_products(packs, read_scan(raw))
    read = scan.read
    if scan.found or read.gtin or read.of_person or (read.tells and not read.bare):
        return scan
    likely: ScanResult | None = None
    for other in for_other_keyboards(raw):
        of_other = find_products(packs, read_scan(other))
        if of_other.found:
            return of_other._replace(read_as=of_other.read.text)
        is_symbol = of_other.read.gtin or (of_other.read.hibc and of_other.read.tells)
        likely = likely or (of_other.read if is_symbol or is_of_other_keyboard(read.text) else None)
    return Scan(read, [], likely.text) if likely else scan


def find_products(packs: Packs, read: ScanResult) -> Scan:
    """Find the products that have the code; where only the text is a code, nothing is read of it."""
    text = unique_key(read.text) if read.text and is_storable(read.text) else None
    spellings = hibc_spellings(read.hibc) if read.hibc and is_storable(read.hibc) else ()
    hibc = tuple(map(unique_key, spellings))
    found = packs.known(gtin=read.gtin, hibc=hibc, code=text, any_code=text)
    systems = {known.system for known in found}
    if read.gtin:
        is_certain = is_gtin(read.text) and len(read.text) >= _MIN_CERTAIN_GTIN_LENGTH
        is_code = bool(found) and CodeSystem.GTIN not in systems and not is_certain
    elif read.hibc and CodeSystem.HIBC in systems:
        is_code = read.tells and bool(packs.known(gtin=None, hibc=(), code=text, any_code=text))
    else:
        is_code = bool(found)
    if is_code:
        read = ScanResult(text=read.text, symbology=read.symbology)
    elif not found and is_gtin(read.text) and read.symbology is None:
        # Digits alone, which no product has: they may be another number.
        read = replace(read, bare=True)
    return Scan(read, found)


def find_people(numbers: PatientNumbers, scan: Scan, authority: str | None) -> list[ScannedPersonView]:
    """Find the patients whose wristband or label was scanned; ``authority`` gives the hospital's record numbers.

    A number goes before what it is without its separators, which is tried only where no product has the code.
    """
    read = scan.read
    if read.tells and not read.bare and not read.gsrn:
        return []
    sheet_id = sheet_of_label(read.text)
    owners: list[NumberOwner] = [] if sheet_id is None else numbers.of_sheet(sheet_id)
    texts = (read.gsrn,) if read.gsrn else (read.text, scan.read_as)
    found = [scanned_number(text, authority) for text in texts if text and is_storable(text)]
    tried = [number for number in found if number]
    for number in tried:
        owners = owners or numbers.having(number)
    for number in tried if not scan.found else ():
        code = number_code(number)
        owners = owners or (numbers.having_code(code) if code else [])
    return numbers.people(owners) if owners else []
