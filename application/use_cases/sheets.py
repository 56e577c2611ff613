"""Use cases of sheets, their details and their forms, by group."""

from dataclasses import dataclass

from application.catalogue.set_aside import ListSetAside, SetAsideRecalled
from application.closing.close_sheet import CloseSheet
from application.closing.delete_sheet import DeleteSheet
from application.closing.reopen_sheet import ReopenSheet
from application.closing.undo_closing import UndoClosing
from application.forms.contingency_forms import DiscardForm, ListForms, ReadForm, RecordForm
from application.forms.print_forms import PrintForms
from application.history.read_audit_log import ReadSheetHistory
from application.reports.check_paper import CheckPaper, FindPrintouts
from application.sheets.accounts import CompareAccounts, IssueAccount, PrintAccount, ReadAccount
from application.sheets.admit_unidentified import AdmitUnidentified
from application.sheets.area_sheets import ListAreaSheets, OpenAreaSheet, ReadAreaSheet
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
from application.sheets.lines.mark_waste import MarkWaste, UnmarkWaste
from application.sheets.lines.missed_charges import AnswerMissedCharge, LearnMissedCharges, ListMissedCharges
from application.sheets.lines.move_details import MoveDetails
from application.sheets.lines.record_details import RecordDetails
from application.sheets.lines.return_detail import ReturnDetail
from application.sheets.lines.void_details import VoidDetails
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
from application.ward.search_people import SearchSheets


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
class AccountUseCases:
    read: ReadAccount
    issue: IssueAccount
    compare: CompareAccounts
    print: PrintAccount


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaSheetUseCases:
    open: OpenAreaSheet
    read: ReadAreaSheet
    list: ListAreaSheets


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
    mark_waste: MarkWaste
    unmark_waste: UnmarkWaste


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


@dataclass(frozen=True, kw_only=True)
class SheetGroups:
    sheets: SheetUseCases
    accounts: AccountUseCases
    area_sheets: AreaSheetUseCases
    details: DetailUseCases
    late_entries: LateEntryUseCases
    unlisted_items: UnlistedItemUseCases
    contingency_forms: ContingencyFormUseCases
    missed_charges: MissedChargeUseCases
    recalls: RecallUseCases
    implants: ImplantUseCases
