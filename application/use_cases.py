"""The container of all use cases, with their dependencies.

The web, the command line, imports and tests call the use cases through it.
"""

from dataclasses import dataclass

from application.accounts.sessions.browse_users import BrowseUsers
from application.accounts.sessions.device_proof import BindDevice, MakeNonce
from application.accounts.sessions.identify import Identify
from application.accounts.sessions.lock_session import LockSession
from application.accounts.sessions.note_use import TouchApiKey, TouchSession
from application.accounts.sessions.service_accounts import (
    CreateApiKey,
    CreateServiceAccount,
    DeleteServiceAccount,
    EnsureReceiverAccount,
    ListServiceAccounts,
    ReadOwnKey,
    RevokeKey,
    UpdateServiceAccount,
)
from application.accounts.sessions.sessions import EndDeviceSessions, EndSessions, ListSessions
from application.accounts.sessions.sign_out import SignOut
from application.accounts.sign_in.badges import AddBadge, FindBadge, ListBadges, RemoveBadge
from application.accounts.sign_in.begin_oidc_sign_in import BeginOidcSignIn
from application.accounts.sign_in.end_at_provider import EndSessionsByProvider, ReadLogoutUrl
from application.accounts.sign_in.finish_oidc_sign_in import FinishOidcSignIn
from application.accounts.sign_in.link_oidc import BeginLinkingOidc, LinkOidc
from application.accounts.sign_in.manage_passkeys import ListPasskeys, RemovePasskey, RenamePasskey
from application.accounts.sign_in.passkey_links import HandOutPasskeyLink
from application.accounts.sign_in.pins import RemovePin, SetPin
from application.accounts.sign_in.register_passkey import BeginPasskeyRegistration, RegisterPasskey
from application.accounts.sign_in.second_factor import GiveSecondFactor
from application.accounts.sign_in.sign_in import SignIn
from application.accounts.sign_in.sign_in_with_passkey import BeginPasskeySignIn, SignInWithPasskey
from application.accounts.sign_in.unlink_oidc import UnlinkOidc
from application.accounts.sign_in.unlock_session import UnlockSession
from application.accounts.sign_in.unlock_with_passkey import BeginPasskeyUnlock
from application.accounts.users.assign_profile import AssignProfile
from application.accounts.users.change_own_account import ChangeOwnAccount
from application.accounts.users.choose_own_ward import ChooseOwnWard
from application.accounts.users.choose_password import ChoosePassword
from application.accounts.users.complete_profile import CompleteProfile
from application.accounts.users.delete_user import DeleteUser
from application.accounts.users.first_administrator import CheckSetup, CreateFirstAdministrator, CreateSetupLink
from application.accounts.users.imported_links import CreateImportedLinks
from application.accounts.users.invite_user import InviteUser
from application.accounts.users.judge_password import CheckPasswordStrength
from application.accounts.users.own_account import ReadOwnAccount, ReadOwnProfile
from application.accounts.users.password_links import CreateResetLink, RequestPasswordReset
from application.accounts.users.read_link import ReadPasswordLink
from application.accounts.users.register_user import RegisterUser
from application.accounts.users.update_user import UpdateUser
from application.billing.outbound_messages import (
    ClaimDueMessage,
    ListOutboundMessages,
    MarkOutboundMessageSent,
    ReadOutboundMessage,
    RecordDelivery,
    RetryOutboundMessage,
)
from application.catalogue.areas import CreateArea, DeleteArea, ListAreas, UpdateArea
from application.catalogue.categories import CreateCategory, DeleteCategory, ListCategories, UpdateCategory
from application.catalogue.favourites import PinProduct, UnpinProduct
from application.catalogue.kits import BrowseKits, CreateKit, DeleteKit, UpdateKit
from application.catalogue.pictures import ReadPicture, RemovePicture, SetPicture
from application.catalogue.price_history import ReadPriceHistory
from application.catalogue.product_codes import AddProductCode, ListProductCodes, RemoveProductCode
from application.catalogue.products import CreateProduct, DeleteProduct, ListProducts, UpdateProduct
from application.catalogue.read_catalogue import ReadCatalogue
from application.catalogue.room_ranges import CheckRoomRanges, CreateRoomRanges
from application.catalogue.rooms import CreateRoom, DeleteRoom, ListRooms, UpdateRoom
from application.catalogue.search_products import SearchProducts
from application.catalogue.set_aside import ListSetAside, SetAsideRecalled
from application.catalogue.typed_names import AddTypedName, DismissTypedName, ListTypedNames, NoteTypedName
from application.catalogue.typed_products import ListTypedProducts
from application.closing.close_sheet import CloseSheet
from application.closing.delete_sheet import DeleteSheet
from application.closing.reopen_sheet import ReopenSheet
from application.closing.undo_closing import UndoClosing
from application.forms.check_paper import CheckPaper, FindPrintouts
from application.forms.contingency_forms import DiscardForm, ListForms, ReadForm, RecordForm
from application.forms.print_forms import PrintForms
from application.history.read_audit_log import ReadAccessLog, ReadAuditLog, ReadSheetHistory
from application.hospital.settings import (
    ChangeHospitalSettings,
    PreviewHospitalSettings,
    ReadHospitalSettings,
    RemoveHospitalLogo,
    SetHospitalLogo,
)
from application.imports.import_rows import ImportRows
from application.imports.list_imports import ListImports
from application.imports.read_file import ReadFile
from application.imports.undo_import import UndoImport
from application.inbound.held_messages import (
    AssignMessagePatient,
    AssignMessageRoom,
    AssignMessageSheet,
    DismissInboundMessage,
    OpenSheetWithMessage,
    RetryInboundMessage,
)
from application.inbound.read_messages import ListInboundMessages, ReadInboundMessage
from application.inbound.receive_message import ReceiveMessage, ReprocessHeldMessages
from application.inbound.receiver_settings import CheckReceiverSettings, RecordReceiverSettings
from application.inbound.refused_messages import NoteRefusedMessage
from application.labels.print_labels import PrintLabels
from application.people.identify_patient import IdentifyPatient
from application.people.merge_patients import MergePatients, PreviewMerge, UnmergePatients
from application.people.patients import CreatePatient, DeletePatient, ListPatients, UpdatePatient
from application.people.staff import CreateStaff, DeleteStaff, ListPractitioners, ListStaff, UpdateStaff
from application.reports.check_consistency import CheckConsistency
from application.reports.judge import JudgeRight, UndoJudgement
from application.reports.read_for_fhir import (
    FindPatientsByNumber,
    ReadClosingRecords,
    ReadLastChanges,
    ReadPatientClasses,
)
from application.reports.reconcile_handed_out import ReconcileHandedOut
from application.reports.report_consumption import ReportConsumption
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
from application.sheets.admit_unidentified import AdmitUnidentified
from application.sheets.closings import BackfillClosings, BackfillDigests, ListClosings, ReadClosing
from application.sheets.detail_access import ListDetails, ListDetailsWithPatients
from application.sheets.implants import ListImplants, PrintImplantCard
from application.sheets.lines.add_detail import AddDetail
from application.sheets.lines.correct_detail import CorrectDetail
from application.sheets.lines.delete_detail import DeleteDetail
from application.sheets.lines.edit_detail import EditDetail
from application.sheets.lines.list_repeatable import ListRepeatable
from application.sheets.lines.list_sheet_details import ListSheetDetails
from application.sheets.lines.list_usual_products import ListUsualProducts
from application.sheets.lines.missed_charges import AnswerMissedCharge, LearnMissedCharges, ListMissedCharges
from application.sheets.lines.move_details import MoveDetails
from application.sheets.lines.read_usual_quantity import ReadUsualQuantity
from application.sheets.lines.record_details import RecordDetails
from application.sheets.lines.return_detail import ReturnDetail
from application.sheets.lines.void_details import VoidDetails
from application.sheets.notices import ListNotices, MarkNoticesSeen
from application.sheets.offline.late_entries import DismissLateEntry, ListLateEntries, RecordLateEntry, SubmitLateEntry
from application.sheets.offline.unlisted_items import (
    DiscardUnlistedItem,
    ListUnlistedItems,
    NoteUnlistedItem,
    ResolveUnlistedItem,
    WithdrawUnlistedItem,
)
from application.sheets.open_sheet import OpenSheet
from application.sheets.print_sheet import PrintSheet
from application.sheets.read_sheet import ReadSheet
from application.sheets.read_sheet_version import ReadSheetVersion
from application.sheets.recalls import (
    AcknowledgeRecalledUse,
    ListRecalledDetails,
    ListRecalls,
    OpenRecall,
    UpdateRecall,
)
from application.sheets.sheet_access import ListSheets
from application.sheets.summarize_sheet import SummarizeSheet
from application.sheets.transfer_patient import TransferPatient, UndoTransfer
from application.sheets.update_sheet import UpdateSheet
from application.status.read_status import ReadStatus
from application.status.record_backup import RecordBackup
from application.status.report_outbox import ReportOutbox
from application.status.send_test_email import SendTestEmail
from application.ward.read_overview import ReadOverview
from application.ward.read_shift import ReadShift
from application.ward.read_ward import ReadWard
from application.ward.read_worklist import ReadWorklist
from application.ward.search_people import SearchPatients, SearchSheets


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionUseCases:
    sign_in: SignIn
    sign_out: SignOut
    identify: Identify
    lock: LockSession
    unlock: UnlockSession
    make_nonce: MakeNonce
    bind_device: BindDevice
    set_pin: SetPin
    remove_pin: RemovePin
    list: ListSessions
    end: EndSessions
    end_on_device: EndDeviceSessions
    touch: TouchSession
    touch_key: TouchApiKey
    begin_oidc: BeginOidcSignIn
    finish_oidc: FinishOidcSignIn
    read_logout_url: ReadLogoutUrl
    end_by_provider: EndSessionsByProvider


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyUseCases:
    begin_sign_in: BeginPasskeySignIn
    sign_in: SignInWithPasskey
    give_second_factor: GiveSecondFactor
    begin_unlock: BeginPasskeyUnlock
    begin_registration: BeginPasskeyRegistration
    register: RegisterPasskey
    list: ListPasskeys
    rename: RenamePasskey
    remove: RemovePasskey
    hand_out_link: HandOutPasskeyLink


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeUseCases:
    list: ListBadges
    add: AddBadge
    remove: RemoveBadge
    find: FindBadge


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountUseCases:
    read: ReadOwnAccount
    change: ChangeOwnAccount
    read_profile: ReadOwnProfile
    complete_profile: CompleteProfile
    choose_ward: ChooseOwnWard
    check_password: CheckPasswordStrength
    read_link: ReadPasswordLink
    choose_password: ChoosePassword
    request_password_reset: RequestPasswordReset
    begin_linking_oidc: BeginLinkingOidc
    link_oidc: LinkOidc


