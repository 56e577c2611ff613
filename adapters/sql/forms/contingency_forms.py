"""Contingency forms."""

import json

from sqlalchemy import Connection, bindparam, func, select

from adapters.sql.engine.row_shape import Computed
from adapters.sql.engine.table_mapping import TableMapping
from adapters.sql.forms.tables import contingency_forms
from domain.forms.contingency_form import ContingencyForm, FormState

MAPPING = TableMapping[ContingencyForm](
    contingency_forms,
    ContingencyForm,
    keys={"sheet_id": contingency_forms.c.sheet_id, "recorded_sheet_id": contingency_forms.c.recorded_sheet_id},
    written={"products": lambda form: json.dumps(form.products)},
    read={
        "products": Computed(lambda text: tuple(json.loads(text)), contingency_forms.c.products),
        "state": Computed(FormState, contingency_forms.c.state),
    },
)
_IN_STATE = (
    select(contingency_forms)
    .where(contingency_forms.c.state == bindparam("state"))
    .order_by(contingency_forms.c.id)
    .limit(bindparam("most"))
)
_IDS = select(contingency_forms.c.id).where(contingency_forms.c.id == bindparam("number"))
COUNT_IN_STATE = select(func.count()).where(contingency_forms.c.state == bindparam("state"))


def read_forms(connection: Connection, state: FormState, *, most: int) -> list[ContingencyForm]:
    """Return the forms in a state, the oldest first."""
    return [MAPPING.to_entity(row) for row in connection.execute(_IN_STATE, {"state": state, "most": most})]


def count_forms(connection: Connection, state: FormState) -> int:
    """Return the number of forms in a state."""
    return int(connection.execute(COUNT_IN_STATE, {"state": state}).scalar_one())


def has_form(connection: Connection, number: int) -> bool:
    """Return whether a form has this number."""
    return connection.execute(_IDS, {"number": number}).first() is not None
