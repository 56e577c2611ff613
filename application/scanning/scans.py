"""Interpret scans: find the products, the pack data and the patient."""

from dataclasses import replace
from typing import NamedTuple

from application.catalogue.ports import KnownCode, Packs
from application.common.scanning import ReadScan, ScanResult
from application.people.ports import NumberOwner, PatientNumbers
from application.people.scanned_views import ScannedPersonView
from domain.catalogue.product import CodeSystem, is_gtin
from domain.common.text import code_key, is_storable
from domain.people.patient import number_code, scanned_number
from domain.scanning.hibc import hibc_spellings
from domain.scanning.keyboard_layout import for_other_keyboards, is_of_other_keyboard
from domain.scanning.label import Label, LabelKind

_OF_SYMBOLS = (CodeSystem.GTIN, CodeSystem.HIBC)
# Shorter digits may well be another number, even if their check digit is right.
_MIN_CERTAIN_GTIN_LENGTH = 12


class Scan(NamedTuple):
    """A parsed scan, and the product codes that it may be.

    ``read_as`` is the text as typed for another keyboard layout. A product that was found by it has to be confirmed by
    the user.
    """

    read: ScanResult
    found: list[KnownCode]
    read_as: str | None = None

    def pack_read(self, product_id: int | None) -> ScanResult | None:
        """Return the pack data that may be recorded without a question.

        ``product_id`` is the product that the user chose. None means that no data may be recorded.
        """
        by_symbol = {known.product["id"] for known in self.found if known.system in _OF_SYMBOLS}
        by_code = {known.product["id"] for known in self.found} - by_symbol
        # The scan is the chosen product's code, and also another product's symbol.
        is_clash = bool(by_symbol) and product_id in by_code
        return None if self.read_as is not None or self.read.bare or is_clash else self.read


def understand_scan(packs: Packs, read_scan: ReadScan, raw: str) -> Scan:
    """Parse a scan, and find the products that it may mean.

    If a product has the whole text as its code, that comes before any interpretation of the text. If nothing is found,
    the text is interpreted as typed for another keyboard layout.
    """
    scan = find_products(packs, read_scan(raw))
    read = scan.read
    if scan.found or read.gtin or read.of_person or (read.has_data and not read.bare):
        return scan
    likely: ScanResult | None = None
    for other in for_other_keyboards(raw):
        of_other = find_products(packs, read_scan(other))
        if of_other.found:
            return of_other._replace(read_as=of_other.read.text)
        is_symbol = of_other.read.gtin or (of_other.read.hibc and of_other.read.has_data)
        likely = likely or (of_other.read if is_symbol or is_of_other_keyboard(read.text) else None)
    return Scan(read, [], likely.text) if likely else scan


def find_products(packs: Packs, read: ScanResult) -> Scan:
    """Find the products with the code in the scan.

    If the plain text is a product's code, no other data is taken from the scan.
    """
    text = code_key(read.text) if read.text and is_storable(read.text) else None
    spellings = hibc_spellings(read.hibc) if read.hibc and is_storable(read.hibc) else ()
    hibc = tuple(map(code_key, spellings))
    found = packs.known(gtin=read.gtin, hibc=hibc, code=text, any_code=text)
    systems = {known.system for known in found}
    if read.gtin:
        is_certain = is_gtin(read.text) and len(read.text) >= _MIN_CERTAIN_GTIN_LENGTH
        is_code = bool(found) and CodeSystem.GTIN not in systems and not is_certain
    elif read.hibc and CodeSystem.HIBC in systems:
        is_code = read.has_data and bool(packs.known(gtin=None, hibc=(), code=text, any_code=text))
    else:
        is_code = bool(found)
    if is_code:
        read = ScanResult(text=read.text, symbology=read.symbology)
    elif not found and is_gtin(read.text) and read.symbology is None:
        # These are only digits, and no product has them, so they may be another number.
        read = replace(read, bare=True)
    return Scan(read, found)


def find_people(
    numbers: PatientNumbers, scan: Scan, label: Label | None, authority: str | None
) -> list[ScannedPersonView]:
    """Find the patients whose wristband or label was scanned.

    ``authority`` is the assigning authority of the hospital's record numbers. The number as scanned comes first. The
    number without separators is only tried if no product has the code.
    """
    read = scan.read
    if label:
        owners = _owners_of(numbers, label)
        return numbers.people(owners) if owners else []
    if read.has_data and not read.bare and not read.gsrn:
        return []
    owners = []
    texts = (read.gsrn,) if read.gsrn else (read.text, scan.read_as)
    found = [scanned_number(text, authority) for text in texts if text and is_storable(text)]
    tried = [number for number in found if number]
    for number in tried:
        owners = owners or numbers.owners_of(number)
    for number in tried if not scan.found else ():
        code = number_code(number)
        owners = owners or (numbers.having_code(code) if code else [])
    return numbers.people(owners) if owners else []


def _owners_of(numbers: PatientNumbers, label: Label) -> list[NumberOwner]:
    """Return the patient whom a label of this installation names."""
    if label.foreign:
        return []
    if label.kind is LabelKind.PATIENT:
        return numbers.of_patient(label.number)
    return numbers.of_sheet(label.number) if label.kind is LabelKind.SHEET else []