@dataclass(frozen=True, slots=True, kw_only=True)
class UserUseCases:
    reader: BrowseUsers
    register: RegisterUser
    invite: InviteUser
    assign_profile: AssignProfile
    update: UpdateUser
    delete: DeleteUser
    create_reset_link: CreateResetLink
    create_setup_link: CreateSetupLink
    check_setup: CheckSetup
    create_first_administrator: CreateFirstAdministrator
    create_imported_links: CreateImportedLinks
    unlink_oidc: UnlinkOidc


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccountUseCases:
    list: ListServiceAccounts
    create: CreateServiceAccount
    update: UpdateServiceAccount
    delete: DeleteServiceAccount
    create_key: CreateApiKey
    revoke_key: RevokeKey
    read_own_key: ReadOwnKey
    ensure_receiver: EnsureReceiverAccount


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetUseCases:
    reader: ListSheets
    read: ReadSheet
    search: SearchSheets
    open: OpenSheet
    admit_unidentified: AdmitUnidentified
    update: UpdateSheet
    close: CloseSheet
    reopen: ReopenSheet
    undo_closing: UndoClosing
    transfer_patient: TransferPatient
    undo_transfer: UndoTransfer
    delete: DeleteSheet
    summarize: SummarizeSheet
    read_version: ReadSheetVersion
    print: PrintSheet
    list_closings: ListClosings
    read_closing: ReadClosing
    backfill_closings: BackfillClosings
    backfill_digests: BackfillDigests
    check_paper: CheckPaper
    find_printouts: FindPrintouts
    list_usual_products: ListUsualProducts
    list_repeatable: ListRepeatable
    read_history: ReadSheetHistory


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailUseCases:
    reader: ListDetails
    reader_with_patients: ListDetailsWithPatients
    list_of_sheet: ListSheetDetails
    add: AddDetail
    record_many: RecordDetails
    edit: EditDetail
    correct: CorrectDetail
    delete: DeleteDetail
    void: VoidDetails
    move: MoveDetails
    return_part: ReturnDetail


