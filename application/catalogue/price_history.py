"""The price history of a product."""

from dataclasses import dataclass

from application.catalogue.views import PriceChangeView, PriceHistoryView
from application.catalogue.work import Read
from application.common.redaction import redact_for
from application.common.use_case import permitted
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission

# The latest changes are enough: prices change a few times a year.
MAX_CHANGES = 50


@dataclass(frozen=True, slots=True)
class ReadPriceHistory:
    """Read the prices of a product from the audit log, the latest first.

    Only actors who see prices may.
    """

    read: Read

    @permitted(Permission.SEE_PRICES)
    def __call__(self, actor: Actor, product_id: int) -> PriceHistoryView:
        with self.read() as views:
            if views.products.one(product_id) is None:
                raise NotFound
            changes = views.price_changes(product_id, most=MAX_CHANGES)
            people = {change.user_id for change in changes if change.user_id}
            names = views.names("account_id", people) | views.names("user_id", people)
        items = [
            PriceChangeView(
                at=change.at,
                by=names.get(change.user_id) if change.user_id else None,
                imported=change.imported,
                previous_price=change.before,
                price=change.after,
            )
            for change in changes
        ]
        return redact_for(actor, PriceHistoryView(items=items), PriceHistoryView)
