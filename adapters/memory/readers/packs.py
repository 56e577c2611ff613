"""Lots, serial numbers, recalls and unknown codes, in memory."""

from collections import Counter
from collections.abc import Collection
from datetime import date, datetime

from adapters.memory.data import MemoryData
from adapters.memory.readers.products import product_view
from adapters.memory.repositories.patient_keys import MemoryPatientKeys
from application.ports.readers.catalogue import KnownCode
from application.views.catalogue import (
    AreaView,
    KitProductView,
    RecallInForceView,
    SerialUsedView,
    TypedProductView,
    UnknownCodeView,
)
from domain.product import ONE, CodeSystem
from domain.recall import Recall
from domain.sheet import Detail, InputMethod
from domain.text import code_key, fold


def recalled(data: MemoryData, product_id: int, lot_key: str | None) -> list[Recall]:
    """List the recalls in force for such a pack, oldest first."""
    found = (one for one in data.recalls.values() if one.product_id == product_id and one.closed_at is None)
    return [one for one in found if one.lot is None or code_key(one.lot) == lot_key]


def with_serial(data: MemoryData, product_id: int, serial_key: str | None) -> list[Detail]:
    """List the product's details with that serial number, oldest first."""
    found = (one for one in data.counted if one.product_id == product_id and one.serial)
    return [one for one in found if code_key(one.serial or "") == serial_key]


class MemoryPacks:
    """Looks up codes and packs."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def known(
        self, *, gtin: str | None, hibc: Collection[str], code: str | None, any_code: str | None
    ) -> list[KnownCode]:
        """List the products with one of these codes.

        ``gtin`` has 14 digits; ``code`` is the hospital's code; ``any_code`` is a code of any system.
        """
        wanted = {
            (CodeSystem.GTIN, gtin),
            *((CodeSystem.HIBC, one) for one in hibc),
            *((system, any_code) for system in CodeSystem),
        }
        found = [
            KnownCode(product_view(self._data, one.product_id), one.system, one.units, one.label)
            for one in self._data.product_codes.values()
            if (one.system, one.key) in wanted
        ]
        found += [
            KnownCode(product_view(self._data, one.id), "code", ONE, None)
            for one in self._data.products.values()
            if code is not None and one.code is not None and code_key(one.code) == code
        ]
        return sorted(found, key=lambda known: (known.product["id"], known.system == "code"))

    def recall(self, product_id: int, lot_key: str | None) -> RecallInForceView | None:
        """Return the recall in force for such a pack."""
        for one in recalled(self._data, product_id, lot_key):
            return RecallInForceView(id=one.id, reason=one.reason, since=one.opened_at)
        return None

    def serial_used(self, product_id: int, serial: str | None) -> SerialUsedView | None:
        """Return where that serial number of the product is recorded."""
        for one in with_serial(self._data, product_id, code_key(serial or "")):
            return SerialUsedView(consumption_sheet_id=one.sheet_id, at=one.created_at)
        return None

    def unknown(self, *, most: int) -> list[UnknownCodeView]:
        """List scanned codes without a product, latest first."""
        codes = {(str(one.system), one.key) for one in self._data.product_codes.values()}
        own = {("code", code_key(one.code)) for one in self._data.products.values() if one.code}
        known = codes | own | {("code", key) for _, key in codes}
        found = sorted(
            ((at, system, key, code, times) for (system, key), (code, times, at) in self._data.unknown_codes.items()),
            key=lambda each: (-each[0].timestamp(), each[1], each[2]),
        )
        return [
            UnknownCodeView(system=system, code=code, times=times, last_at=at)
            for at, system, key, code, times in found
            if (system, key) not in known and not MemoryPatientKeys(self._data).is_known(code)
        ][:most]

    def typed(self, *, since: date, area_id: int | None, most: int) -> list[TypedProductView]:
        """List active products with a code that were chosen by name, by area."""
        data, times = self._data, Counter[tuple[int, int, InputMethod]]()
        for line in data.details.values():
            if line.input_method and line.day >= since and not line.voided and area_id in (None, line.area_id):
                times[line.product_id, line.area_id or 0, line.input_method] += 1
        coded = {one.product_id for one in data.product_codes.values()}
        found = []
        for (product_id, area, method), typed in times.items():
            product = data.products[product_id]
            if method is InputMethod.TEXT and product.active and (product.code or product_id in coded):
                place = data.areas.get(area)
                view = TypedProductView(
                    product=KitProductView(
                        id=product_id, code=product.code, name=product.name, unit=product.unit, active=True
                    ),
                    area=AreaView(id=place.id, name=place.name) if place else None,
                    typed=typed,
                    scanned=times[product_id, area, InputMethod.SCAN],
                )
                found.append(((-typed, fold(product.name), product_id, area), view))
        return [view for _, view in sorted(found, key=lambda each: each[0])][:most]


class MemoryUnknownCodes:
    """Scanned codes without a product."""

    def __init__(self, data: MemoryData) -> None:
        self._codes = data.unknown_codes

    def count(self, system: str, code: str, *, at: datetime, user_id: int) -> None:
        """Increase the code's count."""
        del user_id
        _, times, _ = self._codes.get((str(system), code_key(code)), (code, 0, at))
        self._codes[str(system), code_key(code)] = (code, times + 1, at)

    def remove(self, system: str, code: str) -> bool:
        """Remove a code; return whether it was noted."""
        return self._codes.pop((system, code_key(code)), None) is not None
