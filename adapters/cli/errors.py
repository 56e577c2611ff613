"""Error messages of commands."""

import psycopg
from sqlalchemy.exc import DatabaseError, OperationalError

from adapters.cli.common import said
from adapters.hl7.folder import MessageNotStored
from adapters.i18n import messages
from adapters.server.serving import CannotServe
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.sql.backups import BackupProblem
from adapters.sql.copies.copy_without_names import CopyProblem
from adapters.sql.migrate import ExtensionElsewhere, TablesInUse
from application.common.paging import InvalidQuery
from application.common.store_errors import StoreUnavailable
from domain.common.errors import Forbidden, NotFound, Refused


def sentence_for(error: Exception, database: str = "CONSUMO_DATABASE_URL") -> str | None:
    """Return the message for an expected error; None for a bug.

    ``database`` is the variable of the database that was used.
    """
    match error:
        case InvalidSetting() | BackupProblem() | CopyProblem() | CannotServe() | MessageNotStored():
            return str(error)
        case Refused():
            return said(error.reasons)
        case Forbidden():
            return messages.problem("en", error.code)
        case NotFound():
            return messages.problem("en", "not_found")
        case InvalidQuery():
            return messages.problem("en", "malformed_query").format(field=error.field)
        case TablesInUse():
            return "A table is in use and was not let go of for minutes: try again later."
        case ExtensionElsewhere():
            return (
                f"The extension pg_trgm is in the schema {error}, where this database user does not find it: run "
                "ALTER EXTENSION pg_trgm SET SCHEMA public in this database, and try again."
            )
        case StoreUnavailable():
            return _database_unusable(error.__cause__ or error, database)
        case DatabaseError() if type(error) in (OperationalError, DatabaseError) or _is_about_url(error):
            return _database_unusable(error, database)
    return None


def _is_about_url(error: DatabaseError) -> bool:
    """Return whether the driver itself refused the URL's parameters."""
    return isinstance(error.orig, psycopg.ProgrammingError) and error.orig.sqlstate is None


def _database_unusable(error: BaseException, database: str) -> str:
    cause = str(error.orig if isinstance(error, DatabaseError) else error).partition("\n")[0].strip()
    return f"{database}: the database cannot be used: {cause}."
