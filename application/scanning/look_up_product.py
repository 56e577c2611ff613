"""Look up the product or patient of a scan, and the data of the pack."""

from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from typing import TypeGuard

from application.accounts.ports.unlocking import BadgeDigests
from application.accounts.sessions.known_badges import find_badge, read_badge
from application.audit.access_log import AccessLog
from application.audit.audit_log import Changes, entry_by_id
from application.catalogue.ports import KnownCode, Packs
from application.catalogue.views import UnknownCodesView
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.scanning import ReadScan, ScanResult
from application.common.use_case import permitted
from application.people.patient_texts import is_code, may_be_a_patient
from application.people.ports import PatientNumbers
from application.people.scanned_views import ScannedPersonView
from application.scanning.scans import Scan, find_people, find_products, understand_scan
from application.scanning.views import MatchView, NotedCodeView, OwnLabelView, ProductLookupView, ReadingView
from application.scanning.work import Begin, Read, Views
from domain.catalogue.product import ONE, CodeSystem, gtin_key, is_gtin
from domain.common.day import day_of
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.text import code_key, is_storable
from domain.scanning.label import Label, LabelKind, is_own_label, read_label

# The maximum length of an unknown code. Symbols that could be typed by hand are not longer.
MAX_NOTED_LENGTH = 50
# The maximum number of unknown codes in the list.
MAX_UNKNOWN_CODES = 200
# The maximum number of new unknown codes of one user within a day.
MAX_NOTED_PER_DAY = 50
# Unknown codes that were not scanned for so long are deleted.
UNKNOWN_CODES_LAST = timedelta(days=90)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """A lookup by one of ``scan``, ``gtin``, ``code``, ``hibc`` and ``text``.

    ``scan`` is the raw scan and ``text`` a code of any system. ``lot``, ``expiry`` and ``serial`` are those of the pack
    and take precedence over the scan's. ``only_tried`` is a scanner test: nothing is stored.
    """

    scan: str | None = None
    gtin: str | None = None
    code: str | None = None
    hibc: str | None = None
    text: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None
    only_tried: bool = False


