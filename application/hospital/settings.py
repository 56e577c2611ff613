"""Read and change the hospital's settings and its logo."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import time
from decimal import Decimal
from typing import Any

from application.audit.audit_log import entry, entry_by_id
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.images import ReadLogo
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.hospital.ports import CurrentHospital
from application.hospital.views import HospitalSettingsView
from application.hospital.work import Begin
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.hospital.settings import (
    MAX_IDLE_MINUTES,
    MAX_LETTERHEAD_LENGTH,
    MAX_LETTERHEAD_LINES,
    MAX_LOGO_BYTES,
    EffectiveSettings,
    HospitalSettings,
    Logo,
    NumberFormat,
    StoredHospital,
    effective,
    is_currency,
    is_time_zone,
    parse_billed_waste,
    parse_shift_starts,
)
from domain.hospital.use_reason import WASTE, UseReason
from domain.ward.shift import MAX_SHIFTS, MIN_SHIFTS


@dataclass(frozen=True, slots=True, kw_only=True)
class HospitalDraft(Draft):
    """The form of the hospital's settings."""

    name: str | None = None
    address: tuple[str, ...] | None = None
    tax_number: str | None = None
    letterhead: tuple[str, ...] | None = None
    time_zone: str | None = None
    currency: str | None = None
    number_format: str | None = None
    idle_minutes: int | None = None
    ask_above_total: Decimal | None = None
    shift_starts: tuple[str, ...] | None = None
    billed_waste: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ReadHospitalSettings:
    """Read the settings that apply, and which of them the server sets."""

    begin_read_only: Begin
    hospital: CurrentHospital

    @permitted(Permission.MANAGE_HOSPITAL)
    def __call__(self, actor: Actor) -> HospitalSettingsView:
        with self.begin_read_only() as work:
            stored = work.hospital_settings.get()
        return _view(actor, self.hospital.environment, stored)


@dataclass(frozen=True, slots=True)
class ChangeHospitalSettings:
    """Change the settings. They apply at once, without a restart.

    What the server sets cannot be changed here.
    """

    begin: Begin
    clock: Clock
    hospital: CurrentHospital

    @permitted(Permission.MANAGE_HOSPITAL)
    def __call__(
        self, actor: Actor, draft: HospitalDraft, expected: frozenset[int] | None = None
    ) -> HospitalSettingsView:
        environment, now = self.hospital.environment, self.clock()
        with self.begin() as work:
            stored = work.hospital_settings.lock()
            stored.ensure_version(expected)
            before = effective(environment, stored.settings)
            settings = _validate(draft, environment, stored.settings)
            after = effective(environment, settings)
            if after != before:
                stored = replace(stored, settings=settings, version=stored.version + 1)
                work.hospital_settings.save(stored)
                work.audit_log.append(entry(actor, now, AuditAction.HOSPITAL_UPDATED, before=before, after=after))
        self.hospital.apply(stored)
        return _view(actor, environment, stored)


@dataclass(frozen=True, slots=True)
class PreviewHospitalSettings:
    """Return the settings as they would apply, without storing them."""

    begin_read_only: Begin
    hospital: CurrentHospital

    @permitted(Permission.MANAGE_HOSPITAL)
    def __call__(self, actor: Actor, draft: HospitalDraft) -> EffectiveSettings:
        with self.begin_read_only() as work:
            stored = work.hospital_settings.get()
        return effective(self.hospital.environment, _validate(draft, self.hospital.environment, stored.settings))


