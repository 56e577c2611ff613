"""Store products, their pictures, kits, pins and uses of recalled lots, in memory."""

from collections.abc import Collection, Hashable, Sequence
from datetime import datetime

from adapters.memory.data import MemoryData
from adapters.memory.repositories.repository import MemoryRepository
from application.entities import KIT, PRODUCT, PRODUCT_CODE
from domain.kit import Kit
from domain.picture import ProductPicture
from domain.product import CodeSystem, Product, ProductCode, gtin_key
from domain.usual_products import UsualNumbers


class MemoryProducts(MemoryRepository[Product]):
    """Products. A product's own GTIN is also one of its codes."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, PRODUCT)
        self._codes = MemoryRepository[ProductCode](data, PRODUCT_CODE)

    def find(self, key: str, value: Hashable) -> Product | None:
        """Return the product with that natural key."""
        return next(iter(self.find_many(key, [value])), None) if key == "gtin" else super().find(key, value)

    def find_many(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Product]:
        """List the products whose key is one of these values, by id.

        A GTIN of 14 digits may also be that of a pack.
        """
        if key != "gtin":
            return super().find_many(key, values, locked=locked)
        codes = self._codes.find_many("code", [(CodeSystem.GTIN, value) for value in values])
        return super().find_many("id", {code.product_id for code in codes})

    def save(self, entity: Product) -> None:
        """Store the changes, and the GTIN among the codes."""
        before = self.get(entity.id)
        super().save(entity)
        if before and before.gtin == entity.gtin:
            return
        if before and before.gtin:
            self._codes.remove_all(
                [code.id for code in self._of(entity.id) if _is_gtin_code(code) and code.key == gtin_key(before.gtin)]
            )
        if entity.gtin:
            code = ProductCode(product_id=entity.id, system=CodeSystem.GTIN, code=gtin_key(entity.gtin))
            if not any(_is_gtin_code(other) and other.key == code.key for other in self._of(entity.id)):
                self._codes.add(code)

    def remove(self, entity: Product) -> None:
        """Delete a product permanently, with all that belongs to it."""
        super().remove(entity)
        for pin in [pin for pin in self._data.favourites if pin[1] == entity.id]:
            del self._data.favourites[pin]
        self._data.product_pictures.pop(entity.id, None)
        self._codes.remove_all([code.id for code in self._of(entity.id)])
        for typed in [typed for typed in self._data.typed_names.values() if typed.product_id == entity.id]:
            del self._data.typed_names[typed.id]

    def _of(self, product_id: int) -> list[ProductCode]:
        return self._codes.find_many("product_id", [product_id])


def _is_gtin_code(code: ProductCode) -> bool:
    return code.system is CodeSystem.GTIN


class MemoryKits(MemoryRepository[Kit]):
    """Kits."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, KIT)

    def owned_by(self, user_id: int) -> list[Kit]:
        """List the user's own active kits, by id."""
        return self.all(lambda kit: kit.active and kit.user_id == user_id)


class MemoryFavourites:
    """Pinned products."""

    def __init__(self, data: MemoryData) -> None:
        self._pins = data.favourites

    def pin(self, user_id: int, product_id: int, at: datetime) -> None:
        """Pin a product; an existing pin keeps its time."""
        self._pins.setdefault((user_id, product_id), at)

    def unpin(self, user_id: int, product_id: int) -> None:
        self._pins.pop((user_id, product_id), None)


class MemoryUsualNumbers:
    """Numbers of usual products."""

    def __init__(self, data: MemoryData) -> None:
        self._numbers = data.usual_numbers

    def lock(self, user_id: int, area_id: int) -> UsualNumbers | None:
        return self._numbers.get((user_id, area_id))

    def save(self, user_id: int, area_id: int, numbers: UsualNumbers) -> None:
        self._numbers[user_id, area_id] = numbers


class MemoryProductPictures:
    """Pictures of products."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data
        self._pictures = data.product_pictures

    def get(self, product_id: int) -> ProductPicture | None:
        return self._pictures.get(product_id)

    def digest(self, product_id: int) -> str | None:
        """Return the digest of a product's picture."""
        picture = self._pictures.get(product_id)
        return picture.digest if picture else None

    def save(self, picture: ProductPicture) -> None:
        """Store a picture, instead of an earlier one."""
        self._pictures[picture.product_id] = picture
        self._data.change_catalogue()

    def remove(self, product_id: int) -> None:
        if self._pictures.pop(product_id, None):
            self._data.change_catalogue()


class MemoryRecalledUses:
    """Uses of recalled lots."""

    def __init__(self, data: MemoryData) -> None:
        self._uses = data.recalled_uses

    def add(self, detail_ids: Sequence[int]) -> None:
        """Note uses as unacknowledged, even if they were acknowledged before."""
        self._uses.update(dict.fromkeys(detail_ids))

    def acknowledge(self, detail_id: int, at: datetime, user_id: int) -> bool:
        """Acknowledge a use; return whether it was waiting for that."""
        if detail_id not in self._uses or self._uses[detail_id] is not None:
            return False
        self._uses[detail_id] = (at, user_id)
        return True
