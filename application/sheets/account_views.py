"""Views of a patient's account, for the family."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, NotRequired, TypedDict

from application.common.redaction import Price, Redacted
from domain.sheets.account import DifferenceKind


class AccountItemView(TypedDict):
    """What was used of one name on a day.

    ``name`` is a plain name, or that of a category: its ``quantity`` then counts ``articles``. ``wasted`` means that it
    was thrown away, and ``included`` that the price of the stay includes it.
    """

    name: str
    quantity: Decimal
    articles: bool
    wasted: bool
    included: NotRequired[Annotated[bool, Redacted.FIELD]]
    total: NotRequired[Price]


class AccountKindView(TypedDict):
    """How many different products of a category were used."""

    name: str
    articles: int
    total: NotRequired[Price]


class AccountDayView(TypedDict):
    """What was used on a day. A long day is printed by its ``kinds``."""

    day: date
    total: NotRequired[Price]
    items: list[AccountItemView]
    kinds: list[AccountKindView]


class ReturnedView(TypedDict):
    """What came back, by the day of its use."""

    day: date
    name: str
    quantity: Decimal
    articles: bool


class AccountMomentView(TypedDict):
    """A moment at which the account was printed or the sheet was closed.

    ``since`` names it in other calls, such as account-2 or closing-1.
    """

    since: str
    at: datetime
    total: NotRequired[Price]


class AccountView(TypedDict):
    """The account of a sheet in plain words, at a moment.

    ``version`` is the sheet's at that moment. ``without_price`` is the number of lines whose product had no price.
    ``issued`` are the earlier moments, the first one first.
    """

    sheet_id: int
    version: int
    closed: bool
    at: datetime
    total: NotRequired[Price]
    days: list[AccountDayView]
    kinds: list[AccountKindView]
    returned: list[ReturnedView]
    unlisted_items: int
    late_entries: int
    without_price: NotRequired[Annotated[int, Redacted.FIELD]]
    issued: list[AccountMomentView]


class IssuedAccountView(TypedDict):
    """An account that can be printed.

    ``of`` names it. A closed sheet's is that of its closing, which has no number (``id``) of its own. ``proof`` is the
    text in the symbol of the paper.
    """

    of: str
    id: int | None
    proof: str | None


class AccountDifferenceView(TypedDict):
    """A reason why an account differs from an earlier one.

    The ``quantity`` of what was corrected is signed.
    """

    kind: DifferenceKind
    name: str
    quantity: Decimal
    articles: bool
    amount: NotRequired[Price]


class AccountChangesView(TypedDict):
    """Why an account differs from that of a moment, ``since``.

    The amounts add up to the ``difference`` of the totals.
    """

    since: datetime
    total_then: NotRequired[Price]
    total_now: NotRequired[Price]
    difference: NotRequired[Price]
    items: list[AccountDifferenceView]


class PrintedAccountView(TypedDict):
    """An account for printing, without staff, codes, lots and diagnosis.

    ``number`` is that of the issued account, or of the sheet if it is that of a closing. ``changes`` tell the
    difference to the moment before.
    """

    account: AccountView
    patient: str
    room: str
    admission_date: date
    number: int
    turn: int
    proof: str | None
    printed_at: datetime
    changes: AccountChangesView | None
