"""SQL store on SQLAlchemy Core, for SQLite and PostgreSQL.

There is one module per table or query. It has no business rules and no HTTP.
"""
