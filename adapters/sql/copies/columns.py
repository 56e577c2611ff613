"""What happens to each column of each table in a copy without names.

A column that is not named here stops the copy, so that a new one cannot leak. Tables that hold messages, answers,
secrets or what users typed are left out, unless a report adds up what is in them.
"""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from domain.common.text import code_key, fold, fold_person, sort_name, unique_key
from domain.people.patient import search_text

# Stands for a text that a person typed.
TYPED = "…"
# Older people are few, and known by their age.
OLDEST_AGE = 90
# Addresses that cannot exist (RFC 2606).
MAIL_DOMAIN = "copia.invalid"

_SYLLABLES = tuple(first + second for first in "bdfglmnprstv" for second in "aeiou")
_WORD_SYLLABLES, _CODE_BYTES = 4, 8


class RowInCopy:
    """A row that is replaced: what it was, and what it is in the copy.

    ``secret`` is the copy's own and is forgotten with it: no replacement can be computed back or again.
    """

    def __init__(self, secret: bytes, today: date, was: Mapping[str, Any]) -> None:
        self.secret = secret
        self.today = today
        self.was = was
        self.values: dict[str, Any] = {}

    def digest(self, text: str) -> bytes:
        """Return the same bytes for the same text, in this copy alone."""
        return hmac.digest(self.secret, text.encode(), sha256)


Replace = Callable[[RowInCopy], Any]


@dataclass(frozen=True, slots=True)
class Copied:
    """The columns of a table that is copied; ``emptied`` ones are null.

    Columns are replaced in this order. A replacement may use those before.
    """

    kept: frozenset[str]
    emptied: frozenset[str] = frozenset()
    replaced: Mapping[str, Replace] = field(default_factory=lambda: MappingProxyType({}))


def _copied(kept: str, emptied: str = "", **replaced: Replace) -> Copied:
    return Copied(frozenset(kept.split()), frozenset(emptied.split()), MappingProxyType(replaced))


def _typed(column: str) -> Replace:
    """Replace a typed text; one that is missing or blank stays so."""
    return lambda row: TYPED if row.was[column] else row.was[column]


def _word(column: str) -> Replace:
    """Replace a name by a word that is not one."""

    def replace(row: RowInCopy) -> str | None:
        if not row.was[column]:
            return row.was[column]  # type: ignore[no-any-return]
        digest = row.digest(f"{column} {row.was['id']}")
        return "".join(_SYLLABLES[one % len(_SYLLABLES)] for one in digest[:_WORD_SYLLABLES]).capitalize()

    return replace


def _numbered(letter: str, column: str) -> Replace:
    """Replace a number of a person or visit by one that its id makes unique."""
    return lambda row: None if row.was[column] is None else f"{letter}{row.was['id']}"


def _code(letter: str, column: str) -> Replace:
    """Replace a code by another: the same one for the same code."""

    def replace(row: RowInCopy) -> str | None:
        code = row.was[column]
        return code and letter + row.digest(f"{column} {code_key(code)}")[:_CODE_BYTES].hex().upper()

    return replace


def _key_of(column: str) -> Replace:
    return lambda row: code_key(row.values[column]) if row.values[column] else None


def _birth_year(row: RowInCopy) -> date | None:
    """Return the first day of the year of birth.

    Who is older than 89 was born 90 years ago.
    """
    born = row.was["date_of_birth"]
    return born and date(max(born.year, row.today.year - OLDEST_AGE), 1, 1)


def _doctor(row: RowInCopy) -> str:
    """Return the same made-up doctor for the same text."""
    doctor = row.was["doctor"]
    return f"Médico {int.from_bytes(row.digest(fold_person(doctor))[:4]) % 10**6:06}" if doctor else ""


_LOT = {"lot": _code("L", "lot"), "lot_key": _key_of("lot")}
_PERSON_NAMES = {name: _word(name) for name in ("name", "first_surname", "second_surname")}


def _names(row: RowInCopy) -> tuple[str, str, str]:
    name, first_surname, second_surname = (row.values[one] or "" for one in _PERSON_NAMES)
    return name, first_surname, second_surname


def _sorted(row: RowInCopy) -> str:
    return sort_name(*_names(row))


