"""Search that treats look-alike characters as equal; partial codes

Revision: 0023
"""

from collections.abc import Hashable
from typing import Any

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import build_index, recompute
from domain.common.text import fold, fold_code, fold_person, fold_product, sort_name, unique_key
from domain.people.patient import search_text

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

# Prefix of the keys of retired entities. No name begins with it.
_OUT_OF_USE = "\x1f"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _index_codes_on_sqlite()
    else:
        _index_codes_on_postgresql()
    # Rows written by the previous version in the meantime are found as before.
    for table in ("areas", "rooms", "categories", "kits"):
        recompute(_table(table, "name", "name_folded"), lambda row: {"name_folded": fold(row.name)})
    recompute(_table("products", "name", "name_folded", "code", "code_folded"), _product)
    names = ("name", "first_surname", "second_surname", "search_folded", "sort_folded")
    recompute(_table("patients", *names, "record_number"), _patient)
    recompute(_table("staff", *names), _staff)
    recompute(_table("consumption_sheets", "doctor", "diagnosis", "search_folded"), _sheet)
    _renew_keys("areas", "name", "name_key")
    _renew_keys("categories", "code", "code_key")
    _renew_keys("products", "code", "code_key")
    _renew_keys("product_codes", "code", "code_key", within="system")
    _renew_keys("patients", "record_number", "record_key")
    _renew_keys("patient_identifiers", "value", "value_key", within="system")
    _renew_keys("users", "email", "email_key")
    _renew_keys("kits", "name", "name_key", within="user_id")


def _index_codes_on_sqlite() -> None:
    """Create a trigram index of product codes, updated by triggers."""
    remove = (
        "INSERT INTO products_words_code (products_words_code, rowid, code_folded) "
        "VALUES ('delete', old.id, old.code_folded); "
    )
    add = "INSERT INTO products_words_code (rowid, code_folded) VALUES (new.id, new.code_folded); "
    for statement in (
        "CREATE VIRTUAL TABLE products_words_code USING fts5 "
        "(code_folded, content='products', content_rowid='id', tokenize='trigram')",
        "INSERT INTO products_words_code (products_words_code) VALUES ('rebuild')",
        f"CREATE TRIGGER products_words_code_added AFTER INSERT ON products BEGIN {add} END",
        f"CREATE TRIGGER products_words_code_removed AFTER DELETE ON products BEGIN {remove} END",
        "CREATE TRIGGER products_words_code_changed AFTER UPDATE OF code_folded ON products "
        f"WHEN old.code_folded IS NOT new.code_folded BEGIN {remove}{add} END",
    ):
        op.execute(statement)


def _index_codes_on_postgresql() -> None:
    """Create a trigram index of product codes if the server supports it."""
    installed = sa.text("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'")
    if op.get_bind().execute(installed).scalar():
        build_index(
            "ix_products_words_code",
            "products",
            ["code_folded"],
            postgresql_using="gin",
            postgresql_ops={"code_folded": "gin_trgm_ops"},
        )


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *map(sa.column, ("id", *columns)))


def _product(row: Any) -> dict[str, str | None]:
    return {"name_folded": fold_product(row.name), "code_folded": fold_code(row.code or "") or None}


def _patient(row: Any) -> dict[str, str]:
    names = (row.name, row.first_surname, row.second_surname)
    return {"search_folded": search_text(*names, row.record_number), "sort_folded": sort_name(*names)}


def _staff(row: Any) -> dict[str, str]:
    names = (row.name, row.first_surname, row.second_surname)
    return {"search_folded": fold_person(" ".join(filter(None, names))), "sort_folded": sort_name(*names)}


def _sheet(row: Any) -> dict[str, str]:
    return {"search_folded": f"{fold_person(row.doctor)}\t{fold_person(row.diagnosis)}"}


def _renew_keys(name: str, text: str, key: str, *, within: str | None = None) -> None:
    """Recompute the keys of a table.

    Of several texts that look alike, only one gets the new key; the others keep theirs.
    """
    table = _table(name, text, key, *filter(None, [within]))

    def scope(row: Any) -> Hashable:
        return getattr(row, within) if within else None

    taken = {(scope(row), getattr(row, key)) for row in op.get_bind().execute(sa.select(table))}

    def renew(row: Any) -> dict[str, str]:
        before = getattr(row, key)
        is_gtin = within == "system" and row.system == "gtin"
        if before is None or is_gtin or before.startswith(_OUT_OF_USE):
            return {}
        after = unique_key(getattr(row, text))
        if (scope(row), after) in taken:
            return {}
        taken.add((scope(row), after))
        return {key: after}

    recompute(table, renew)
