"""Translation of database errors."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from adapters.sql.engine.connections import classify_error, is_conflict
from adapters.sql.engine.table_mapping import TableMapping
from application.common.store_errors import DuplicateEntry, StoreUnavailable, TransactionConflict
from domain.common.errors import Code, Reason, Refused, RequestInProgress


@contextmanager
def translate_errors() -> Iterator[None]:
    """Translate database errors.

    Constraint violations become refusals, and temporary errors ``StoreUnavailable``.
    """
    try:
        yield
    except IntegrityError as error:
        raise _refusal(error) from error
    except SQLAlchemyError as error:
        trouble = classify_error(error)
        if trouble is None:
            raise
        raise StoreUnavailable(trouble) from error


@contextmanager
def translate_conflicts() -> Iterator[None]:
    """Raise ``TransactionConflict`` on deadlock or serialization failure."""
    try:
        yield
    except DBAPIError as error:
        if is_conflict(error):
            raise TransactionConflict from error
        raise


def _code_in(error: IntegrityError) -> str:
    params = error.params[0] if isinstance(error.params, list) and error.params else error.params
    return str(params.get("code", "")) if isinstance(params, dict) else ""


def _refusal(error: IntegrityError) -> Exception:
    """Return the refusal for a constraint violation; else the error itself."""
    message = str(error.orig)
    if "FOREIGN KEY constraint failed" in message or "foreign key constraint" in message:
        # Another transaction deleted what this refers to, or referred to what this deletes, a moment before.
        if (error.statement or "").startswith("DELETE"):
            return Refused(Reason(Code.IN_USE, params={"count": 1}))
        return Refused(Reason(Code.REFERENCE_GONE))
    if "uq_consumption_details_entry_digest" in message or "consumption_details.entry_digest" in message:
        return DuplicateEntry()
    if "idempotent_answers" in message:
        # The request that held the key ended between reading the answer and claiming the key.
        return RequestInProgress()
    if "uq_passkeys_credential_id" in message or "passkeys.credential_id" in message:
        # Registered at the same moment by another request.
        return Refused(Reason(Code.PASSKEY_TAKEN))
    once = ("late_entries", "unlisted_items", "set_aside")
    if any(f"uq_{table}_entry_digest" in message or f"{table}.entry_digest" in message for table in once):
        # Sent at the same moment for another sheet.
        return Refused(Reason(Code.KEY_REUSED))
    if "uq_inbound_messages_source" in message or "inbound_messages.control_id" in message:
        # Received at the same moment by another thread or process.
        return TransactionConflict()
    if "uq_users_oidc" in message or "users.oidc_subject" in message:
        # The same person signed in for the first time at the same moment.
        return TransactionConflict()
    if "uq_user_badges_digest" in message or "user_badges.digest" in message:
        # Added at the same moment to another account.
        return Refused(Reason(Code.BADGE_TAKEN, "badge"))
    if "uq_product_codes_system" in message or "product_codes.code_key" in message:
        # A product's own GTIN is one of its codes.
        return Refused(Reason(Code.TAKEN, "code", {"what": "product_codes.code", "value": _code_in(error)}))
    for table, field, column in (
        (one.table.name, field, key) for one in TableMapping.every for field, key in one.keys.items()
    ):
        name = getattr(column, "name", None)
        # SQLite names the columns of a constraint; for an index with expressions, it names the index.
        index = f"uq_{table}_{name}"
        if f"UNIQUE constraint failed: {table}.{name}" in message or f'"{index}"' in message or f"'{index}'" in message:
            if field == "staff_id":
                return Refused(Reason(Code.PROFILE_TAKEN, field))
            params = error.params if isinstance(error.params, dict) else {}
            # Catalogues of texts name the kind of entity, not its table.
            what = f"{table.removeprefix('consumption_')}.{field}"
            return Refused(Reason(Code.TAKEN, field, {"what": what, "value": params.get(field, "")}))
    return error