# None: the table is left out.
COLUMNS: dict[str, Copied | None] = {
    # Accounts. Proofs, keys, sessions and links are left out: no one signs in as before.
    "users": _copied(
        "id role staff_id deleted ward_area_id whole_hospital email_is_own_choice",
        "password_hash oidc_issuer oidc_subject oidc_refused_at passkey_handle",
        email=lambda row: f"usuario{row.was['id']}@{MAIL_DOMAIN}",
        email_key=lambda row: None if row.was["email_key"] is None else unique_key(row.values["email"]),
    ),
    "api_keys": None,
    "sessions": None,
    "user_pins": None,
    "user_badges": None,
    "password_links": None,
    "setup_links": None,
    "passkeys": None,
    "passkey_secrets": None,
    "sign_in_failures": None,
    # The audit log says who did what, with texts before and after.
    "audit_trail": None,
    "noted_looks": None,
    "audit_seals": None,
    # Messages of other systems, and to them, hold patients' data.
    "inbound_messages": None,
    "translations": None,
    "receiver_settings": None,
    "outbound_messages": None,
    "charges": None,
    # The catalogue is the hospital's, and no person's.
    "areas": _copied("id name code name_key name_folded"),
    "categories": _copied("id code code_key name name_folded"),
    "products": _copied(
        "id name name_folded price category_id code code_key code_folded gtin unit active decimals asks_lot "
        "asks_serial implant included_in_stay plain_name",
        # Users typed the other names.
        also_called=lambda _: (),
        also_called_folded=lambda _: "",
    ),
    "product_codes": _copied("id product_id system code code_key units", "label"),
    "product_pictures": None,
    "typed_names": None,
    "unknown_codes": None,
    "rooms": _copied("id name code name_folded sort_folded status type area_id"),
    "recalls": _copied("id product_id opened_at opened_by closed_at closed_by", "", reason=_typed("reason"), **_LOT),
    "kits": _copied(
        "id area_id user_id active version",
        name=lambda row: f"Kit {row.was['id']}",
        name_key=lambda row: unique_key(row.values["name"]) if row.was["active"] else f"\x1f{row.was['id']}",
        name_folded=lambda row: fold(row.values["name"]),
    ),
    "kit_lines": _copied("id kit_id place product_id quantity optional"),
    "favourites": _copied("user_id product_id at"),
    "usual_numbers": None,
    "set_aside": _copied(
        "id recall_id product_id quantity user_id at room_id area_id", "entry_digest", lot=_LOT["lot"]
    ),
    "versions": None,
    "job_leases": None,
    # Answers repeat what was recorded. The copy is an installation of its own.
    "idempotent_answers": None,
    "installation": None,
    "write_trials": None,
    # Papers: forms, closings, accounts and months.
    "contingency_forms": None,
    "closings": None,
    "documents": None,
    "hospital_settings": _copied(
        "id version time_zone currency number_format idle_minutes ask_above_total shift_starts billed_waste "
        "logo_version",
        "name address tax_number letterhead logo logo_type logo_width logo_height",
    ),
    "imports": None,
    "import_mappings": None,
    "patients": _copied(
        "id active merged_into merged_at merged_by unidentified_number",
        "told",
        **_PERSON_NAMES,
        date_of_birth=_birth_year,
        record_number=_numbered("P", "record_number"),
        record_key=_key_of("record_number"),
        search_folded=lambda row: search_text(*_names(row), row.values["record_number"]),
        sort_folded=_sorted,
    ),
    "patient_identifiers": None,
    "staff": _copied(
        "id",
        "telephone_number job_title date_of_birth",
        **_PERSON_NAMES,
        search_folded=lambda row: fold_person(" ".join(_names(row))),
        sort_folded=_sorted,
    ),
    "judgements": _copied("kind entity_id version user_id at"),
    "restock_lists": _copied("id area_id area_name number closed_at closed_by left_over"),
    "restock_lines": _copied(
        "list_id position product_id code name unit quantity put_back put_back_at",
        "shelf",
        put_back_by=_typed("put_back_by"),
    ),
    "restock_areas": _copied("area_id number"),
    "restock_taken": _copied("area_id product_id quantity"),
    "restock_ticks": _copied("area_id product_id quantity user_id at"),
    "restock_settings": _copied("area_id product_id fixed_amount", "shelf"),
    "consumption_sheets": _copied(
        "id patient_id room_id admission_date total lines closed_at version discharge_proposed_at "
        "admission_cancelled_at area_id part",
        "told",
        diagnosis=_typed("diagnosis"),
        doctor=_doctor,
        search_folded=lambda row: (
            f"{fold_person(row.values['doctor'])}\t{fold_person(row.values['diagnosis'])}"
            if row.was["search_folded"]
            else ""
        ),
        visit_number=_numbered("V", "visit_number"),
    ),
    "sheet_transfers": _copied("id sheet_id left_room_id at user_id"),
    "late_entries": None,
    "unlisted_items": None,
    "consumption_details": _copied(
        "id sheet_id product_id staff_id user_id area_id quantity unit_price total created_at day version occurred_at "
        "gtin expiry acknowledged kit_id room_id returned voided_at voided_by corrected_from input_method use_reason "
        "unbilled",
        # The forms and the devices' entries are not there.
        "entry_digest form_id",
        **_LOT,
        serial=_code("S", "serial"),
        serial_key=_key_of("serial"),
        void_reason=_typed("void_reason"),
        recall_reason=_typed("recall_reason"),
        implant_reason=_typed("implant_reason"),
    ),
    "detail_returns": _copied("id detail_id quantity total reason user_id at day", note=_typed("note")),
    "recalled_uses": _copied("detail_id seen_at seen_by"),
    "notices": None,
    "month_changes": _copied(
        "id day at made_on kind user_id sheet_id detail_id area_id product_id unbilled use_reason lines quantity "
        "returned total value"
    ),
    "product_pairs": _copied("because_id product_id sheets together denials"),
    "missed_charge_answers": _copied("sheet_id product_id because_id used"),
    "device_outboxes": None,
    "backups": None,
}
