"""The composition root: which adapter satisfies which port. The only place that injects."""

import functools
from datetime import UTC, datetime

from dependency_injector import containers, providers

from adapters.demo.accounts import PASSWORD as DEMONSTRATION_PASSWORD
from adapters.mail import NoMailer, SmtpMailer
from adapters.observability.metrics import Metrics
from adapters.security.password_judge import ZxcvbnJudge
from adapters.security.passwords import Argon2Passwords
from adapters.security.tokens import JwtTokens
from adapters.settings import Settings
from adapters.spreadsheets.open_table import open_table
from adapters.sql.connections import Limits
from adapters.sql.store import SqlStore
from application import views
from application.access_log import AccessLog, DetailAccess, RoomAccess, SheetAccess
from application.areas import CreateArea, DeleteArea, UpdateArea
from application.browse import Browse
from application.categories import CreateCategory, DeleteCategory, UpdateCategory
from application.imports.import_rows import ImportRows
from application.imports.read_file import ReadFile
from application.imports.undo_import import UndoImport
from application.patients import CreatePatient, DeletePatient, UpdatePatient
from application.products import CreateProduct, DeleteProduct, UpdateProduct
from application.read_audit_log import ReadAccessLog, ReadAuditLog, ReadSheetHistory
from application.read_overview import ReadOverview
from application.report_consumption import ReportConsumption
from application.retry import retried
from application.rooms import CreateRoom, DeleteRoom, UpdateRoom
from application.search_products import SearchProducts
from application.session.change_own_account import ChangeOwnAccount
from application.session.choose_password import ChoosePassword
from application.session.complete_profile import CompleteProfile
from application.session.confirm_password import ConfirmPassword
from application.session.identify import Identify
from application.session.judge_password import JudgePassword
from application.session.note_use import NoteUse
from application.session.own_account import ReadOwnAccount, ReadOwnProfile
from application.session.sessions import EndSessions, ListSessions
from application.session.sign_in import SignIn
from application.session.sign_out import SignOut
from application.sheets.add_detail import AddDetail
from application.sheets.close_sheet import CloseSheet
from application.sheets.delete_detail import DeleteDetail
from application.sheets.delete_sheet import DeleteSheet
from application.sheets.edit_detail import EditDetail
from application.sheets.list_sheet_details import ListSheetDetails
from application.sheets.list_usual_products import ListUsualProducts
from application.sheets.open_sheet import OpenSheet
from application.sheets.print_sheet import PrintSheet
from application.sheets.read_sheet_version import ReadSheetVersion
from application.sheets.read_usual_quantity import ReadUsualQuantity
from application.sheets.reopen_sheet import ReopenSheet
from application.sheets.summarize_sheet import SummarizeSheet
from application.sheets.update_sheet import UpdateSheet
from application.staff import CreateStaff, DeleteStaff, UpdateStaff
from application.use_cases import UseCases
from application.users.assign_profile import AssignProfile
from application.users.browse_users import BrowseUsers
from application.users.delete_user import DeleteUser
from application.users.invite_user import InviteUser
from application.users.password_links import HandOutResetLink, RequestPasswordReset
from application.users.register_user import RegisterUser
from application.users.update_user import UpdateUser
from domain.policy import Permission


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


def mailer_of(smtp_url: str | None) -> SmtpMailer | NoMailer:
    """Who sends the letters."""
    return SmtpMailer(smtp_url) if smtp_url else NoMailer()


def judge_of(letterhead: tuple[str, ...]) -> ZxcvbnJudge:
    """Who judges the passwords that are chosen: not from what the hospital is called, nor that of the demonstration."""
    return ZxcvbnJudge([*letterhead[:1], "Consumo"], told=[DEMONSTRATION_PASSWORD])


