"""A violated unique key is a refusal of its field, not a server error."""

import pytest
from sqlalchemy import UniqueConstraint
from sqlalchemy.exc import IntegrityError

from adapters.i18n.messages import refusal
from adapters.sql.engine.columns import metadata
from adapters.sql.errors import translate_errors
from application.common.entities import ENTITIES
from domain.common.errors import Code, Refused

# Tables and columns of natural keys. Keys with conditions or of several columns are tested by concurrent changes.
KEYS = sorted(
    (table.name, *constraint.columns.keys())
    for kind in ENTITIES
    if kind.unique and (table := metadata.tables.get(kind.store)) is not None
    for constraint in table.constraints
    if isinstance(constraint, UniqueConstraint) and len(constraint.columns) == 1
)


@pytest.mark.parametrize(("table", "column"), KEYS)
def test_a_violated_unique_key_is_a_refusal(table: str, column: str) -> None:
    error = IntegrityError("INSERT", {}, Exception(f"UNIQUE constraint failed: {table}.{column}"))
    with pytest.raises(Refused) as refused, translate_errors():
        raise error
    assert refused.value.reasons[0].code in (Code.TAKEN, Code.PROFILE_TAKEN)


def test_a_visit_number_taken_meanwhile_is_named() -> None:
    error = IntegrityError("UPDATE", {}, Exception("UNIQUE constraint failed: consumption_sheets.visit_number"))
    with pytest.raises(Refused) as refused, translate_errors():
        raise error
    assert "una hoja de la estancia" in refusal("es", refused.value.reasons[0])
