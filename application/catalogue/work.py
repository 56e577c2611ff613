"""What the use cases of catalogue read and change."""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from typing import Protocol

from application.catalogue.device_views import CatalogueView
from application.catalogue.ports import KitsReader, Packs, PriceChange, ProductsReader
from application.catalogue.stores import Favourites, Kits, ProductPictures
from application.catalogue.views import (
    AreaView,
    CategoryView,
    RecallQuery,
    RecallView,
    RoomQuery,
    RoomView,
)
from application.common.paging import ListQuery
from application.common.stores import Store
from application.common.views import View
from application.people import work as below
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.product import Category, Product, ProductCode
from domain.catalogue.recall import Recall, SetAside
from domain.catalogue.typed_name import TypedName


class Views(below.Views, Protocol):
    """Everything that they read."""

    @property
    def areas(self) -> View[AreaView, ListQuery]: ...
    @property
    def categories(self) -> View[CategoryView, ListQuery]: ...
    @property
    def products(self) -> ProductsReader: ...
    @property
    def rooms(self) -> View[RoomView, RoomQuery]: ...
    @property
    def recalls(self) -> View[RecallView, RecallQuery]: ...
    @property
    def kits(self) -> KitsReader: ...
    @property
    def packs(self) -> Packs: ...
    def catalogue(self) -> CatalogueView:
        """Return the current catalogue."""

    def catalogue_version(self) -> int:
        """Return the version of the catalogue.

        It grows with every change to a product, its codes, a kit or an area.
        """

    def plain_names(self, product_ids: Collection[int]) -> dict[int, str]:
        """Return the plain names of those products that have one."""

    def price_changes(self, product_id: int, *, most: int) -> list[PriceChange]:
        """Return the price changes in the audit log, the latest first."""


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def areas(self) -> Store[Area]: ...
    @property
    def categories(self) -> Store[Category]: ...
    @property
    def products(self) -> Store[Product]: ...
    @property
    def product_codes(self) -> Store[ProductCode]: ...
    @property
    def product_pictures(self) -> ProductPictures: ...
    @property
    def typed_names(self) -> Store[TypedName]: ...
    @property
    def recalls(self) -> Store[Recall]: ...
    @property
    def set_aside(self) -> Store[SetAside]: ...
    @property
    def kits(self) -> Kits: ...
    @property
    def favourites(self) -> Favourites: ...
    @property
    def users(self) -> Store[User]: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
BeginReadOnly = Begin
Read = Callable[[], AbstractContextManager[Views]]
