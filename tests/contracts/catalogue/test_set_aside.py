"""Contract of every store: units of recalled lots that were set aside."""

from datetime import timedelta
from decimal import Decimal

from application.catalogue.set_aside import SetAsideDraft
from application.common.idempotency import IdempotencyKey
from domain.common.errors import Code
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.catalogue.test_set_aside import a_recall


def key(text: str) -> IdempotencyKey:
    return IdempotencyKey(text, "whatever")


def test_a_repeated_set_aside_request_is_stored_once(ward: Ward) -> None:
    recall, other = a_recall(ward), a_recall(ward, "L2")
    draft = SetAsideDraft(quantity=Decimal(1))
    uc = ward.use_cases.recalls
    first = uc.set_aside(ward.nurse, recall, draft, idempotency_key=key("k"))
    again = uc.set_aside(ward.nurse, recall, draft, idempotency_key=key("k"))
    assert (again.answer, first.replayed, again.replayed) == (first.answer, False, True)
    with ward.store.begin() as work:
        work.idempotency_store.purge(ward.clock.now + timedelta(days=1), but=0)
    assert uc.set_aside(ward.nurse, recall, draft, idempotency_key=key("k")).answer == first.answer
    with refused(Code.KEY_REUSED):
        uc.set_aside(ward.nurse, other, draft, idempotency_key=key("k"))
    assert uc.list_set_aside(ward.admin, recall)["quantity"] == 1
