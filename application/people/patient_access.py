"""Log who looks at patients."""

from collections.abc import Sequence

from application.audit.access_log import OtherAccess, is_narrowed
from application.people.views import PatientQuery, PatientView
from domain.common.policy import Actor


class PatientAccess(OtherAccess):
    """Access to patients. The list itself is logged each time."""

    def named(self, actor: Actor, query: PatientQuery, items: Sequence[PatientView]) -> bool:
        """Log the patient to whom a list is narrowed."""
        found = {item["id"] for item in items}
        if query.ids is not None or not is_narrowed(query, found):
            return False
        self._access_log.note_patient_read(actor, *found)
        return True
