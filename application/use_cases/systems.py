"""Use cases of files, messages, reports and the installation, by group."""

from dataclasses import dataclass

from application.billing.outbound_messages import (
    ClaimDueMessage,
    ListOutboundMessages,
    MarkOutboundMessageSent,
    ReadOutboundMessage,
    RecordDelivery,
    RetryOutboundMessage,
)
from application.history.read_audit_log import ReadAccessLog, ReadAuditLog
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
from application.people.staff import ListPractitioners
from application.reports.check_consistency import CheckConsistency
from application.reports.judge import JudgeRight, UndoJudgement
from application.reports.months import CloseMonth, ExportMonth, ListMonths, ReadMonth
from application.reports.read_for_fhir import (
    FindPatientsByNumber,
    ReadClosingRecords,
    ReadLastChanges,
    ReadPatientClasses,
)
from application.reports.reconcile_handed_out import ReconcileHandedOut
from application.reports.report_consumption import ReportConsumption
from application.sheets.notices import ListNotices, MarkNoticesSeen
from application.status.read_status import ReadStatus
from application.status.record_backup import RecordBackup
from application.status.report_outbox import ReportOutbox
from application.status.send_test_email import SendTestEmail
from application.ward.read_overview import ReadOverview
from application.ward.read_shift import ReadShift
from application.ward.read_ward import ReadWard
from application.ward.read_worklist import ReadWorklist


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
    close_month: CloseMonth
    read_month: ReadMonth
    export_month: ExportMonth
    list_months: ListMonths
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


@dataclass(frozen=True, kw_only=True)
class SystemGroups:
    inbound_messages: InboundMessageUseCases
    outbound_messages: OutboundMessageUseCases
    imports: ImportUseCases
    reports: ReportUseCases
    status: StatusUseCases
    audit: AuditUseCases
    hospital: HospitalUseCases
    fhir: FhirUseCases
