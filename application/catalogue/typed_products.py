"""Products that are chosen by name although they have a code."""

from dataclasses import dataclass
from datetime import timedelta, tzinfo

from application.catalogue.views import TypedProductsView
from application.catalogue.work import Read
from application.common.clock import Clock
from application.common.redaction import redact_for
from application.common.use_case import permitted
from domain.common.day import day_of
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator

DEFAULT_WEEKS, MAX_WEEKS = 4, 12
MAX_TYPED_PRODUCTS = 200


@dataclass(frozen=True, slots=True)
class ListTypedProducts:
    """List the products that most need a label, by area.

    They have a code, and yet users chose them by name in the last weeks. Nothing is counted by person.
    """

    read: Read
    clock: Clock
    zone: tzinfo

    @permitted(Permission.MANAGE_CATALOGUE, Permission.READ_CATALOGUE)
    def __call__(self, actor: Actor, *, weeks: int | None = None, area_id: int | None = None) -> TypedProductsView:
        checks = Validator()
        count = DEFAULT_WEEKS if weeks is None else weeks
        if not 1 <= count <= MAX_WEEKS:
            checks.add_error(Code.NUMBER_OUT_OF_RANGE, "weeks", least=1, most=MAX_WEEKS, value=count)
        checks.raise_if_invalid()
        since = day_of(self.clock(), self.zone) - timedelta(weeks=count)
        with self.read() as views:
            items = views.packs.typed(since=since, area_id=area_id, most=MAX_TYPED_PRODUCTS)
        return redact_for(actor, TypedProductsView(since=since, items=items), TypedProductsView)
