"""Domain errors: refusals with error codes, and exceptions.

A refusal is data: a code, the field it is about and parameters. Adapters put it into words in the user's language. All
reasons of one request are raised together, so that a user corrects them in one go.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Code(StrEnum):
    """Error codes: every reason for which a request is refused."""

    REQUIRED = "required"
    FIELD_UNKNOWN = "field.unknown"
    TEXT_EXPECTED = "text.expected"
    TEXT_TOO_LONG = "text.too_long"
    TEXT_UNWRITABLE = "text.unwritable"
    TEXT_DIRECTION = "text.direction"
    NUMBER_EXPECTED = "number.expected"
    WHOLE_NUMBER_EXPECTED = "whole_number.expected"
    DATE_EXPECTED = "date.expected"
    DATE_IN_FUTURE = "date.in_future"
    DATE_IN_PAST = "date.in_past"
    MOMENT_EXPECTED = "moment.expected"
    YES_OR_NO_EXPECTED = "yes_or_no.expected"
    CHOICE_UNKNOWN = "choice.unknown"
    NEGATIVE = "negative"
    MONEY_TOO_LARGE = "money.too_large"
    QUANTITY_TOO_LARGE = "quantity.too_large"
    QUANTITY_TOO_FINE = "quantity.too_fine"
    REFERENCE_UNKNOWN = "reference.unknown"
    REFERENCE_GONE = "reference.gone"
    TAKEN = "taken"
    EMAIL_INVALID = "email.invalid"
    NAME_LIKE_EMAIL = "name.like_email"
    SCOPE_UNKNOWN = "scope.unknown"
    NETWORK_INVALID = "network.invalid"
    GTIN_INVALID = "gtin.invalid"
    PICTURE_UNREADABLE = "picture.unreadable"
    PICTURE_TOO_LARGE = "picture.too_large"
    PASSWORD_TOO_SHORT = "password.too_short"
    PASSWORD_TOO_LONG = "password.too_long"
    PASSWORD_COMMON = "password.common"
    PASSWORD_REPEATS = "password.repeats"
    PASSWORD_SEQUENCE = "password.sequence"
    PASSWORD_DATE = "password.date"
    PASSWORD_PERSONAL = "password.personal"
    PASSWORD_FEW_WORDS = "password.few_words"
    TIME_ZONE_UNKNOWN = "time_zone.unknown"
    CURRENCY_INVALID = "currency.invalid"
    SHIFTS_INVALID = "shifts.invalid"
    NUMBER_OUT_OF_RANGE = "number.out_of_range"
    LETTERHEAD_TOO_LONG = "letterhead.too_long"
    SETTING_FIXED = "setting.fixed"
    LOGO_UNREADABLE = "logo.unreadable"
    LOGO_TOO_LARGE = "logo.too_large"
    PATIENT_INACTIVE = "patient.inactive"
    SAME_PATIENT = "patient.itself"
    PATIENT_MERGED = "patient.merged"
    PATIENT_NOT_MERGED = "patient.not_merged"
    PATIENT_MERGED_ON = "patient.merged_on"
    MERGE_UNCONFIRMED = "merge.unconfirmed"
    MERGE_NOT_OWN = "merge.not_own"
    PATIENT_UNIDENTIFIED = "patient.unidentified"
    PATIENT_UNIDENTIFIED_STAYS = "patient.unidentified_stays"
    PATIENT_IDENTIFIED = "patient.identified"
    PATIENT_HAS_OPEN_SHEET = "patient.has_open_sheet"
    UNIDENTIFIED_TOO_MANY = "unidentified.too_many"
    AGE_TOO_HIGH = "age.too_high"
    USER_ROLE_STAYS = "user.role_stays"
    ROOM_RANGE_REVERSED = "room_range.reversed"
    ROOM_RANGE_UNREADABLE = "room_range.unreadable"
    ROOMS_TOO_MANY = "rooms.too_many"
    PRODUCT_INACTIVE = "product.inactive"
    PROFILE_TAKEN = "profile.taken"
    QUANTITY_FAR_OUT = "quantity.far_out"
    QUANTITY_ZERO = "quantity.zero"
    QUANTITY_SAME = "quantity.same"
    CORRECTION_FOR_SUPERVISION = "correction.for_supervision"
    DETAIL_REPEATED = "detail.repeated"
    DETAIL_VOIDED = "detail.voided"
    DETAIL_NOT_OWN = "detail.not_own"
    RETURN_TOO_MUCH = "return.too_much"
    RETURN_TOTAL_NEEDED = "return.total_needed"
    TOTAL_NOT_ALLOWED = "total.not_allowed"
    TOTAL_UNBILLED = "total.unbilled"
    MONTH_NOT_OVER = "month.not_over"
    MONTH_CLOSED = "month.closed"
    MONTH_UNCHANGED = "month.unchanged"
    WASTE_MARKED = "waste.marked"
    WASTE_NONE = "waste.none"
    WASTE_TOO_MUCH = "waste.too_much"
    WASTE_TOTAL_SET = "waste.total_set"
    RETURN_NEEDS_SUPERVISOR = "return.for_supervision"
    TARGET_CLOSED = "target.closed"
    TARGET_SAME = "target.same"
    SHEET_CLOSED = "sheet.closed"
    CLOSING_NOT_UNDOABLE = "closing.not_undoable"
    SHEET_NOT_CLOSED = "sheet.not_closed"
    SHEET_FOR_SUPERVISION = "sheet.for_supervision"
    SHEET_FOR_ADMINISTRATION = "sheet.for_administration"
    ROOM_SAME = "room.same"
    NOT_TRANSFERRED = "sheet.not_transferred"
    LATE_ENTRY_DECIDED = "late_entry.decided"
    LATE_ENTRY_ENTERED = "late_entry.entered"
    UNLISTED_ITEM_DECIDED = "unlisted_item.decided"
    UNLISTED_ITEMS_OPEN = "unlisted_items.open"
    UNLISTED_ITEMS_TOO_MANY = "unlisted_items.too_many"
    MESSAGE_SENT = "message.sent"
    SHEET_FULL = "sheet.full"
    SHEET_OF_AREA = "sheet.of_area"
    USE_REASON_NOT_HERE = "use_reason.not_here"
    DETAIL_TOO_OLD = "detail.too_old"
    USED_BEFORE_ADMISSION = "moment.before_admission"
    RESTOCK_CLOSED = "restock.closed"
    RESTOCK_EMPTY = "restock.empty"
    RESTOCK_MORE_THAN_NEEDED = "restock.more_than_needed"
    LOT_EXPIRED = "lot.expired"
    LOT_EXPIRES_SOON = "lot.expires_soon"
    LOT_RECALLED = "lot.recalled"
    LOT_NOT_RECALLED = "lot.not_recalled"
    LOT_REQUIRED = "lot.required"
    SERIAL_REQUIRED = "serial.required"
    IMPLANT_INCOMPLETE = "implant.incomplete"
    IMPLANTS_INCOMPLETE = "implants.incomplete"
    IMPLANTS_NONE = "implants.none"
    SERIAL_USED = "serial.used"
    SERIAL_QUANTITY = "serial.quantity"
    USED_IN_FUTURE = "moment.in_future"
    MOVED_BEFORE_STAY = "moment.before_stay"
    USED_TOO_LONG_AGO = "moment.too_long_ago"
    DISCHARGED_BEFORE_ADMISSION = "discharge.before_admission"
    SORT_TOO_MANY = "sort.too_many"
    LIST_TOO_LONG = "list.too_long"
    NAMES_TOO_MANY = "names.too_many"
    ITEMS_EXPECTED = "items.expected"
    OBJECT_EXPECTED = "object.expected"
    ITEMS_TOO_MANY = "items.too_many"
    FORM_RECORDED = "form.recorded"
    FORM_RECORDED_BEFORE = "form.recorded_before"
    FORM_DISCARDED = "form.discarded"
    FORM_OF_ANOTHER = "form.of_another"
    FORMS_NONE = "forms.none"
    FORMS_TOO_MANY = "forms.too_many"
    LABELS_TOO_MANY = "labels.too_many"
    SYMBOL_UNFIT = "symbol.unfit"
    PAPER_UNREADABLE = "paper.unreadable"
    PAPER_FOREIGN = "paper.foreign"
    PAPER_UNKNOWN = "paper.unknown"
    DOCUMENT_UNKNOWN = "document.unknown"
    LINES_TOO_MANY = "lines.too_many"
    KIT_PRODUCT_TWICE = "kit.product_twice"
    KITS_TOO_MANY = "kits.too_many"
    KIT_FOR_SUPERVISION = "kit.for_supervision"
    REPORT_FOR_SUPERVISION = "report.for_supervision"
    KEY_REUSED = "idempotency_key.reused"
    KEY_INVALID = "idempotency_key.invalid"
    IN_USE = "in_use"
    PASSWORD_MISMATCH = "password.mismatch"
    PASSWORD_WRONG = "password.wrong"
    SESSION_UNCONFIRMED = "session.unconfirmed"
    PASSWORD_NOT_CHOSEN = "password.not_chosen"
    PASSKEY_CHALLENGE = "passkey.challenge"
    PASSKEY_REFUSED = "passkey.refused"
    PASSKEY_TAKEN = "passkey.taken"
    PASSKEY_OF_ANOTHER = "passkey.of_another"
    PASSKEY_LAST = "passkey.last"
    PASSKEY_LINK_REQUIRED = "passkey.link_required"
    PASSKEYS_TOO_MANY = "passkeys.too_many"
    PASSKEYS_NONE = "passkeys.none"
    PASSKEYS_OFF = "passkeys.off"
    PIN_INVALID = "pin.invalid"
    PIN_WEAK = "pin.weak"
    PIN_MISMATCH = "pin.mismatch"
    PIN_WRONG = "pin.wrong"
    PIN_EXHAUSTED = "pin.exhausted"
    PIN_NONE = "pin.none"
    PIN_NOT_HERE = "pin.not_here"
    NONCE_EXPIRED = "nonce.expired"
    DEVICE_KEY_INVALID = "device.key_invalid"
    DEVICE_SIGNATURE = "device.signature"
    UNLOCK_NOT_FOR_ROLE = "unlock.not_for_role"
    BADGE_UNKNOWN = "badge.unknown"
    BADGE_NEEDS_PIN = "badge.needs_pin"
    BADGE_TOO_SHORT = "badge.too_short"
    BADGE_TAKEN = "badge.taken"
    BADGES_TOO_MANY = "badges.too_many"
    OIDC_ALGORITHM = "oidc.algorithm"
    OIDC_AUDIENCE = "oidc.audience"
    OIDC_CLAIM = "oidc.claim"
    OIDC_CODE = "oidc.code"
    OIDC_CONFIGURATION = "oidc.configuration"
    OIDC_DENIED = "oidc.denied"
    OIDC_EXPIRED = "oidc.expired"
    OIDC_FUTURE = "oidc.future"
    OIDC_GROUPS_MISSING = "oidc.groups_missing"
    OIDC_ISSUER = "oidc.issuer"
    OIDC_KEY = "oidc.key"
    OIDC_NO_ROLE = "oidc.no_role"
    OIDC_NONCE = "oidc.nonce"
    OIDC_NOT_FRESH = "oidc.not_fresh"
    OIDC_PROVIDER = "oidc.provider"
    OIDC_SIGNATURE = "oidc.signature"
    OIDC_STATE = "oidc.state"
    OIDC_SUBJECT = "oidc.subject"
    OIDC_TAKEN = "oidc.taken"
    OIDC_TOKEN = "oidc.token"
    OIDC_TRANSACTION = "oidc.transaction"
    OIDC_UNLINKED = "oidc.unlinked"
    LINK_INVALID = "link.invalid"
    SETUP_LINK_INVALID = "setup_link.invalid"
    LAST_ADMINISTRATOR = "user.last_administrator"
    USER_OWN = "user.own"
    USER_NOT_OWN = "user.not_own"
    USER_FOR_ADMINISTRATION = "user.for_administration"
    ROLE_FOR_ADMINISTRATION = "role.for_administration"
    BODY_NOT_AN_OBJECT = "body.not_an_object"
    DATE_YEAR_UNCLEAR = "date.year_unclear"
    CELL_IS_FORMULA = "cell.formula"
    FORMULA_RESULT_USED = "cell.formula_taken"
    CELL_ERROR = "cell.fault"
    CODE_CUT_OFF = "code.cut_off"
    ROW_TOO_WIDE = "row.too_wide"
    ROW_QUOTES_UNCLOSED = "row.quotes_unclosed"
    FULL_NAME_UNCLEAR = "full_name.unclear"
    AMBIGUOUS = "known_twice"
    ROW_CONTRADICTS = "row.contradicts"
    CELL_IS_DATE = "cell.date"
    CELL_SHOWN_OTHERWISE = "cell.shown_otherwise"
    CELL_FORMAT_UNKNOWN = "cell.format_unknown"
    CELL_SAYS_NOTHING = "cell.says_nothing"
    CELL_MAY_SAY_NOTHING = "cell.may_say_nothing"
    WORD_SAYS_NOTHING = "cell.word_says_nothing"
    DATE_MEANS_NONE = "date.means_none"
    DATE_COMES_OFTEN = "date.comes_often"
    LETTERS_MISREAD = "letters.misread"
    LETTERS_LOST = "letters.lost"
    CODE_LIKE_A_DATE = "code.like_a_date"
    CODE_WITH_DECIMALS = "code.with_decimals"
    CODE_DIFFERS_IN_CASE = "code.but_for_case"
    CODE_DIFFERS_IN_ZEROS = "code.but_for_zeros"
    PRICE_JUMPS = "price.jumps"
    PRODUCT_RENAMED = "product.renamed"
    PATIENT_NAME_MISMATCH = "patient.named_otherwise"
    SURNAMES_TOGETHER = "person.surnames_together"
    BIRTH_DATE_MISMATCH = "patient.born_otherwise"
    RECORD_CONTRADICTS = "record.contradicts"
    CODE_CONTRADICTS = "code.contradicts"
    PRICE_FAR_OFF = "price.far_off"
    LINE_ALREADY_RECORDED = "line.is_there"
    LINE_INCLUDED = "line.included"
    HANDED_OUT_ZERO = "handed_out.zero"
    HANDED_OUT_NEGATIVE = "handed_out.negative"
    HANDED_OUT_REPEATED = "handed_out.repeated"
    HANDED_OUT_NAME_MISMATCH = "handed_out.named_otherwise"
    PERIOD_REVERSED = "period.reversed"
    HANDED_OUT_OUTSIDE_PERIOD = "handed_out.outside_period"
    LOOKS_LIKE_TOTALS = "row.of_totals"
    ROW_IS_SUM = "row.is_sum"
    INVISIBLE_CHARACTERS = "characters.unseen"
    ACTIVE_UNKNOWN = "active.unknown"
    ROOM_TYPE_UNKNOWN = "room_type.unknown"
    MONEY_ROUNDED = "money.rounded"
    MONEY_OF_ANOTHER_CURRENCY = "money.of_another_currency"
    MONEY_FOREIGN = "money.foreign"
    FILE_EMPTY = "file.empty"
    FILE_TOO_LARGE = "file.too_large"
    FILE_UNPACKS_TOO_LARGE = "file.unpacks_too_large"
    FILE_KIND_UNKNOWN = "file.kind_unknown"
    FILE_ENCRYPTED = "file.encrypted"
    FILE_DAMAGED = "file.damaged"
    FILE_WITH_ENTITIES = "file.with_entities"
    FILE_WITH_NUL = "file.with_nul"
    FILE_TOO_WIDE = "file.too_wide"
    FILE_TOO_LONG = "file.too_long"
    FILE_TOO_MANY_CELLS = "file.too_many_cells"
    FILE_CELL_TOO_LONG = "file.cell_too_long"
    FILE_ENCODING_WRONG = "file.encoding_wrong"
    FILE_ENCODING_BROKEN = "file.encoding_broken"
    FILE_WITHOUT_ROWS = "file.without_rows"
    FILE_SHEET_UNKNOWN = "file.sheet_unknown"
    FILE_HEADER_UNKNOWN = "file.header_unknown"
    FILE_COLUMN_UNKNOWN = "file.column_unknown"
    VISIT_MISSING = "visit.missing"
    VISIT_UNKNOWN = "visit.unknown"
    VISIT_OF_ANOTHER = "visit.of_another"
    LOCATION_MISSING = "location.missing"
    LOCATION_UNKNOWN = "location.unknown"
    RECORD_NUMBER_MISSING = "record_number.missing"
    RECORD_NUMBER_OF_ANOTHER_AUTHORITY = "record_number.of_another_authority"
    PERSON_DIFFERS = "message.person_differs"
    MOMENT_UNREADABLE = "message.moment_unreadable"
    MOMENT_LEFT_OUT = "message.moment_left_out"
    PATIENT_UNCLEAR = "message.patient_unclear"
    SHEET_UNCLEAR = "message.sheet_unclear"
    OTHER_SHEET_OPEN = "message.other_sheet_open"
    SURNAMES_UNCLEAR = "message.surnames_unclear"
    MERGE_OF_UNKNOWN = "merge.of_unknown"
    MERGE_OF_SEVERAL = "merge.of_several"
    PROPOSED_DISCHARGE_TOO_EARLY = "message.discharge_before_admission"
    DISCHARGE_UNDONE = "discharge.undone"
    CONTROL_ID_REUSED = "control_id.reused"
    UNSUPPORTED_EVENT = "message.kind_not_taken"
    PATIENT_CLASS_UNKNOWN = "message.class_unknown"
    UNSUPPORTED_PATIENT_CLASS = "message.class_not_taken"
    MESSAGE_OUTDATED = "message.outdated"
    MESSAGE_FAILED = "message.failed"
    MESSAGE_DECIDED = "message.decided"
    MESSAGE_GONE = "message.gone"
    MESSAGE_OPENS_NO_SHEET = "message.opens_no_sheet"
    SHEET_HAS_VISIT = "sheet.has_visit"
    ALREADY_IN_ROOM = "message.already_in_room"
    MERGE_UNCLEAR = "merge.unclear"
    MOMENT_IN_FUTURE = "message.moment_in_future"
    CHARACTER_SET_CONTRADICTED = "message.character_set_contradicted"
    REFUSED_NO_HL7 = "message.refused_no_hl7"
    REFUSED_SEPARATORS = "message.refused_separators"
    REFUSED_CONTROL_ID_MISSING = "message.refused_control_id_missing"
    REFUSED_NO_ADT = "message.refused_no_adt"
    REFUSED_PROCESSING_ID = "message.refused_processing_id"
    REFUSED_VERSION = "message.refused_version"
    REFUSED_TIME_MISSING = "message.refused_time_missing"
    REFUSED_TIME_UNREADABLE = "message.refused_time_unreadable"
    REFUSED_FIELD_TOO_LONG = "message.refused_field_too_long"
    REFUSED_TOO_MANY_REPETITIONS = "message.refused_too_many_repetitions"
    REFUSED_CONTROL_CHARACTER = "message.refused_control_character"
    REFUSED_TOO_LARGE = "message.refused_too_large"
    REFUSED_UNREADABLE = "message.refused_unreadable"
    NOT_STORED = "message.not_stored"
    MAIL_OFF = "mail.off"
    MAIL_UNREACHABLE = "mail.unreachable"
    MAIL_NOT_ENCRYPTED = "mail.not_encrypted"
    MAIL_LOGIN_REFUSED = "mail.login_refused"
    MAIL_REFUSED = "mail.refused"
    IMPORT_UNANSWERED = "import.unanswered"
    IMPORT_CONFLICT = "import.disturbed"
    IMPORT_UNDONE = "import.undone"
    IMPORT_IN_USE = "import.depended_on"


# Questions that a user may override by acknowledging them: a supply that was used must be recordable, but the user has
# to see the question.
ACKNOWLEDGEABLE = frozenset(
    {
        Code.USED_BEFORE_ADMISSION,
        Code.LOT_EXPIRED,
        Code.LOT_RECALLED,
        Code.LOT_REQUIRED,
        Code.SERIAL_REQUIRED,
        Code.IMPLANT_INCOMPLETE,
        Code.IMPLANTS_INCOMPLETE,
        Code.SERIAL_USED,
        Code.QUANTITY_FAR_OUT,
        Code.UNLISTED_ITEMS_OPEN,
        Code.FORM_OF_ANOTHER,
        Code.PATIENT_UNIDENTIFIED,
    }
)


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for a refusal or a warning.

    ``field`` is the field that it is about, if it is about one. If it is ``acknowledgeable``, the request succeeds when
    it is sent again with the code in its ``acknowledged`` list.
    """

    code: Code
    field: str | None = None
    params: Mapping[str, object] = dataclasses.field(default_factory=dict)
    acknowledgeable: bool = False


