"""Products, codes, pictures, kits, categories, areas and rooms."""

from adapters.http.controllers.catalogue import (
    areas,
    categories,
    device_catalogue,
    kits,
    pictures,
    products,
    rooms,
    typed_names,
)

ROUTES = (
    areas.AreaController,
    device_catalogue.CatalogueController,
    categories.CategoryController,
    products.ProductController,
    products.ProductUseController,
    pictures.PictureController,
    products.UnknownCodeController,
    products.ProductCodeController,
    typed_names.ProductTypedNameController,
    typed_names.TypedNameController,
    kits.KitController,
    rooms.RoomController,
    rooms.RoomRangesController,
)
