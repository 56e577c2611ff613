"""The container of all use cases, with their dependencies.

The web, the command line, imports and tests call the use cases through it.
"""

from dataclasses import dataclass, field
from typing import Any

from application.access_log import DetailAccess, PatientDetailAccess, RoomAccess, SheetAccess
from application.areas import CreateArea, DeleteArea, UpdateArea
from application.categories import CreateCategory, DeleteCategory, UpdateCategory
from application.check_consistency import CheckConsistency
from application.entities import (
    AREA,
    CATEGORY,
    DETAIL,
    IMPORT,
    OUTBOUND_MESSAGE,
    PATIENT,
    PRODUCT,
    RECALL,
    ROOM,
    SHEET,
    STAFF,
    EntityKind,
)
from application.favourites import PinProduct, UnpinProduct
from application.imports.import_rows import ImportRows
from application.imports.read_file import ReadFile
from application.imports.undo_import import UndoImport
from application.inbound_messages.held_messages import (
    AssignMessagePatient,
    AssignMessageRoom,
    DismissInboundMessage,
    RetryInboundMessage,
)
from application.inbound_messages.read_messages import ListInboundMessages, ReadInboundMessage
from application.inbound_messages.receive_message import ReceiveMessage, ReprocessHeldMessages
from application.kits import BrowseKits, CreateKit, DeleteKit, UpdateKit
from application.list_reader import ListReader
from application.look_up_product import IgnoreUnknownCode, ListUnknownCodes, LookUpProduct
from application.merge_patients import MergePatients, PreviewMerge, UnmergePatients
from application.outbound_messages import (
    ClaimDueMessage,
    MarkOutboundMessageSent,
    ReadOutboundMessage,
    RecordDelivery,
    RetryOutboundMessage,
)
from application.paging import ListQuery
from application.patients import CreatePatient, DeletePatient, UpdatePatient
from application.price_history import ReadPriceHistory
from application.product_codes import AddProductCode, ListProductCodes, RemoveProductCode
from application.products import CreateProduct, DeleteProduct, UpdateProduct
from application.read_audit_log import ReadAccessLog, ReadAuditLog, ReadSheetHistory
from application.read_catalogue import ReadCatalogue
from application.read_for_fhir import FindPatientsByNumber, ReadClosingRecords, ReadLastChanges
from application.read_overview import ReadOverview
from application.recalls import AcknowledgeRecalledUse, ListRecalledDetails, OpenRecall, UpdateRecall
from application.report_consumption import ReportConsumption
from application.rooms import CreateRoom, DeleteRoom, UpdateRoom, conceal_patients
from application.search_people import SearchPatients, SearchSheets
from application.search_products import SearchProducts
from application.service_accounts import (
    CreateApiKey,
    CreateServiceAccount,
    DeleteServiceAccount,
    EnsureReceiverAccount,
    ListServiceAccounts,
    RevokeKey,
    UpdateServiceAccount,
)
from application.session.change_own_account import ChangeOwnAccount
from application.session.choose_password import ChoosePassword
from application.session.complete_profile import CompleteProfile
from application.session.confirm_password import ConfirmPassword
from application.session.identify import Identify
from application.session.judge_password import CheckPasswordStrength
from application.session.note_use import TouchApiKey, TouchSession
from application.session.own_account import ReadOwnAccount, ReadOwnProfile
from application.session.sessions import EndSessions, ListSessions
from application.session.sign_in import SignIn
from application.session.sign_out import SignOut
from application.sheets.add_detail import AddDetail
from application.sheets.close_sheet import CloseSheet
from application.sheets.closings import BackfillClosings, ListClosings, ReadClosing
from application.sheets.correct_detail import CorrectDetail
from application.sheets.delete_detail import DeleteDetail
from application.sheets.delete_sheet import DeleteSheet
from application.sheets.edit_detail import EditDetail
from application.sheets.late_entries import DismissLateEntry, ListLateEntries, RecordLateEntry, SubmitLateEntry
from application.sheets.list_repeatable import ListRepeatable
from application.sheets.list_sheet_details import ListSheetDetails
from application.sheets.list_usual_products import ListUsualProducts
from application.sheets.move_details import MoveDetails
from application.sheets.open_sheet import OpenSheet
from application.sheets.print_sheet import PrintSheet
from application.sheets.read_sheet_version import ReadSheetVersion
from application.sheets.read_usual_quantity import ReadUsualQuantity
from application.sheets.record_details import RecordDetails
from application.sheets.reopen_sheet import ReopenSheet
from application.sheets.return_detail import ReturnDetail
from application.sheets.summarize_sheet import SummarizeSheet
from application.sheets.transfer_patient import TransferPatient, UndoTransfer
from application.sheets.unlisted_items import (
    DiscardUnlistedItem,
    ListUnlistedItems,
    NoteUnlistedItem,
    ResolveUnlistedItem,
    WithdrawUnlistedItem,
)
from application.sheets.update_sheet import UpdateSheet
from application.sheets.void_details import VoidDetails
from application.staff import CreateStaff, DeleteStaff, UpdateStaff
from application.typed_names import AddTypedName, DismissTypedName, ListTypedNames, NoteTypedName
from application.users.assign_profile import AssignProfile
from application.users.browse_users import BrowseUsers
from application.users.delete_user import DeleteUser
from application.users.invite_user import InviteUser
from application.users.password_links import CreateResetLink, RequestPasswordReset
from application.users.register_user import RegisterUser
from application.users.update_user import UpdateUser
from application.views import (
    AREA_SORTS,
    CATEGORY_SORTS,
    DETAIL_SORTS,
    IMPORT_SORTS,
    OUTBOUND_MESSAGE_SORTS,
    PATIENT_SORTS,
    PRODUCT_SORTS,
    RECALL_SORTS,
    ROOM_SORTS,
    SHEET_SORTS,
    STAFF_SORTS,
    AreaView,
    CategoryView,
    DetailQuery,
    DetailView,
    ExportedDetailView,
    ImportView,
    OutboundMessageQuery,
    OutboundMessageView,
    PatientQuery,
    PatientView,
    ProductQuery,
    ProductView,
    RecallQuery,
    RecallView,
    RoomQuery,
    RoomView,
    SheetQuery,
    SheetView,
    StaffQuery,
    StaffView,
)
from domain.policy import Permission