@dataclass(frozen=True, slots=True, kw_only=True)
class LateEntryUseCases:
    submit: SubmitLateEntry
    list: ListLateEntries
    dismiss: DismissLateEntry
    record: RecordLateEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlistedItemUseCases:
    note: NoteUnlistedItem
    list: ListUnlistedItems
    resolve: ResolveUnlistedItem
    discard: DiscardUnlistedItem
    withdraw: WithdrawUnlistedItem


@dataclass(frozen=True, slots=True, kw_only=True)
class ContingencyFormUseCases:
    print: PrintForms
    list: ListForms
    read: ReadForm
    record: RecordForm
    discard: DiscardForm


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedChargeUseCases:
    list: ListMissedCharges
    answer: AnswerMissedCharge
    learn: LearnMissedCharges


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
class RecallUseCases:
    reader: ListRecalls
    open: OpenRecall
    update: UpdateRecall
    list_details: ListRecalledDetails
    acknowledge_use: AcknowledgeRecalledUse
    set_aside: SetAsideRecalled
    list_set_aside: ListSetAside


@dataclass(frozen=True, slots=True, kw_only=True)
class ImplantUseCases:
    list: ListImplants
    print_card: PrintImplantCard


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


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundMessageUseCases:
    receive: ReceiveMessage
    note_refused: NoteRefusedMessage
    reprocess_held: ReprocessHeldMessages
    list: ListInboundMessages
    read: ReadInboundMessage
    retry: RetryInboundMessage
    dismiss: DismissInboundMessage
    assign_room: AssignMessageRoom
    assign_patient: AssignMessagePatient
    assign_sheet: AssignMessageSheet
    open_sheet: OpenSheetWithMessage
    record_receiver_settings: RecordReceiverSettings
    check_receiver_settings: CheckReceiverSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundMessageUseCases:
    reader: ListOutboundMessages
    read: ReadOutboundMessage
    claim_due: ClaimDueMessage
    record_delivery: RecordDelivery
    retry: RetryOutboundMessage
    mark_sent: MarkOutboundMessageSent


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportUseCases:
    reader: ListImports
    read_file: ReadFile
    run: ImportRows
    undo: UndoImport


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportUseCases:
    read_overview: ReadOverview
    read_worklist: ReadWorklist
    judge_right: JudgeRight
    undo_judgement: UndoJudgement
    read_ward: ReadWard
    read_shift: ReadShift
    list_notices: ListNotices
    mark_notices_seen: MarkNoticesSeen
    consumption: ReportConsumption
    reconcile_handed_out: ReconcileHandedOut
    check_consistency: CheckConsistency


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusUseCases:
    read: ReadStatus
    send_test_email: SendTestEmail
    report_outbox: ReportOutbox
    record_backup: RecordBackup


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditUseCases:
    reader: ReadAuditLog
    read_access_log: ReadAccessLog


