"""What the use cases of common read and change."""

from collections.abc import Collection
from typing import Protocol

from application.common.idempotency import IdempotencyStore


class Views(Protocol):
    """Everything that they read."""

    def installation_number(self) -> int:
        """Return the number of this installation, which its labels contain."""

    def names(self, field: str, ids: Collection[int]) -> dict[int, str]:
        """Return the names of entities, by the field that refers to them.

        The fields are product_id, category_id, staff_id, area_id, room_id, patient_id and kit_id. user_id gives the
        name on a user's profile. account_id gives the email, even of a deleted user. sheet_id gives the sheet's
        patient. detail_id gives the product of a detail, even of a deleted one. Other deleted entities have no name.
        """


class UnitOfWork(Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def idempotency_store(self) -> IdempotencyStore: ...

    @property
    def views(self) -> Views: ...