def lists(
    kind: EntityKind, item_type: type, permission: Permission, sorts: frozenset[str], **options: Any
) -> dict[str, Any]:
    """Return the options of a ``ListReader``; the container adds the rest."""
    own = {"entity": kind.name, "item_type": item_type, "permission": permission, "sorts": sorts}
    return {"view": kind.store_of, **own, **options}


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCases:
    """Every use case, wired to its adapters.

    They hold no state and are shared.
    """

    sign_in: SignIn
    sign_out: SignOut
    confirm_password: ConfirmPassword
    list_sessions: ListSessions
    end_sessions: EndSessions
    identify: Identify
    note_use: TouchSession
    note_key_use: TouchApiKey
    read_own_account: ReadOwnAccount
    read_own_profile: ReadOwnProfile
    complete_profile: CompleteProfile
    register_user: RegisterUser
    invite_user: InviteUser
    assign_profile: AssignProfile
    update_user: UpdateUser
    delete_user: DeleteUser
    hand_out_reset_link: CreateResetLink
    request_password_reset: RequestPasswordReset
    choose_password: ChoosePassword
    change_own_account: ChangeOwnAccount
    judge_password: CheckPasswordStrength

    list_service_accounts: ListServiceAccounts
    create_service_account: CreateServiceAccount
    update_service_account: UpdateServiceAccount
    delete_service_account: DeleteServiceAccount
    create_key: CreateApiKey
    revoke_key: RevokeKey

    open_sheet: OpenSheet
    update_sheet: UpdateSheet
    close_sheet: CloseSheet
    reopen_sheet: ReopenSheet
    transfer_patient: TransferPatient
    undo_transfer: UndoTransfer
    delete_sheet: DeleteSheet
    add_detail: AddDetail
    record_details: RecordDetails
    edit_detail: EditDetail
    correct_detail: CorrectDetail
    delete_detail: DeleteDetail
    void_details: VoidDetails
    move_details: MoveDetails
    return_detail: ReturnDetail
    keep_late_entry: SubmitLateEntry
    list_late_entries: ListLateEntries
    dismiss_late_entry: DismissLateEntry
    record_late_entry: RecordLateEntry
    note_unlisted_item: NoteUnlistedItem
    list_unlisted_items: ListUnlistedItems
    resolve_unlisted_item: ResolveUnlistedItem
    discard_unlisted_item: DiscardUnlistedItem
    withdraw_unlisted_item: WithdrawUnlistedItem
    list_sheet_details: ListSheetDetails
    list_usual_products: ListUsualProducts
    list_repeatable: ListRepeatable
    read_usual_quantity: ReadUsualQuantity
    summarize_sheet: SummarizeSheet
    read_sheet_version: ReadSheetVersion
    print_sheet: PrintSheet
    list_closings: ListClosings
    read_closing: ReadClosing
    backfill_closings: BackfillClosings
    read_closing_records: ReadClosingRecords
    find_patients_by_number: FindPatientsByNumber
    read_last_changes: ReadLastChanges

    claim_due_message: ClaimDueMessage
    record_delivery: RecordDelivery
    read_outbound_message: ReadOutboundMessage
    retry_outbound_message: RetryOutboundMessage
    settle_outbound_message: MarkOutboundMessageSent

    create_area: CreateArea
    update_area: UpdateArea
    delete_area: DeleteArea
    create_category: CreateCategory
    update_category: UpdateCategory
    delete_category: DeleteCategory
    create_product: CreateProduct
    update_product: UpdateProduct
    delete_product: DeleteProduct
    look_up_product: LookUpProduct
    list_unknown_codes: ListUnknownCodes
    ignore_unknown_code: IgnoreUnknownCode
    open_recall: OpenRecall
    update_recall: UpdateRecall
    see_recalled_use: AcknowledgeRecalledUse
    read_price_history: ReadPriceHistory
    list_product_codes: ListProductCodes
    add_product_code: AddProductCode
    remove_product_code: RemoveProductCode
    note_typed_name: NoteTypedName
    list_typed_names: ListTypedNames
    add_typed_name: AddTypedName
    dismiss_typed_name: DismissTypedName
    create_room: CreateRoom
    update_room: UpdateRoom
    delete_room: DeleteRoom
    create_patient: CreatePatient
    update_patient: UpdatePatient
    delete_patient: DeletePatient
    preview_merge: PreviewMerge
    merge_patients: MergePatients
    unmerge_patients: UnmergePatients
    create_staff: CreateStaff
    update_staff: UpdateStaff
    delete_staff: DeleteStaff

    read_catalogue: ReadCatalogue
    pin_product: PinProduct
    unpin_product: UnpinProduct
    create_kit: CreateKit
    update_kit: UpdateKit
    delete_kit: DeleteKit
    kits: BrowseKits

    ensure_receiver_account: EnsureReceiverAccount
    receive_message: ReceiveMessage
    reprocess_held_messages: ReprocessHeldMessages
    list_inbound_messages: ListInboundMessages
    read_inbound_message: ReadInboundMessage
    retry_inbound_message: RetryInboundMessage
    dismiss_inbound_message: DismissInboundMessage
    answer_room_of_message: AssignMessageRoom
    answer_patient_of_message: AssignMessagePatient

    read_file: ReadFile
    import_rows: ImportRows
    undo_import: UndoImport

    sheets: ListReader[SheetView, SheetQuery] = field(
        metadata=lists(SHEET, SheetView, Permission.READ_SHEETS, SHEET_SORTS, access=SheetAccess)
    )
    details: ListReader[DetailView, DetailQuery] = field(
        metadata=lists(
            DETAIL,
            ExportedDetailView,
            Permission.READ_SHEETS,
            DETAIL_SORTS,
            access=DetailAccess,
            exported=lambda views: views.exported_details,
        )
    )
    details_with_patients: ListReader[ExportedDetailView, DetailQuery] = field(
        metadata=lists(
            DETAIL,
            ExportedDetailView,
            Permission.READ_SHEETS,
            DETAIL_SORTS,
            access=PatientDetailAccess,
            view=lambda views: views.exported_details,
        )
    )
    products: ListReader[ProductView, ProductQuery] = field(
        metadata=lists(PRODUCT, ProductView, Permission.READ_CATALOGUE, PRODUCT_SORTS)
    )
    recalls: ListReader[RecallView, RecallQuery] = field(
        metadata=lists(RECALL, RecallView, Permission.MANAGE_RECALLS, RECALL_SORTS)
    )
    recalled_details: ListRecalledDetails
    search_products: SearchProducts
    search_sheets: SearchSheets
    search_patients: SearchPatients
    categories: ListReader[CategoryView, ListQuery] = field(
        metadata=lists(CATEGORY, CategoryView, Permission.READ_CATALOGUE, CATEGORY_SORTS)
    )
    areas: ListReader[AreaView, ListQuery] = field(
        metadata=lists(AREA, AreaView, Permission.READ_CATALOGUE, AREA_SORTS)
    )
    rooms: ListReader[RoomView, RoomQuery] = field(
        metadata=lists(
            ROOM, RoomView, Permission.READ_CATALOGUE, ROOM_SORTS, access=RoomAccess, conceal=conceal_patients
        )
    )
    patients: ListReader[PatientView, PatientQuery] = field(
        metadata=lists(PATIENT, PatientView, Permission.READ_PATIENTS, PATIENT_SORTS, recorded=True)
    )
    staff: ListReader[StaffView, StaffQuery] = field(
        metadata=lists(STAFF, StaffView, Permission.MANAGE_STAFF, STAFF_SORTS)
    )
    # Staff by name only, for the FHIR API, which refers to them.
    practitioners: ListReader[StaffView, StaffQuery] = field(
        metadata=lists(STAFF, StaffView, Permission.READ_FHIR, STAFF_SORTS)
    )
    users: BrowseUsers
    audit: ReadAuditLog
    imports: ListReader[ImportView, ListQuery] = field(
        metadata=lists(IMPORT, ImportView, Permission.IMPORT, IMPORT_SORTS)
    )
    outbound_messages: ListReader[OutboundMessageView, OutboundMessageQuery] = field(
        metadata=lists(OUTBOUND_MESSAGE, OutboundMessageView, Permission.READ_MESSAGES, OUTBOUND_MESSAGE_SORTS)
    )
    read_sheet_history: ReadSheetHistory
    read_access_log: ReadAccessLog
    read_overview: ReadOverview
    check_consistency: CheckConsistency
    report_consumption: ReportConsumption
