"""Learned product pairs, and answers about missing products."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Integer, bindparam, case, literal_column, select, text

from adapters.sql.sheets.tables import missed_charge_answers, product_pairs, sheets
from application.sheets.stores import MissedChargeAnswer
from domain.sheets.missed_charges import ProductPair

_FORGET = product_pairs.update().where(product_pairs.c.sheets > 0).values(sheets=0, together=0)
_LEARN = text(
    "INSERT INTO product_pairs (because_id, product_id, sheets, together, denials)"
    " VALUES (:because_id, :product_id, :sheets, :together, 0)"
    " ON CONFLICT (because_id, product_id) DO UPDATE SET sheets = excluded.sheets, together = excluded.together"
)
_DENIED = (
    select(product_pairs)
    .where(product_pairs.c.sheets == 0)
    .order_by(product_pairs.c.denials.desc(), product_pairs.c.because_id, product_pairs.c.product_id)
)
_IS_PAIR = (
    product_pairs.c.because_id == bindparam("of_because"),
    product_pairs.c.product_id == bindparam("of_product"),
)
_DROP = product_pairs.delete().where(*_IS_PAIR)
_CHANGED = product_pairs.c.denials + bindparam("change", type_=Integer)
_COUNT_DENIAL = (
    product_pairs.update()
    .where(*_IS_PAIR)
    .values(denials=case((literal_column("0") > _CHANGED, literal_column("0")), else_=_CHANGED))
    .returning(product_pairs.c.denials)
)
_ONE_ANSWER = select(missed_charge_answers).where(
    missed_charge_answers.c.sheet_id == bindparam("of_sheet"),
    missed_charge_answers.c.product_id == bindparam("of_product"),
)
_ONE = select(product_pairs).where(*_IS_PAIR)
_ANSWER = text(
    "INSERT INTO missed_charge_answers (sheet_id, product_id, because_id, used)"
    " VALUES (:sheet_id, :product_id, :because_id, :used)"
    " ON CONFLICT (sheet_id, product_id) DO UPDATE SET because_id = excluded.because_id, used = excluded.used"
)
_PURGE = missed_charge_answers.delete().where(
    missed_charge_answers.c.sheet_id.in_(
        select(sheets.c.id).where(sheets.c.closed_at < bindparam("before", type_=sheets.c.closed_at.type))
    )
)


class SqlMissedCharges:
    """Learned pairs and answers within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def replace_pairs(self, pairs: Sequence[ProductPair], *, max_denied: int) -> None:
        """Store the learned pairs, instead of the earlier ones.

        Denials are counted by single updates meanwhile, so they are not overwritten.
        """
        self._connection.execute(_FORGET)
        if pairs:
            names = ("because_id", "product_id", "sheets", "together")
            self._connection.execute(_LEARN, [{name: getattr(pair, name) for name in names} for pair in pairs])
        others = self._connection.execute(_DENIED).all()
        surplus = [row for place, row in enumerate(others) if place >= max_denied or row.denials == 0]
        if surplus:
            rows = [{"of_because": row.because_id, "of_product": row.product_id} for row in surplus]
            self._connection.execute(_DROP, rows)

    def pair(self, because_id: int, product_id: int) -> ProductPair | None:
        """Return a pair, also one that is no longer learned."""
        row = self._connection.execute(_ONE, {"of_because": because_id, "of_product": product_id}).one_or_none()
        return None if row is None else ProductPair(**row._mapping)

    def answer(self, sheet_id: int, product_id: int) -> MissedChargeAnswer | None:
        """Return the answer about a product on a sheet."""
        row = self._connection.execute(_ONE_ANSWER, {"of_sheet": sheet_id, "of_product": product_id}).one_or_none()
        return MissedChargeAnswer(row.sheet_id, row.product_id, row.because_id, row.used) if row else None

    def count_denial(self, because_id: int, product_id: int, change: int) -> int | None:
        """Change how often a pair was denied, and return the number."""
        pair = {"of_because": because_id, "of_product": product_id, "change": change}
        found: int | None = self._connection.execute(_COUNT_DENIAL, pair).scalar_one_or_none()
        return found

    def save_answer(self, answer: MissedChargeAnswer) -> None:
        """Store an answer, instead of an earlier one about the same product."""
        self._connection.execute(_ANSWER, answer._asdict())

    def purge_answers(self, closed_before: datetime) -> None:
        """Delete the answers on sheets that were closed before a moment."""
        self._connection.execute(_PURGE, {"before": closed_before})
