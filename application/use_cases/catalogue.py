"""Use cases of the catalogue and of people, by group."""

from dataclasses import dataclass

from application.catalogue.areas import CreateArea, DeleteArea, ListAreas, UpdateArea
from application.catalogue.categories import CreateCategory, DeleteCategory, ListCategories, UpdateCategory
from application.catalogue.favourites import PinProduct, UnpinProduct
from application.catalogue.kits import BrowseKits, CreateKit, DeleteKit, UpdateKit
from application.catalogue.pictures import ReadPicture, RemovePicture, SetPicture
from application.catalogue.price_history import ReadPriceHistory
from application.catalogue.product_codes import AddProductCode, ListProductCodes, RemoveProductCode
from application.catalogue.products import CreateProduct, DeleteProduct, ListProducts, UpdateProduct
from application.catalogue.read_catalogue import ReadCatalogue
from application.catalogue.review_kit import ReviewKit
from application.catalogue.room_ranges import CheckRoomRanges, CreateRoomRanges
from application.catalogue.rooms import CreateRoom, DeleteRoom, ListRooms, UpdateRoom
from application.catalogue.search_products import SearchProducts
from application.catalogue.typed_names import AddTypedName, DismissTypedName, ListTypedNames, NoteTypedName
from application.catalogue.typed_products import ListTypedProducts
from application.labels.print_labels import PrintLabels
from application.people.identify_patient import IdentifyPatient
from application.people.merge_patients import MergePatients, PreviewMerge, UnmergePatients
from application.people.patients import CreatePatient, DeletePatient, ListPatients, UpdatePatient
from application.people.staff import CreateStaff, DeleteStaff, ListStaff, UpdateStaff
from application.restock.restock_lists import (
    CloseRestockList,
    ListClosedRestock,
    ListShelves,
    PutBackProduct,
    ReadRestock,
    ReadRestockDocument,
    SetShelf,
    UndoPutBack,
)
from application.scanning.look_up_product import IgnoreUnknownCode, ListUnknownCodes, LookUpProduct
from application.sheets.lines.read_usual_quantity import ReadUsualQuantity
from application.ward.search_people import SearchPatients


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaUseCases:
    reader: ListAreas
    create: CreateArea
    update: UpdateArea
    delete: DeleteArea


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryUseCases:
    reader: ListCategories
    create: CreateCategory
    update: UpdateCategory
    delete: DeleteCategory


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomUseCases:
    reader: ListRooms
    create: CreateRoom
    update: UpdateRoom
    delete: DeleteRoom
    check_ranges: CheckRoomRanges
    create_ranges: CreateRoomRanges


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffUseCases:
    reader: ListStaff
    create: CreateStaff
    update: UpdateStaff
    delete: DeleteStaff


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductUseCases:
    reader: ListProducts
    search: SearchProducts
    create: CreateProduct
    update: UpdateProduct
    delete: DeleteProduct
    look_up: LookUpProduct
    list_typed: ListTypedProducts
    read_price_history: ReadPriceHistory
    read_usual_quantity: ReadUsualQuantity
    list_codes: ListProductCodes
    add_code: AddProductCode
    remove_code: RemoveProductCode
    list_unknown_codes: ListUnknownCodes
    ignore_unknown_code: IgnoreUnknownCode
    read_catalogue: ReadCatalogue
    pin: PinProduct
    unpin: UnpinProduct
    read_picture: ReadPicture
    set_picture: SetPicture
    remove_picture: RemovePicture


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedNameUseCases:
    note: NoteTypedName
    list: ListTypedNames
    add: AddTypedName
    dismiss: DismissTypedName


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelUseCases:
    print: PrintLabels


@dataclass(frozen=True, slots=True, kw_only=True)
class RestockUseCases:
    read: ReadRestock
    put_back: PutBackProduct
    undo_put_back: UndoPutBack
    close: CloseRestockList
    list_closed: ListClosedRestock
    read_document: ReadRestockDocument
    list_shelves: ListShelves
    set_shelf: SetShelf


@dataclass(frozen=True, slots=True, kw_only=True)
class KitUseCases:
    reader: BrowseKits
    create: CreateKit
    update: UpdateKit
    delete: DeleteKit
    review: ReviewKit


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientUseCases:
    reader: ListPatients
    search: SearchPatients
    create: CreatePatient
    update: UpdatePatient
    delete: DeletePatient
    preview_merge: PreviewMerge
    merge: MergePatients
    unmerge: UnmergePatients
    identify: IdentifyPatient


@dataclass(frozen=True, kw_only=True)
class CatalogueGroups:
    areas: AreaUseCases
    categories: CategoryUseCases
    rooms: RoomUseCases
    staff: StaffUseCases
    products: ProductUseCases
    typed_names: TypedNameUseCases
    labels: LabelUseCases
    restock: RestockUseCases
    kits: KitUseCases
    patients: PatientUseCases
