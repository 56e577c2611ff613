"""Pinned products."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, text

from adapters.sql.catalogue.tables import favourites
from adapters.sql.engine.columns import Moment

_PIN = text(
    "INSERT INTO favourites (user_id, product_id, at) VALUES (:user_id, :product_id, :at) ON CONFLICT DO NOTHING"
).bindparams(bindparam("at", type_=Moment()))
_UNPIN = favourites.delete().where(
    favourites.c.user_id == bindparam("of_user"), favourites.c.product_id == bindparam("of_product")
)


class SqlFavourites:
    """Pins within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def pin(self, user_id: int, product_id: int, at: datetime) -> None:
        """Pin a product. An existing pin keeps its time."""
        self._connection.execute(_PIN, {"user_id": user_id, "product_id": product_id, "at": at})

    def unpin(self, user_id: int, product_id: int) -> None:
        """Unpin a product."""
        self._connection.execute(_UNPIN, {"of_user": user_id, "of_product": product_id})
