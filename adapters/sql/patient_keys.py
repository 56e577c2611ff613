"""Which texts may be a patient's number."""

from sqlalchemy import Connection, bindparam, exists, func, literal_column, or_, select

from adapters.sql.fast_execute import execute_one
from adapters.sql.tables import RECORD_WITHOUT_ZEROS, patient_identifiers, patients, sheets, unknown_codes
from domain.patient import number_spellings
from domain.text import unique_key, without_zeros

_KEY = patients.c.record_key.type
_IDENTIFIES = patient_identifiers.c.system == literal_column("'record_number'")
_SPELLINGS = ("as_read", "upper", "lower", "swapped")

_IS_KNOWN = select(
    or_(
        exists().where(bindparam("bare", type_=_KEY) == RECORD_WITHOUT_ZEROS),
        exists().where(_IDENTIFIES, patient_identifiers.c.value_key == bindparam("key", type_=_KEY)),
        exists().where(sheets.c.visit_number.in_([bindparam(name) for name in _SPELLINGS])),
    )
)
# As ``SqlPatientKeys.is_known`` has it, for a code that was noted. A GTIN stands there with zeros before it.
_NOTED_BARE = func.ltrim(func.rtrim(unknown_codes.c.code_key, literal_column("'*'")), literal_column("'*0'"))
IS_PATIENTS = or_(
    exists().where(_NOTED_BARE == RECORD_WITHOUT_ZEROS),
    exists().where(_IDENTIFIES, patient_identifiers.c.value_key == unknown_codes.c.code_key),
    exists().where(sheets.c.visit_number == unknown_codes.c.code),
)


class SqlPatientKeys:
    """Which texts may be a patient's number."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def is_known(self, number: str) -> bool:
        """Tell whether it is a record number, one of a record that was merged, or a visit's number."""
        spellings = number_spellings(number)
        key = unique_key(spellings[0])
        params = {"bare": without_zeros(key), "key": key, **dict(zip(_SPELLINGS, spellings, strict=True))}
        found = execute_one(self._connection, _IS_KNOWN, params)
        return bool(found and found[0])
