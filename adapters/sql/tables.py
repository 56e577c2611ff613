"""All tables of the schema: take ``metadata`` from here, so that it is complete."""

import adapters.sql.accounts.tables
import adapters.sql.audit.tables
import adapters.sql.billing.tables
import adapters.sql.catalogue.tables
import adapters.sql.common.tables
import adapters.sql.forms.tables
import adapters.sql.hospital.tables
import adapters.sql.imports.tables
import adapters.sql.inbound.tables
import adapters.sql.people.tables
import adapters.sql.reports.tables
import adapters.sql.restock.tables
import adapters.sql.sheets.tables
import adapters.sql.status.tables
from adapters.sql.engine.columns import metadata

__all__ = ["metadata"]
