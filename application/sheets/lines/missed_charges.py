"""Missed charges: ask about supplies that were probably used and not recorded.

``domain.sheets.missed_charges`` has the rules. Nothing is recorded by them.
"""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from application.audit.access_log import AccessLog
from application.audit.audit_log import AuditEntry, Changes, entry_by_id
from application.catalogue.kits import BrowseKits, ListKits
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted, retried
from application.sheets.lines.proposal_views import MissedChargesView, MissedChargeView
from application.sheets.locked_sheets import lock_patient_sheet
from application.sheets.ports import SheetProducts
from application.sheets.stores import MissedChargeAnswer
from application.sheets.work import Begin, Read
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.sheets.missed_charges import (
    LEARNING_LEASE,
    LEARNING_WINDOW,
    MAX_DENIALS,
    MAX_PAIRS,
    MAX_SHEETS,
    choose_questions,
    learn_pairs,
    may_answer,
    next_learning,
)
from domain.sheets.sheet import PatientSheet

LEARNING_JOB = "learn_missed_charges"
# How many sheets are read at a time, so that no query takes long.
_BATCH_SIZE = 500


@dataclass(frozen=True, slots=True)
class ListMissedCharges:
    """List products to ask about on an open sheet, or with a kit.

    With a kit they are those that come with its products, and are neither in it nor on the sheet. A closed sheet has
    none, and the page of an area.
    """

    read: Read
    kits: ListKits
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def __call__(self, actor: Actor, sheet_id: int, *, kit_id: int | None = None) -> MissedChargesView:
        kit = BrowseKits(self.kits).one(actor, kit_id) if kit_id else None
        in_kit = {line["product_id"] for line in kit["lines"]} if kit else None
        with self.read() as views:
            reader = views.missed_charges
            sheet = reader.on_sheet(sheet_id)
            if sheet is None:
                raise NotFound
            found = {}
            if sheet.closed_at is None and not sheet.is_page:
                because = set(sheet.products) if in_kit is None else in_kit
                found = {one.pair: one for one in reader.pairs(because)}
            asked = choose_questions(
                found, used={*sheet.products, *(in_kit or ())}, because=in_kit, answers=reader.answers(sheet_id)
            )
        self.access_log.note_sheet_read(actor, sheet_id)
        items = [
            MissedChargeView(
                product=found[pair].product,
                because_id=pair.because_id,
                because=found[pair].because,
                sheets=pair.sheets,
                together=pair.together,
            )
            for pair in asked
        ]
        return redact_for(actor, MissedChargesView(items=items), MissedChargesView)


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedChargeDraft(Draft):
    """Whether the missing product was ``used``, asked for ``because_id``."""

    because_id: int | None = None
    used: bool | None = None


@dataclass(frozen=True, slots=True)
class AnswerMissedCharge:
    """Store whether a missing product was used on an open sheet.

    A denied product is not asked about again on this sheet, and a pair that was denied often on no sheet. A used one
    is recorded separately.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def __call__(self, actor: Actor, sheet_id: int, product_id: int, draft: MissedChargeDraft) -> None:
        checks = Validator(draft.parse_errors)
        because_id = checks.required_id("because_id", draft.because_id)
        if draft.used is None:
            checks.add_error(Code.REQUIRED, "used")
        checks.raise_if_invalid()
        answer = MissedChargeAnswer(sheet_id, product_id, because_id, bool(draft.used))
        with self.begin() as work:
            sheet = lock_patient_sheet(work, sheet_id)
            if work.missed_charges.pair(because_id, product_id) is None:
                raise NotFound
            checks.add(sheet.check_open())
            checks.raise_if_invalid()
            answers = work.views.missed_charges.answers(sheet_id)
            if not may_answer(product_id, answers):
                return
            before = work.missed_charges.answer(sheet_id, product_id)
            if before is not None and before.used == answer.used:
                return
            # A sheet counts once: who changes the answer takes back the denial.
            denials = None
            if not answer.used:
                denials = work.missed_charges.count_denial(because_id, product_id, 1)
            elif before is not None:
                denials = work.missed_charges.count_denial(before.because_id, product_id, -1)
            work.missed_charges.save_answer(answer)
            work.audit_log.append(_answer_entry(actor, self.clock(), sheet, before, answer, denials))


def _answer_entry(
    actor: Actor,
    at: datetime,
    sheet: PatientSheet,
    before: MissedChargeAnswer | None,
    answer: MissedChargeAnswer,
    denials: int | None,
) -> AuditEntry:
    """Create an entry about an answer, with the number of denials of the pair."""
    changes: Changes = {
        "product_id": (None, answer.product_id),
        "because_id": (before and before.because_id, answer.because_id),
        "used": (before and before.used, answer.used),
    }
    if denials is not None:
        changes["denials"] = (None, denials)
        changes["asked"] = (None, denials < MAX_DENIALS)
    return entry_by_id(
        actor,
        at,
        AuditAction.MISSED_CHARGE_ANSWERED,
        sheet.id,
        changes,
        sheet_id=sheet.id,
        patient_id=sheet.patient_id,
    )


@dataclass(frozen=True, slots=True)
class LearnMissedCharges:
    """Learn pairs of products from recently closed sheets.

    All processes of all servers call it regularly; one of them learns each night. Sheets are read in batches, each in a
    transaction of its own, and nothing is locked until the pairs are stored. Returns the number of pairs, or None if
    nothing is due.
    """

    begin: Begin
    read_for_reports: Read
    clock: Clock
    zone: tzinfo

    @retried
    def __call__(self) -> int | None:
        now = self.clock()
        with self.begin() as work:
            if not work.job_leases.claim(LEARNING_JOB, now, now + LEARNING_LEASE):
                return None
        since = now - LEARNING_WINDOW
        sheets: list[tuple[int, ...]] = []
        last: SheetProducts | None = None
        while len(sheets) < MAX_SHEETS:
            with self.read_for_reports() as views:
                batch = views.missed_charges.closed_sheets(since, last, most=_BATCH_SIZE)
            sheets += [sheet.products for sheet in batch]
            if len(batch) < _BATCH_SIZE:
                break
            last = batch[-1]
        pairs = learn_pairs(sheets)
        with self.begin() as work:
            work.missed_charges.replace_pairs(pairs, max_denied=MAX_PAIRS)
            work.missed_charges.purge_answers(since)
            work.job_leases.set_due(LEARNING_JOB, next_learning(now, self.zone))
        return len(pairs)
