"""Mutants: servers with a realistic defect that the faults must find."""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from adapters.cli import send_command
from adapters.server import asgi
from adapters.sql import errors
from adapters.sql.sheets import sheets
from adapters.sql.store import SqlStore
from adapters.sql.unit_of_work import SqlUnitOfWork
from application.billing.outbound_messages import DeliveryResult, DeliveryStatus
from application.use_cases import UseCases
from domain.interop.outbound_message import OutboundMessage
from domain.sheets.detail import Detail
from domain.sheets.sheet import PatientSheet, Sheet

Begin = Callable[[SqlStore], AbstractContextManager[SqlUnitOfWork]]
_begin: Begin = SqlStore.begin

# How long the window is open in which the defect shows.
_WINDOW_SECONDS = 0.03


def acknowledged_before_commit() -> None:
    """Send the answer while the transaction is still being committed."""

    @contextmanager
    def begin(self: SqlStore) -> Iterator[SqlUnitOfWork]:
        unit = _begin(self)
        work = unit.__enter__()
        try:
            yield work
        except BaseException as error:
            unit.__exit__(type(error), error, error.__traceback__)
            raise

        def commit() -> None:
            time.sleep(_WINDOW_SECONDS)
            unit.__exit__(None, None, None)

        threading.Thread(target=commit).start()

    SqlStore.begin = begin  # type: ignore[method-assign]


def _in_second_transaction(kept_in: str, method: str) -> Callable[[], None]:
    """Split one transaction into two, one after the other."""

    def mutate() -> None:
        @contextmanager
        def begin(self: SqlStore) -> Iterator[SqlUnitOfWork]:
            put_off: list[tuple[Any, ...]] = []
            with _begin(self) as work:
                setattr(getattr(work, kept_in), method, lambda *given: put_off.append(given))
                yield work
            if put_off:
                time.sleep(_WINDOW_SECONDS)
                with _begin(self) as work:
                    for given in put_off:
                        getattr(getattr(work, kept_in), method)(*given)

        SqlStore.begin = begin  # type: ignore[method-assign]

    return mutate


def total_kept_afterwards() -> None:
    """Store a line first, and the sheet's total in a second transaction."""

    @contextmanager
    def begin(self: SqlStore) -> Iterator[SqlUnitOfWork]:
        put_off: list[Sheet] = []
        with _begin(self) as work:
            add = work.details.add

            def record(details: Sequence[Detail], sheet: Sheet, reserved_id: int = 0) -> None:
                del reserved_id
                for detail in details:
                    add(detail)
                put_off.append(sheet)

            work.details.record = record  # type: ignore[method-assign]
            yield work
        if put_off:
            time.sleep(_WINDOW_SECONDS)
            with _begin(self) as work:
                for sheet in put_off:
                    work.sheets.save(sheet)

    SqlStore.begin = begin  # type: ignore[method-assign]


def no_lock_on_the_sheet() -> None:
    """Read the sheet without a lock when a line is added."""
    sheets.SqlSheets.lock = sheets.SqlSheets.get  # type: ignore[method-assign]


def no_look_at_the_version() -> None:
    """Ignore the version: the last writer wins."""
    for versioned in (PatientSheet, Detail):
        setattr(versioned, "ensure_version", lambda *_: None)  # noqa: B010


def stores_mixed_up() -> None:
    """Begin some units of work at another hospital of the process."""
    stores: list[SqlStore] = []

    @contextmanager
    def begin(self: SqlStore) -> Iterator[SqlUnitOfWork]:
        if self not in stores:
            stores.append(self)
        with _begin(random.choice(stores) if random.random() < 0.02 else self) as work:
            yield work

    SqlStore.begin = begin  # type: ignore[method-assign]


def keys_forgotten() -> None:
    """Do not look up answers by idempotency key."""

    @contextmanager
    def begin(self: SqlStore) -> Iterator[SqlUnitOfWork]:
        with _begin(self) as work:
            work.idempotency_store.recall = lambda *_: None  # type: ignore[method-assign]
            work.idempotency_store.save = lambda *_: None  # type: ignore[method-assign]
            yield work

    SqlStore.begin = begin  # type: ignore[method-assign]


def troubles_unknown() -> None:
    """Report every database error as a server bug."""
    setattr(errors, "classify_error", lambda _: None)  # noqa: B010


def nothing_stays_but_by_the_clock() -> None:
    """Expire stored answers by the clock only, even the latest ones."""
    setattr(asgi, "_IDEMPOTENCY_KEYS_THAT_STAY", 0)  # noqa: B010


def noted_as_sent_beforehand() -> None:
    """Mark a message as sent before sending it."""

    def send_next(use_cases: UseCases, send: Callable[[OutboundMessage], DeliveryResult]) -> OutboundMessage | None:
        message = use_cases.outbound_messages.claim_due()
        if message is None:
            return None
        noted = use_cases.outbound_messages.record_delivery(message.id, DeliveryResult(DeliveryStatus.ACCEPTED))
        time.sleep(_WINDOW_SECONDS)
        send(message)
        return noted

    send_command.send_next = send_next


MUTANTS: dict[str, Callable[[], None]] = {
    "acknowledged-before-commit": acknowledged_before_commit,
    "key-kept-afterwards": _in_second_transaction("idempotency_store", "keep"),
    "log-kept-afterwards": _in_second_transaction("audit_log", "append"),
    "total-kept-afterwards": total_kept_afterwards,
    "no-lock-on-the-sheet": no_lock_on_the_sheet,
    "no-look-at-the-version": no_look_at_the_version,
    "stores-mixed-up": stores_mixed_up,
    "keys-forgotten": keys_forgotten,
    "troubles-unknown": troubles_unknown,
    "nothing-stays-but-by-the-clock": nothing_stays_but_by_the_clock,
    "noted-as-sent-beforehand": noted_as_sent_beforehand,
}
