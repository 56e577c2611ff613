"""Stores of entities, including the audit log and imports."""

from collections.abc import Hashable
from datetime import datetime
from typing import Protocol

from domain.catalogue.kit import Kit
from domain.catalogue.picture import ProductPicture


class Kits(Protocol):
    """Stores kits with their lines."""

    def get(self, id: int) -> Kit | None: ...

    def lock(self, id: int) -> Kit | None:
        """Return the kit, locked until this unit of work ends."""

    def find(self, key: str, value: Hashable) -> Kit | None:
        """Return the kit with that unique key (``application.common.entities``)."""

    def add(self, kit: Kit) -> None:
        """Store a new kit and set its ``id``."""

    def save(self, kit: Kit) -> None: ...

    def remove(self, kit: Kit) -> None:
        """Delete the kit. Raise ``Refused`` (in_use) if details refer to it."""

    def reference_count(self, id: int) -> int:
        """Return how many details refer to the kit."""

    def owned_by(self, user_id: int) -> list[Kit]:
        """Return a user's own active kits, by id."""


class Favourites(Protocol):
    """The products that users pinned."""

    def pin(self, user_id: int, product_id: int, at: datetime) -> None:
        """Pin a product for a user, unless it is pinned already."""

    def unpin(self, user_id: int, product_id: int) -> None: ...


class ProductPictures(Protocol):
    """Pictures of products, at most one of each."""

    def get(self, product_id: int) -> ProductPicture | None: ...

    def digest(self, product_id: int) -> str | None:
        """Return the digest of a product's picture."""

    def save(self, picture: ProductPicture) -> None:
        """Store a picture, instead of an earlier one. The product is locked."""

    def remove(self, product_id: int) -> None: ...