class Refused(Exception):
    """The request is invalid in a way that a user can correct.

    It carries every reason at once.
    """

    def __init__(self, *reasons: Reason) -> None:
        super().__init__(", ".join(f"{reason.field or '-'}:{reason.code}" for reason in reasons))
        self.reasons = reasons


class NotFound(Exception):
    """The requested object does not exist, or the caller may not see it.

    ``part`` names the missing part of the address, if everything before it exists.
    """

    def __init__(self, part: str | None = None) -> None:
        super().__init__(part)
        self.part = part


class Forbidden(Exception):
    """The role, API key or user may not make this call at all.

    ``code`` is ``forbidden``, ``only_for_keys`` or that of a limit of the session or person. If the call is allowed in
    general but not for this object, ``Refused`` is raised instead.
    """

    def __init__(self, code: str = "forbidden") -> None:
        super().__init__(code)
        self.code = code


class Unauthenticated(Exception):
    """No token, or one that is invalid, expired or revoked."""


class InvalidCredentials(Exception):
    """Unknown email or wrong password; the error does not reveal which."""


class UnknownPasskey(Exception):
    """No account accepts the passkey; the error does not reveal why."""


class TooManyAttempts(Exception):
    """Rate limit: too many failed sign-ins.

    ``seconds`` is the time until the next attempt is allowed.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class VersionConflict(Exception):
    """Optimistic locking: the object changed since the caller read it."""


class RequestInProgress(Exception):
    """The same request was sent before and is still being processed."""