@dataclass(frozen=True, slots=True, kw_only=True)
class HospitalUseCases:
    read_settings: ReadHospitalSettings
    change_settings: ChangeHospitalSettings
    preview_settings: PreviewHospitalSettings
    set_logo: SetHospitalLogo
    remove_logo: RemoveHospitalLogo


@dataclass(frozen=True, slots=True, kw_only=True)
class FhirUseCases:
    practitioners: ListPractitioners
    read_closing_records: ReadClosingRecords
    find_patients_by_number: FindPatientsByNumber
    read_last_changes: ReadLastChanges
    read_patient_classes: ReadPatientClasses


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCases:
    """Every use case, grouped and wired to its adapters.

    They hold no state and are shared.
    """

    session: SessionUseCases
    passkeys: PasskeyUseCases
    badges: BadgeUseCases
    account: AccountUseCases
    users: UserUseCases
    service_accounts: ServiceAccountUseCases
    sheets: SheetUseCases
    details: DetailUseCases
    late_entries: LateEntryUseCases
    unlisted_items: UnlistedItemUseCases
    contingency_forms: ContingencyFormUseCases
    missed_charges: MissedChargeUseCases
    areas: AreaUseCases
    categories: CategoryUseCases
    rooms: RoomUseCases
    staff: StaffUseCases
    products: ProductUseCases
    typed_names: TypedNameUseCases
    labels: LabelUseCases
    recalls: RecallUseCases
    implants: ImplantUseCases
    restock: RestockUseCases
    kits: KitUseCases
    patients: PatientUseCases
    inbound_messages: InboundMessageUseCases
    outbound_messages: OutboundMessageUseCases
    imports: ImportUseCases
    reports: ReportUseCases
    status: StatusUseCases
    audit: AuditUseCases
    hospital: HospitalUseCases
    fhir: FhirUseCases
