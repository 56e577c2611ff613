"""Read the usual quantity of a product.

Clients use it to ask about a far-out quantity before sending it.
"""

from dataclasses import dataclass

from application.common.use_case import permitted
from application.sheets.lines.proposal_views import UsualQuantityView
from application.sheets.work import Read
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.sheets.anomalies import SAMPLE_SIZE, outlier_threshold, typical_quantity


@dataclass(frozen=True, slots=True)
class ReadUsualQuantity:
    """Return the usual quantity and the limit of what is far out.

    The overview uses the same rule.
    """

    read: Read

    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def __call__(self, actor: Actor, product_id: int) -> UsualQuantityView:
        with self.read() as views:
            latest = views.usual_products.quantities(product_id, most=SAMPLE_SIZE)
            if not latest and views.products.one(product_id) is None:
                raise NotFound
        usual = typical_quantity(latest)
        return UsualQuantityView(usual_quantity=usual, far_out_above=outlier_threshold(usual))