class Container(containers.DeclarativeContainer):
    """Everything wired together. ``settings`` is given; ``store``, ``passwords`` and ``clock`` may be overridden."""

    settings = providers.Dependency(instance_of=Settings)

    clock = providers.Object(now)
    zone = settings.provided.time_zone
    limits = providers.Singleton(
        Limits,
        pool_size=settings.provided.pool_size,
        statement_timeout=settings.provided.statement_timeout,
        lock_timeout=settings.provided.lock_timeout,
    )
    metrics = providers.Singleton(Metrics)
    store = providers.Singleton(
        SqlStore,
        settings.provided.database_url,
        zone,
        limits,
        reports_url=settings.provided.reports_database_url,
        tell=metrics.provided.count_event,
    )
    passwords = providers.Singleton(Argon2Passwords)
    judge = providers.Singleton(judge_of, settings.provided.letterhead)
    mailer = providers.Singleton(mailer_of, settings.provided.smtp_url)
    tokens = providers.Singleton(JwtTokens, settings.provided.secret_key, settings.provided.old_secret_key, clock=clock)

    begin = store.provided.begin
    read = store.provided.read
    read_for_reports = store.provided.read_for_reports
    begin_read_only = store.provided.begin_read_only

    access_log = providers.Singleton(AccessLog, begin, clock)
    browse = functools.partial(providers.Singleton, Browse, begin, read, read_for_reports, clock)

    details = browse(
        "consumption_detail",
        Permission.READ_SHEETS,
        lambda v: v.details,
        views.DETAIL_SORTS,
        views.conceal_detail,
        exported=lambda v: v.exported_details,
        access=providers.Singleton(DetailAccess, access_log),
    )

    products = browse(
        "product", Permission.READ_CATALOGUE, lambda v: v.products, views.PRODUCT_SORTS, views.conceal_product
    )

    users = providers.Singleton(
        BrowseUsers, browse("user", Permission.MANAGE_USERS, lambda v: v.users, views.USER_SORTS)
    )

    wired_use_cases = providers.Singleton(
        UseCases,
        sign_in=providers.Singleton(SignIn, begin, passwords, tokens, clock, settings.provided.tokens_last),
        sign_out=providers.Singleton(SignOut, begin, clock),
        confirm_password=providers.Singleton(ConfirmPassword, begin, clock, passwords),
        list_sessions=providers.Singleton(ListSessions, users, read, clock),
        end_sessions=providers.Singleton(EndSessions, begin, clock),
        identify=providers.Singleton(Identify, read, tokens, clock),
        note_use=providers.Singleton(NoteUse, begin, clock, settings.provided.tokens_last),
        read_own_account=providers.Singleton(ReadOwnAccount, read),
        read_own_profile=providers.Singleton(ReadOwnProfile, read),
        complete_profile=providers.Singleton(CompleteProfile, begin, clock, zone),
        register_user=providers.Singleton(RegisterUser, begin, clock, passwords, judge),
        invite_user=providers.Singleton(InviteUser, begin, clock, mailer, settings.provided.public_address),
        update_user=providers.Singleton(UpdateUser, begin, clock, mailer),
        delete_user=providers.Singleton(DeleteUser, begin, clock),
        hand_out_reset_link=providers.Singleton(HandOutResetLink, begin, clock, settings.provided.public_address),
        request_password_reset=providers.Singleton(
            RequestPasswordReset, begin, clock, mailer, settings.provided.public_address
        ),
        choose_password=providers.Singleton(ChoosePassword, begin, clock, passwords, judge, mailer),
        change_own_account=providers.Singleton(ChangeOwnAccount, begin, clock, passwords, judge, mailer),
        judge_password=providers.Singleton(JudgePassword, begin, clock, judge),
        assign_profile=providers.Singleton(AssignProfile, begin, clock),
        open_sheet=providers.Singleton(OpenSheet, begin, clock),
        update_sheet=providers.Singleton(UpdateSheet, begin, clock),
        close_sheet=providers.Singleton(CloseSheet, begin, clock, zone),
        reopen_sheet=providers.Singleton(ReopenSheet, begin, clock),
        delete_sheet=providers.Singleton(DeleteSheet, begin, clock),
        add_detail=providers.Singleton(AddDetail, begin, clock, zone),
        edit_detail=providers.Singleton(EditDetail, begin, clock),
        delete_detail=providers.Singleton(DeleteDetail, begin, clock),
        list_sheet_details=providers.Singleton(ListSheetDetails, read, details),
        list_usual_products=providers.Singleton(ListUsualProducts, read),
        read_usual_quantity=providers.Singleton(ReadUsualQuantity, read),
        summarize_sheet=providers.Singleton(SummarizeSheet, read, access_log),
        print_sheet=providers.Singleton(PrintSheet, begin, read, clock, zone),
        read_sheet_version=providers.Singleton(ReadSheetVersion, read),
        create_area=providers.Singleton(CreateArea, begin, clock),
        update_area=providers.Singleton(UpdateArea, begin, clock),
        delete_area=providers.Singleton(DeleteArea, begin, clock),
        create_category=providers.Singleton(CreateCategory, begin, clock),
        update_category=providers.Singleton(UpdateCategory, begin, clock),
        delete_category=providers.Singleton(DeleteCategory, begin, clock),
        create_product=providers.Singleton(CreateProduct, begin, clock),
        update_product=providers.Singleton(UpdateProduct, begin, clock),
        delete_product=providers.Singleton(DeleteProduct, begin, clock),
        create_room=providers.Singleton(CreateRoom, begin, clock),
        update_room=providers.Singleton(UpdateRoom, begin, clock),
        delete_room=providers.Singleton(DeleteRoom, begin, clock),
        create_patient=providers.Singleton(CreatePatient, begin, clock, zone),
        update_patient=providers.Singleton(UpdatePatient, begin, clock, zone),
        delete_patient=providers.Singleton(DeletePatient, begin, clock),
        create_staff=providers.Singleton(CreateStaff, begin, clock, zone),
        update_staff=providers.Singleton(UpdateStaff, begin, clock, zone),
        delete_staff=providers.Singleton(DeleteStaff, begin, clock),
        read_file=providers.Singleton(
            ReadFile, providers.Object(open_table), begin_read_only, clock, zone, settings.provided.currency
        ),
        import_rows=providers.Singleton(ImportRows, begin, begin_read_only, clock, zone),
        undo_import=providers.Singleton(UndoImport, begin, clock),
        sheets=browse(
            "consumption_sheet",
            Permission.READ_SHEETS,
            lambda v: v.sheets,
            views.SHEET_SORTS,
            views.conceal_sheet,
            access=providers.Singleton(SheetAccess, access_log),
        ),
        details=details,
        products=products,
        search_products=providers.Singleton(SearchProducts, read, products),
        categories=browse(
            "category", Permission.READ_CATALOGUE, lambda v: v.categories, views.CATEGORY_SORTS, views.conceal_category
        ),
        areas=browse("area", Permission.READ_CATALOGUE, lambda v: v.areas, views.AREA_SORTS),
        rooms=browse(
            "room",
            Permission.READ_CATALOGUE,
            lambda v: v.rooms,
            views.ROOM_SORTS,
            access=providers.Singleton(RoomAccess, access_log),
        ),
        patients=browse("patient", Permission.READ_PATIENTS, lambda v: v.patients, views.PATIENT_SORTS, recorded=True),
        staff=browse("staff", Permission.MANAGE_STAFF, lambda v: v.staff, views.STAFF_SORTS),
        users=users,
        audit=providers.Singleton(
            ReadAuditLog, read, browse("audit", Permission.READ_AUDIT_TRAIL, lambda v: v.audit, views.AUDIT_SORTS)
        ),
        imports=browse("import", Permission.IMPORT, lambda v: v.imports, views.IMPORT_SORTS),
        read_sheet_history=providers.Singleton(
            ReadSheetHistory, read, browse("audit", Permission.READ_SHEET_HISTORY, lambda v: v.audit, views.AUDIT_SORTS)
        ),
        read_access_log=providers.Singleton(
            ReadAccessLog, read, browse("audit", Permission.READ_READERS, lambda v: v.audit, views.AUDIT_SORTS)
        ),
        read_overview=providers.Singleton(ReadOverview, read, clock, zone, access_log),
        report_consumption=providers.Singleton(ReportConsumption, begin, read_for_reports, clock, zone),
    )
    use_cases = providers.Singleton(retried, wired_use_cases)
