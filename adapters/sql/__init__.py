"""SQL store on SQLAlchemy Core, for SQLite and PostgreSQL.

``store`` opens units of work and read models. ``engine`` knows no table's module; there is one module per table in
``repositories`` and per query in ``readers``. It has no business rules and no HTTP.
"""
