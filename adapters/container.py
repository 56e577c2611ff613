"""The composition root: which adapter satisfies which port. The only place that injects."""

from datetime import UTC, datetime

from dependency_injector import containers, providers

from adapters.passwords import Argon2Passwords
from adapters.settings import Settings
from adapters.sql.store import SqlStore
from adapters.tokens import JwtTokens
from application import views
from application.areas import CreateArea
from application.browse import Browse
from application.categories import CreateCategory
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
from application.use_cases import UseCases
from application.users.assign_profile import AssignProfile
from application.users.register_user import RegisterUser
from domain.policy import Permission

# How many requests a process works on at once; each may hold one connection.
THREADS = 8


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


class Container(containers.DeclarativeContainer):
    """Everything wired together. ``settings`` is given; ``store``, ``passwords`` and ``clock`` may be overridden."""

    settings = providers.Dependency(instance_of=Settings)

    clock = providers.Object(now)
    zone = settings.provided.time_zone
    store = providers.Singleton(SqlStore, settings.provided.database_url, zone, pool_size=THREADS)
    passwords = providers.Singleton(Argon2Passwords)
    tokens = providers.Singleton(JwtTokens, settings.provided.secret_key)

    begin = store.provided.begin
    read = store.provided.read

    use_cases = providers.Singleton(
        UseCases,
        sign_in=providers.Singleton(SignIn, begin, passwords, tokens, clock, settings.provided.tokens_last),
        sign_out=providers.Singleton(SignOut, begin),
        identify=providers.Singleton(Identify, read, tokens, clock),
        read_own_account=providers.Singleton(ReadOwnAccount, read),
        read_own_profile=providers.Singleton(ReadOwnProfile, read),
        complete_profile=providers.Singleton(CompleteProfile, begin, clock, zone),
        register_user=providers.Singleton(RegisterUser, begin, clock, passwords),
        assign_profile=providers.Singleton(AssignProfile, begin, clock),
        open_sheet=providers.Singleton(OpenSheet, begin, clock),
        update_sheet=providers.Singleton(UpdateSheet, begin, clock),
        close_sheet=providers.Singleton(CloseSheet, begin, clock),
        reopen_sheet=providers.Singleton(ReopenSheet, begin, clock),
        delete_sheet=providers.Singleton(DeleteSheet, begin, clock),
        add_detail=providers.Singleton(AddDetail, begin, clock, zone),
        edit_detail=providers.Singleton(EditDetail, begin, clock),
        delete_detail=providers.Singleton(DeleteDetail, begin, clock),
        create_area=providers.Singleton(CreateArea, begin, clock),
        create_category=providers.Singleton(CreateCategory, begin, clock),
        create_product=providers.Singleton(CreateProduct, begin, clock),
        update_product=providers.Singleton(UpdateProduct, begin, clock),
        create_room=providers.Singleton(CreateRoom, begin, clock),
        create_patient=providers.Singleton(CreatePatient, begin, clock, zone),
        create_staff=providers.Singleton(CreateStaff, begin, clock, zone),
        sheets=providers.Singleton(
            Browse, read, Permission.READ_SHEETS, lambda v: v.sheets, views.SHEET_SORTS, views.conceal_sheet
        ),
        details=providers.Singleton(
            Browse, read, Permission.READ_SHEETS, lambda v: v.details, views.DETAIL_SORTS, views.conceal_detail
        ),
        products=providers.Singleton(
            Browse, read, Permission.READ_CATALOGUE, lambda v: v.products, views.PRODUCT_SORTS, views.conceal_product
        ),
        categories=providers.Singleton(
            Browse,
            read,
            Permission.READ_CATALOGUE,
            lambda v: v.categories,
            views.CATEGORY_SORTS,
            views.conceal_category,
        ),
        areas=providers.Singleton(Browse, read, Permission.READ_CATALOGUE, lambda v: v.areas, views.AREA_SORTS),
        rooms=providers.Singleton(Browse, read, Permission.READ_CATALOGUE, lambda v: v.rooms, views.ROOM_SORTS),
        patients=providers.Singleton(Browse, read, Permission.READ_PATIENTS, lambda v: v.patients, views.PATIENT_SORTS),
        staff=providers.Singleton(Browse, read, Permission.MANAGE_STAFF, lambda v: v.staff, views.STAFF_SORTS),
    )
