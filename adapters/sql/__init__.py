"""SQL store on SQLAlchemy Core, for SQLite and PostgreSQL.

``store`` opens units of work and read models, and ``engine`` knows no topic. A topic has its ``tables``, which any
query may join; a module per noun with its mapping, its store and its list; and a module per question that joins nouns,
such as ``usual_products``. It has no business rules and no HTTP.
"""

# Together, because a foreign key takes its type from the table that it refers to.
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
