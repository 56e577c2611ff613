"""Pictures of products."""

from collections.abc import Callable
from dataclasses import asdict

from sqlalchemy import Connection, bindparam, select

from adapters.sql.catalogue.tables import product_pictures
from domain.catalogue.picture import ProductPicture

_OF_PRODUCT = product_pictures.c.product_id == bindparam("of_product")
_ONE = select(product_pictures).where(_OF_PRODUCT)
_DIGEST = select(product_pictures.c.digest).where(_OF_PRODUCT)
_ADD = product_pictures.insert()
_REMOVE = product_pictures.delete().where(_OF_PRODUCT)


class SqlProductPictures:
    """Pictures within a unit of work.

    ``change_catalogue`` is called after changes: devices store which products have a picture.
    """

    def __init__(self, connection: Connection, change_catalogue: Callable[[], None]) -> None:
        self._connection = connection
        self._change_catalogue = change_catalogue

    def get(self, product_id: int) -> ProductPicture | None:
        """Return the picture of a product."""
        row = self._connection.execute(_ONE, {"of_product": product_id}).one_or_none()
        return None if row is None else ProductPicture(**row._mapping)

    def digest(self, product_id: int) -> str | None:
        """Return the digest of a product's picture."""
        return self._connection.execute(_DIGEST, {"of_product": product_id}).scalar_one_or_none()

    def save(self, picture: ProductPicture) -> None:
        """Store a picture, instead of an earlier one. The product is locked."""
        self._connection.execute(_REMOVE, {"of_product": picture.product_id})
        self._connection.execute(_ADD, asdict(picture))
        self._change_catalogue()

    def remove(self, product_id: int) -> None:
        """Delete the picture of a product."""
        self._connection.execute(_REMOVE, {"of_product": product_id})
        self._change_catalogue()