@dataclass(frozen=True, slots=True)
class SetHospitalLogo:
    """Set the hospital's logo."""

    begin: Begin
    clock: Clock
    hospital: CurrentHospital
    read_logo: ReadLogo

    @permitted(Permission.MANAGE_HOSPITAL)
    def __call__(self, actor: Actor, image: bytes, expected: frozenset[int] | None = None) -> HospitalSettingsView:
        if not image:
            raise Refused(Reason(Code.REQUIRED, "logo"))
        if len(image) > MAX_LOGO_BYTES:
            raise Refused(Reason(Code.LOGO_TOO_LARGE, "logo", {"most": MAX_LOGO_BYTES // 1_000}))
        logo = self.read_logo(image)
        stored = _change_logo(self.begin, self.clock, actor, logo, expected)
        self.hospital.apply(stored)
        return _view(actor, self.hospital.environment, stored)


@dataclass(frozen=True, slots=True)
class RemoveHospitalLogo:
    """Remove the hospital's logo."""

    begin: Begin
    clock: Clock
    hospital: CurrentHospital

    @permitted(Permission.MANAGE_HOSPITAL)
    def __call__(self, actor: Actor, expected: frozenset[int] | None = None) -> HospitalSettingsView:
        stored = _change_logo(self.begin, self.clock, actor, None, expected)
        self.hospital.apply(stored)
        return _view(actor, self.hospital.environment, stored)


def _change_logo(
    begin: Begin, clock: Clock, actor: Actor, logo: Logo | None, expected: frozenset[int] | None
) -> StoredHospital:
    now = clock()
    with begin() as work:
        before = work.hospital_settings.lock()
        before.ensure_version(expected)
        if logo == before.logo:
            return before
        version = before.version + 1
        stored = replace(before, logo=logo, logo_version=version, version=version)
        work.hospital_settings.save(stored)
        changes = {"logo": (_describe(before.logo), _describe(logo))}
        work.audit_log.append(
            entry_by_id(actor, now, AuditAction.HOSPITAL_LOGO_CHANGED, HospitalSettings.id, {**changes})
        )
    return stored


def _describe(logo: Logo | None) -> str | None:
    """Return type and size of a logo for the audit log."""
    if logo is None:
        return None
    kind = logo.media_type.removeprefix("image/").upper()
    return f"{kind}, {logo.width} × {logo.height}, {len(logo.image)} B"


def _view(actor: Actor, environment: HospitalSettings, stored: StoredHospital) -> HospitalSettingsView:
    settings = effective(environment, stored.settings)
    view = HospitalSettingsView(
        version=stored.version,
        name=settings.name,
        address=list(settings.address),
        tax_number=settings.tax_number,
        letterhead=list(settings.letterhead),
        time_zone=settings.time_zone,
        currency=settings.currency,
        number_format=settings.number_format,
        idle_minutes=settings.idle_minutes,
        ask_above_total=settings.ask_above_total,
        shift_starts=[f"{start:%H:%M}" for start in settings.shift_starts],
        billed_waste=[*settings.billed_waste],
        logo_version=stored.logo_version if stored.logo else None,
        fixed=sorted(environment.names_set),
    )
    return redact_for(actor, view, HospitalSettingsView)


def _validate(draft: HospitalDraft, environment: HospitalSettings, stored: HospitalSettings) -> HospitalSettings:
    """Return what is to be stored. Raise ``Refused`` with all errors."""
    checks = Validator(draft.parse_errors)
    applies = effective(environment, stored)
    found: dict[str, Any] = {}

    def take(field: str, sent: object, read: Callable[[], object]) -> None:
        # Clients need not send what the server sets.
        if sent is None and field in environment.names_set:
            return
        value = read()
        # What is sent back as it was read stays unset, or set by the server.
        if value is None or value == getattr(applies, field):
            return
        if field in environment.names_set:
            checks.add_error(Code.SETTING_FIXED, field, value=_quoted(sent))
        found[field] = value

    take("name", draft.name, lambda: _line(checks, "name", draft.name))
    take("address", draft.address, lambda: _lines(checks, "address", draft.address))
    take("tax_number", draft.tax_number, lambda: _line(checks, "tax_number", draft.tax_number))
    take("letterhead", draft.letterhead, lambda: _lines(checks, "letterhead", draft.letterhead))
    take("time_zone", draft.time_zone, lambda: _time_zone(checks, draft.time_zone))
    take("currency", draft.currency, lambda: _currency(checks, draft.currency))
    take(
        "number_format",
        draft.number_format,
        lambda: checks.str_enum("number_format", draft.number_format, NumberFormat),
    )
    take("idle_minutes", draft.idle_minutes, lambda: _idle_minutes(checks, draft.idle_minutes))
    take("ask_above_total", draft.ask_above_total, lambda: _ask_above_total(checks, draft.ask_above_total))
    take("shift_starts", draft.shift_starts, lambda: _shift_starts(checks, draft.shift_starts))
    take("billed_waste", draft.billed_waste, lambda: _billed_waste(checks, draft.billed_waste))
    settings = replace(stored, **found)
    lines = effective(environment, settings).lines
    if len(lines) > MAX_LETTERHEAD_LINES:
        checks.add_error(Code.LETTERHEAD_TOO_LONG, "letterhead", value=len(lines), most=MAX_LETTERHEAD_LINES)
    checks.raise_if_invalid()
    return settings


def _quoted(sent: object) -> str:
    return ", ".join(map(str, sent)) if isinstance(sent, tuple) else str(sent)


def _line(checks: Validator, field: str, text: str | None) -> str:
    return checks.optional_line(field, text, longest=MAX_LETTERHEAD_LENGTH) or ""


def _lines(checks: Validator, field: str, lines: tuple[str, ...] | None) -> tuple[str, ...]:
    return tuple(line for each in lines or () if (line := _line(checks, field, each)))


def _time_zone(checks: Validator, text: str | None) -> str | None:
    name = checks.required_line("time_zone", text)
    if name and not is_time_zone(name):
        checks.add_error(Code.TIME_ZONE_UNKNOWN, "time_zone", value=name)
    return name or None


def _currency(checks: Validator, text: str | None) -> str | None:
    code = checks.required_line("currency", text)
    if code and not is_currency(code):
        checks.add_error(Code.CURRENCY_INVALID, "currency", value=code)
    return code or None


def _idle_minutes(checks: Validator, minutes: int | None) -> int | None:
    if minutes is None:
        checks.add_error(Code.REQUIRED, "idle_minutes")
    elif not 0 <= minutes <= MAX_IDLE_MINUTES:
        checks.add_error(Code.NUMBER_OUT_OF_RANGE, "idle_minutes", value=minutes, least=0, most=MAX_IDLE_MINUTES)
    return minutes


def _ask_above_total(checks: Validator, amount: Decimal | None) -> Decimal | None:
    found = checks.price("ask_above_total", amount)
    return found if amount is not None else None


def _shift_starts(checks: Validator, texts: tuple[str, ...] | None) -> tuple[time, ...] | None:
    if not texts:
        checks.add_error(Code.REQUIRED, "shift_starts")
        return None
    starts = parse_shift_starts(texts)
    if starts is None:
        checks.add_error(
            Code.SHIFTS_INVALID, "shift_starts", value=", ".join(texts)[:200], least=MIN_SHIFTS, most=MAX_SHIFTS
        )
    return starts


def _billed_waste(checks: Validator, reasons: tuple[str, ...] | None) -> tuple[UseReason, ...] | None:
    # Earlier clients do not send it.
    if reasons is None:
        return None
    found = parse_billed_waste(reasons)
    if found is None:
        checks.add_error(Code.CHOICE_UNKNOWN, "billed_waste", choices=", ".join(WASTE))
    return found
