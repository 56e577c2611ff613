"""What both databases must do alike: SQLite and PostgreSQL.

Tests of one database belong in `sql/`, rules of use cases in `use_cases/`.
"""