@dataclass(frozen=True, slots=True)
class LookUpProduct:
    """Find the products that a scan or a code may mean.

    A scanned code without a product is stored as unknown.
    """

    begin: Begin
    read: Read
    clock: Clock
    zone: tzinfo
    read_scan: ReadScan
    access_log: AccessLog
    badge_digests: BadgeDigests
    # The assigning authority of the hospital's record numbers, if it is configured.
    record_authority: str | None

    @permitted(Permission.READ_CATALOGUE)
    def __call__(self, actor: Actor, lookup: Lookup) -> ProductLookupView:
        asked = (lookup.scan, lookup.gtin, lookup.code, lookup.hibc, lookup.text)
        if not any(text and text.strip() for text in asked):
            raise Refused(Reason(Code.REQUIRED, "code"))
        now = self.clock()
        recall = serial_used = None
        with self.read() as views:
            scan = self._understand(views.packs, lookup)
            read = scan.read
            lot, expiry, serial = lookup.lot or read.lot, lookup.expiry or read.expiry, lookup.serial or read.serial
            label = _label_of(views, lookup, scan)
            matches = _product_of(views, label) or _deduplicate(scan.found)
            people = self._find_people(views.patient_numbers, actor, lookup, scan, label)
            kit_id = _kit_of(views, actor, label)
            is_paper = _is_paper(views, actor, label)
            form_number = _form_of(views, actor, label)
            if len(matches) == 1:
                product_id = matches[0]["product"]["id"]
                recall = views.packs.recall(product_id, code_key(lot) if _is_storable(lot) else None)
                serial_used = views.packs.serial_used(product_id, serial if _is_storable(serial) else None)
        if len(people) == 1:
            self.access_log.note_patient_read(actor, people[0]["id"])
        elif people:
            self.access_log.note_list_read(actor, AuditAction.PATIENT_LISTED)
        noted = None if matches or people or lookup.only_tried else self._note_unknown(actor, lookup, scan)
        view = ProductLookupView(
            reading=_reading(read) if read.has_data else None,
            matches=matches,
            people=people,
            label=label
            and _label_view(
                label, kit_id, form_number, is_found=bool(matches or people or kit_id or form_number) or is_paper
            ),
            recall=recall,
            expired=expiry is not None and expiry < day_of(now, self.zone),
            serial_used=serial_used,
            noted=noted,
            read_as=scan.read_as,
        )
        return redact_for(actor, view, ProductLookupView)

    def _understand(self, packs: Packs, lookup: Lookup) -> Scan:
        """Interpret the scan, or the code that was given instead."""
        if lookup.scan:
            return understand_scan(packs, self.read_scan, lookup.scan)
        if lookup.gtin:
            if not is_gtin(lookup.gtin):
                raise Refused(Reason(Code.GTIN_INVALID, "gtin"))
            read = ScanResult(text=lookup.gtin, gtin=gtin_key(lookup.gtin))
            return Scan(read, packs.known(gtin=read.gtin, hibc=(), code=None, any_code=None))
        if lookup.hibc:
            read = self.read_scan(lookup.hibc)
            if read.hibc is None:
                read = ScanResult(text=lookup.hibc, hibc=lookup.hibc)
            return find_products(packs, read)
        text = (lookup.code or lookup.text or "").strip()
        read = ScanResult(text=text, gtin=gtin_key(text) if lookup.text and is_gtin(text) else None)
        key = code_key(text) if text and is_storable(text) else None
        return Scan(read, packs.known(gtin=read.gtin, hibc=(), code=key, any_code=key if lookup.text else None))

    def _find_people(
        self, numbers: PatientNumbers, actor: Actor, lookup: Lookup, scan: Scan, label: Label | None
    ) -> list[ScannedPersonView]:
        """Return the patients that a scan may mean.

        The list is empty for actors who may not read patients and sheets.
        """
        if not lookup.scan or not actor.can(Permission.READ_PATIENTS) or not actor.can(Permission.READ_SHEETS):
            return []
        return find_people(numbers, scan, label, self.record_authority)

    def _note_unknown(self, actor: Actor, lookup: Lookup, scan: Scan) -> NotedCodeView | None:
        """Store an unknown code. Return it, or None.

        Only codes are stored: a scan that has a lot but no product belongs to a pack with two symbols. Badges of users
        are not stored, although the answer says so, and neither is what may be on a wristband: a text with characters
        that no code has, or with a number or name (``application.people.patient_texts``). A user notes a limited
        number of new codes a day. Nothing is stored for actors who may not read patients: they could find out which
        numbers are patients'.
        """
        read = scan.read
        if read.of_person or is_own_label(read.text) or scan.read_as or not actor.can(Permission.READ_PATIENTS):
            return None
        noted: tuple[str, str] | None = None
        if read.gtin:
            noted = (CodeSystem.GTIN, read.gtin)
        elif read.hibc:
            noted = (CodeSystem.HIBC, read.hibc)
        elif lookup.scan and not read.has_data:
            noted = ("code", read.text)
        if not noted or len(noted[1]) > MAX_NOTED_LENGTH or not is_code(noted[1]):
            return None
        now = self.clock()
        with self.begin() as work:
            codes = work.unknown_codes
            is_new = not codes.is_noted(*noted)
            if is_new and codes.scanned_by(actor.user_id, now - _DAY) >= MAX_NOTED_PER_DAY:
                return None
            if may_be_a_patient(work.patient_keys, read.text, is_symbol=bool(read.gtin and not read.bare)):
                return None
            # The answer is the same for a badge: it must not tell which numbers are badges.
            if not find_badge(work, self.badge_digests, read_badge(self.read_scan, read.text)):
                codes.count(*noted, at=now, user_id=actor.user_id)
        return NotedCodeView(system=str(noted[0]), code=noted[1])


