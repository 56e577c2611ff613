"""Stores and read models of forms."""

from adapters.sql.common import work as common
from adapters.sql.common.work import query, table_store
from adapters.sql.forms.contingency_forms import MAPPING as CONTINGENCY_FORMS_MAPPING
from adapters.sql.forms.contingency_forms import count_forms, has_form, read_forms


class Views(common.Views):
    """Read models."""

    contingency_forms = query(read_forms)
    contingency_form_count = query(count_forms)
    has_contingency_form = query(has_form)


class Stores(common.Stores):
    """Stores within a unit of work."""

    contingency_forms = table_store(CONTINGENCY_FORMS_MAPPING)
