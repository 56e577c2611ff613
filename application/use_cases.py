"""All that people do with Consumo, ready to be called: by the web, by the command line, by imports and by tests."""

from dataclasses import dataclass

from application.areas import CreateArea
from application.browse import Browse
from application.categories import CreateCategory
from application.paging import ListQuery
from application.patients import CreatePatient
from application.products import CreateProduct, UpdateProduct
from application.rooms import CreateRoom
from application.session.complete_profile import CompleteProfile
from application.session.identify import Identify
from application.session.own_account import ReadOwnAccount, ReadOwnProfile
from application.session.sign_in import SignIn
from application.session.sign_out import SignOut
from application.sheets.add_detail import AddDetail
from application.sheets.close_sheet import CloseSheet
from application.sheets.delete_detail import DeleteDetail
from application.sheets.delete_sheet import DeleteSheet
from application.sheets.edit_detail import EditDetail
from application.sheets.open_sheet import OpenSheet
from application.sheets.reopen_sheet import ReopenSheet
from application.sheets.update_sheet import UpdateSheet
from application.staff import CreateStaff
from application.users.assign_profile import AssignProfile
from application.users.register_user import RegisterUser
from application.views import (
    AreaView,
    CategoryView,
    DetailQuery,
    DetailView,
    PatientQuery,
    PatientView,
    ProductQuery,
    ProductView,
    RoomQuery,
    RoomView,
    SheetQuery,
    SheetView,
    StaffQuery,
    StaffView,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCases:
    """Every use case, wired to its adapters. They hold no state and are shared."""

    sign_in: SignIn
    sign_out: SignOut
    identify: Identify
    read_own_account: ReadOwnAccount
    read_own_profile: ReadOwnProfile
    complete_profile: CompleteProfile
    register_user: RegisterUser
    assign_profile: AssignProfile

    open_sheet: OpenSheet
    update_sheet: UpdateSheet
    close_sheet: CloseSheet
    reopen_sheet: ReopenSheet
    delete_sheet: DeleteSheet
    add_detail: AddDetail
    edit_detail: EditDetail
    delete_detail: DeleteDetail

    create_area: CreateArea
    create_category: CreateCategory
    create_product: CreateProduct
    update_product: UpdateProduct
    create_room: CreateRoom
    create_patient: CreatePatient
    create_staff: CreateStaff

    sheets: Browse[SheetView, SheetQuery]
    details: Browse[DetailView, DetailQuery]
    products: Browse[ProductView, ProductQuery]
    categories: Browse[CategoryView, ListQuery]
    areas: Browse[AreaView, ListQuery]
    rooms: Browse[RoomView, RoomQuery]
    patients: Browse[PatientView, PatientQuery]
    staff: Browse[StaffView, StaffQuery]