def _is_storable(text: str | None) -> TypeGuard[str]:
    """Return whether a stored value may equal the text.

    Stored values never contain NUL.
    """
    return text is not None and text != "" and is_storable(text)


@dataclass(frozen=True, slots=True)
class ListUnknownCodes:
    """List the scanned codes that no product has."""

    read: Read

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor) -> UnknownCodesView:
        with self.read() as views:
            return UnknownCodesView(items=views.packs.unknown(most=MAX_UNKNOWN_CODES))


@dataclass(frozen=True, slots=True)
class IgnoreUnknownCode:
    """Remove a code from the list that will never be a product's.

    Another scan of it adds it again.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, system: str, code: str) -> None:
        now = self.clock()
        with self.begin() as work:
            if not is_storable(system + code) or not work.unknown_codes.remove(system, code):
                raise NotFound
            changes: Changes = {"system": (system, None), "code": (code, None)}
            # The code belongs to no product, so the entry has no id.
            work.audit_log.append(entry_by_id(actor, now, AuditAction.UNKNOWN_CODE_IGNORED, 0, changes))


def _label_of(views: Views, lookup: Lookup, scan: Scan) -> Label | None:
    """Return the label that was scanned, if no product has its text as code."""
    if not lookup.scan or scan.found or not is_own_label(scan.read.text):
        return None
    return read_label(scan.read.text, views.installation_number())


def _product_of(views: Views, label: Label | None) -> list[MatchView]:
    """Return the product that a label names."""
    if label is None or label.foreign or label.kind is not LabelKind.PRODUCT:
        return []
    product = views.products.one(label.number)
    return [MatchView(product=product, system="code", units=ONE, label=None)] if product else []


def _kit_of(views: Views, actor: Actor, label: Label | None) -> int | None:
    """Return the id of the kit that a label names, if the actor may see it."""
    if label is None or label.foreign or label.kind is not LabelKind.KIT:
        return None
    kit = views.kits.one(label.number)
    return kit["id"] if kit and kit["user_id"] in (None, actor.user_id) else None


def _is_paper(views: Views, actor: Actor, label: Label | None) -> bool:
    """Return whether a label is on the paper of what is frozen and stored."""
    if label is None or label.foreign or not actor.can(Permission.READ_SHEETS):
        return False
    if label.kind is LabelKind.DOCUMENT:
        return views.has_document(label.number, label.turn, with_months=actor.sees_months)
    if label.kind is not LabelKind.CLOSING:
        return False
    return any(one.turn == label.turn for one in views.closings.of_sheet(label.number))


def _form_of(views: Views, actor: Actor, label: Label | None) -> int | None:
    """Return the number of the contingency form that a label names."""
    if label is None or label.foreign or label.kind is not LabelKind.FORM or not actor.can(Permission.READ_SHEETS):
        return None
    return label.number if views.has_contingency_form(label.number) else None


def _label_view(label: Label, kit_id: int | None, form_number: int | None, *, is_found: bool) -> OwnLabelView:
    state = "foreign" if label.foreign else "found" if is_found else "missing"
    view = OwnLabelView(kind=label.kind.name.lower(), state=state, kit_id=kit_id)
    if form_number is not None:
        view["form_number"] = form_number
    return view


def _deduplicate(found: list[KnownCode]) -> list[MatchView]:
    """Return each product once, with the first of its codes that matches."""
    matches: dict[int, MatchView] = {}
    for known in found:
        match = MatchView(product=known.product, system=known.system, units=known.units, label=known.label)
        matches.setdefault(known.product["id"], match)
    return list(matches.values())


def _reading(read: ScanResult) -> ReadingView:
    return ReadingView(
        gtin=read.gtin,
        lot=read.lot,
        expiry=read.expiry,
        serial=read.serial,
        count=read.count,
        separator_lost=read.separator_lost,
        expiry_unreadable=read.expiry_unreadable,
        incomplete=read.incomplete,
        bare=read.bare,
    )
