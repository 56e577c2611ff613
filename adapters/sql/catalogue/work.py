"""Stores and read models of catalogue."""

from adapters.sql.catalogue.areas import AREAS, SqlAreas
from adapters.sql.catalogue.areas import MAPPING as AREAS_MAPPING
from adapters.sql.catalogue.categories import CATEGORIES
from adapters.sql.catalogue.categories import MAPPING as CATEGORIES_MAPPING
from adapters.sql.catalogue.device_catalogue import read_catalogue, read_installation_number
from adapters.sql.catalogue.favourites import SqlFavourites
from adapters.sql.catalogue.kits import SqlKits, SqlKitsView
from adapters.sql.catalogue.nearest import SqlProductsView
from adapters.sql.catalogue.packs import SqlPacks, SqlUnknownCodes
from adapters.sql.catalogue.pictures import SqlProductPictures
from adapters.sql.catalogue.product_codes import SqlProductCodes
from adapters.sql.catalogue.products import SqlProducts, read_plain_names
from adapters.sql.catalogue.recalls import MAPPING as RECALLS_MAPPING
from adapters.sql.catalogue.recalls import RECALLS
from adapters.sql.catalogue.rooms import MAPPING as ROOMS_MAPPING
from adapters.sql.catalogue.rooms import SqlRoomsView
from adapters.sql.catalogue.set_aside import MAPPING as SET_ASIDE_MAPPING
from adapters.sql.catalogue.typed_names import MAPPING as TYPED_NAMES_MAPPING
from adapters.sql.common import work as common
from adapters.sql.common.versions import read_catalogue_version
from adapters.sql.common.work import list_view, on_connection, on_first_use, query, table_store


class Views(common.Views):
    """Read models."""

    products = on_connection(SqlProductsView)
    recalls = list_view(RECALLS)
    packs = on_connection(SqlPacks)
    categories = list_view(CATEGORIES)
    areas = list_view(AREAS)
    rooms = on_connection(SqlRoomsView)
    kits = on_connection(SqlKitsView)
    catalogue_version = query(read_catalogue_version)
    catalogue = query(read_catalogue)
    plain_names = query(read_plain_names)
    installation_number = query(read_installation_number)


class Stores(common.Stores):
    """Stores within a unit of work."""

    areas = on_first_use(lambda work: SqlAreas(work.connection, AREAS_MAPPING, work.change_catalogue))
    categories = table_store(CATEGORIES_MAPPING)
    products = on_first_use(lambda work: SqlProducts(work.connection, work.change_catalogue))
    product_codes = on_first_use(lambda work: SqlProductCodes(work.connection, work.change_catalogue))
    product_pictures = on_first_use(lambda work: SqlProductPictures(work.connection, work.change_catalogue))
    typed_names = table_store(TYPED_NAMES_MAPPING)
    recalls = table_store(RECALLS_MAPPING)
    set_aside = table_store(SET_ASIDE_MAPPING)
    unknown_codes = on_connection(SqlUnknownCodes)
    rooms = table_store(ROOMS_MAPPING)
    kits = on_first_use(lambda work: SqlKits(work.connection, work.change_catalogue))
    favourites = on_connection(SqlFavourites)
