"""The store on SQLAlchemy Core: one file per table or query, for SQLite and PostgreSQL. No rule, no HTTP."""
