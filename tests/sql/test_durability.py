"""SQLite with its real settings: WAL, full durability, foreign keys.

No column may contain a binary float.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal

import pytest
from sqlalchemy import Engine, make_url

from adapters.sql.audit.audit_seals import seal
from adapters.sql.store import SqlStore
from application.accounts.ports.unlocking import StoredPin
from application.accounts.sessions.identify import SignedIn
from application.accounts.sign_in.sign_in import Credentials
from application.catalogue.kits import KitDraft, KitLineDraft
from application.catalogue.product_codes import ProductCodeDraft
from application.catalogue.products import ProductDraft
from application.catalogue.set_aside import SetAsideDraft
from application.catalogue.typed_names import TypedNameDraft
from application.common.idempotency import IdempotencyKey
from application.forms.print_forms import FormsDraft
from application.inbound.held_messages import RoomAnswerDraft
from application.reports.judge import JudgementDraft
from application.restock.restock_lists import CloseRestockDraft, PutBackDraft, ShelfDraft
from application.scanning.look_up_product import Lookup
from application.sheets.lines.missed_charges import MissedChargeDraft
from application.sheets.recalls import RecallDraft
from application.sheets.views import SheetQuery
from application.status.report_outbox import OutboxDraft
from domain.accounts.badge import Badge
from domain.accounts.passkey import PasskeySecret, SecretPurpose
from domain.accounts.user import SetupLink
from domain.catalogue.product import Product
from domain.common.errors import InvalidCredentials, Refused
from domain.sheets.missed_charges import ProductPair
from domain.status.backup import Backup
from tests.builders import PASSWORD, ZONE, Ward, a_hospital_draft, a_passkey, a_ward, an_image
from tests.hl7.messages import Post, adt
from tests.imports.importing import bring_in_a_product
from tests.sql.corrections import make_corrections

SYNCHRONOUS_FULL = 2


@pytest.fixture
def store(sqlite_url: str) -> Iterator[SqlStore]:
    store = SqlStore(sqlite_url, ZONE)
    yield store
    store.close()


@pytest.fixture
def ward(store: SqlStore) -> Ward:
    return a_ward(store, charging=True)


def pragma(engine: Engine, name: str) -> object:
    with engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("synchronous", SYNCHRONOUS_FULL), ("foreign_keys", 1), ("busy_timeout", 30_000)],
)
def test_every_connection_is_durable_and_has_foreign_keys(store: SqlStore, name: str, value: object) -> None:
    assert pragma(store._writing, name) == value
    assert pragma(store._reading, name) == value


def test_a_connection_opened_later_has_the_same_settings(store: SqlStore) -> None:
    with store.read(), store.read(), store.read():
        assert pragma(store._reading, "synchronous") == SYNCHRONOUS_FULL
        assert pragma(store._reading, "foreign_keys") == 1


def test_a_unit_of_work_takes_the_write_lock_at_its_start(store: SqlStore, sqlite_url: str) -> None:
    """With BEGIN IMMEDIATE, other writers are locked out before any read."""
    with store.begin(), closing(sqlite3.connect(make_url(sqlite_url).database or "", timeout=0)) as other:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        assert other.execute("SELECT count(*) FROM users").fetchone() == (0,)


def test_a_reference_to_a_missing_row_is_refused(ward: Ward) -> None:
    with pytest.raises(Refused), ward.store.begin() as work:
        work.products.add(Product(name="Venda", price=Decimal(1), category_id=999))
    with ward.store.read() as views:
        assert views.products.one(2) is None


def everything_that_money_does(ward: Ward) -> None:
    """Put amounts, quantities, times and texts into every table."""
    uc, admin = ward.use_cases, ward.admin
    uc.session.sign_in(Credentials(email="user@consumo.test", password=PASSWORD))
    with pytest.raises(InvalidCredentials):
        uc.session.sign_in(Credentials(email="user@consumo.test", password="not this one"))
    uc.users.create_reset_link(admin, ward.nurse.user_id)
    sheet_id = ward.sheet()["id"]
    for number, (price, quantity) in enumerate([("0.10", "0.1"), ("3.33", "2.999"), ("999999999.99", "33.333")]):
        product = ward.product("Venda", price, code=f"V-{number}")
        draft = ward.detail_draft(quantity, product_id=product.id, area_id=ward.area_id)
        idempotency_key = IdempotencyKey(key=f"k-{number}", fingerprint="x")
        detail = uc.details.add(ward.nurse, draft, sheet_id=sheet_id, idempotency_key=idempotency_key).answer
        uc.details.edit(admin, detail["id"], ward.detail_draft("1.5", product_id=product.id, total=Decimal("0.07")))
        changed = ProductDraft(name="Venda 2", price=Decimal("1.1"), category_id=ward.category_id)
        uc.products.update(admin, product.id, changed)
    kit_line = KitLineDraft(product_id=ward.product_id, quantity=Decimal("0.3"))
    uc.kits.create(admin, KitDraft(name="Vía", lines=(kit_line,)))
    uc.products.add_code(admin, ward.product_id, ProductCodeDraft(system="hibc", code="+A1", units=Decimal("0.7")))
    recall = uc.recalls.open(admin, RecallDraft(product_id=product.id, lot="L1", reason="Empaque"))
    uc.recalls.set_aside(ward.nurse, recall.id, SetAsideDraft(quantity=Decimal("0.7")))
    settings = ShelfDraft(shelf="B 2", fixed_amount=Decimal("0.7"))
    uc.restock.set_shelf(admin, ward.area_id, ward.product_id, settings)
    for number in (1, 2):
        ward.detail(sheet_id, "0.3", product_id=ward.product_id, area_id=ward.area_id)
        put_back = PutBackDraft(number=number, quantity=Decimal("0.3"))
        uc.restock.put_back(ward.nurse, ward.area_id, ward.product_id, put_back)
        if number == 1:
            uc.restock.close(ward.nurse, ward.area_id, CloseRestockDraft(number=number))
    past = ward.detail_draft(
        "1.5",
        product_id=product.id,
        total=Decimal("0.07"),
        lot="L1",
        acknowledged=("lot.recalled",),
        recall_reason="No había otro",
    )
    uc.details.edit(admin, detail["id"], past)
    implant = ward.product("Marcapasos", implant=True).id
    asked = ("implant.incomplete",)
    ward.detail(sheet_id, product_id=implant, acknowledged=asked, implant_reason="No lo trae")
    uc.products.look_up(ward.nurse, Lookup(gtin="07501031311309"))
    uc.products.pin(ward.nurse, ward.product_id)
    uc.sheets.list_usual_products(ward.nurse, sheet_id)
    uc.products.set_picture(admin, ward.product_id, an_image())
    uc.typed_names.note(ward.nurse, ward.product_id, TypedNameDraft(text="torunda"))
    uc.reports.judge_right(admin, JudgementDraft(kind="sheet_quiet", sheet_id=sheet_id))
    unsent = OutboxDraft(count=2, oldest_at=ward.clock())
    uc.status.report_outbox(SignedIn(ward.nurse, ""), "4c9e6679-7425-40de-944b-e07fc1f90ae7", unsent)
    everyday = ProductPair(because_id=ward.product_id, product_id=product.id, sheets=99, together=95)
    with ward.store.begin() as work:
        work.missed_charges.replace_pairs([everyday], max_denied=0)
    answer = MissedChargeDraft(because_id=ward.product_id, used=False)
    uc.missed_charges.answer(ward.nurse, sheet_id, product.id, answer)
    uc.missed_charges.learn()
    uc.status.record_backup(Backup(made_at=ward.clock(), size=1_000))
    uc.sheets.close(admin, sheet_id)
    make_corrections(ward, sheet_id)
    post = Post(ward)
    kept = post.send(adt("A01", location="UCI^201^B"))
    uc.inbound_messages.reprocess_held(
        uc.inbound_messages.assign_room(admin, kept.id, RoomAnswerDraft(room_id=ward.room_id))
    )
    uc.inbound_messages.record_receiver_settings("0" * 64)
    uc.hospital.change_settings(admin, a_hospital_draft(ask_above_total=Decimal("0.30")))
    bring_in_a_product(ward)
    # A line of an earlier month is changed.
    line = ward.detail(ward.sheet()["id"], "0.1", product_id=ward.product("Jeringa", "0.10").id)
    ward.clock.advance(days=31)
    uc.details.delete(admin, line["id"])


def test_no_column_of_any_table_has_a_binary_float(ward: Ward, sqlite_url: str) -> None:
    everything_that_money_does(ward)
    ward.use_cases.sheets.reader.page(ward.admin, SheetQuery())
    seal(sqlite_url, ward.clock())
    ward.use_cases.contingency_forms.print(ward.nurse, FormsDraft(blank=1))
    ward.use_cases.accounts.issue(ward.nurse, ward.sheet()["id"])
    with ward.store.begin() as work:
        work.setup_links.replace(SetupLink("of a hash", ward.clock()))
        work.pins.save(StoredPin(ward.nurse.user_id, "a hash", ward.clock()))
        work.badges.add(Badge(user_id=ward.nurse.user_id, digest="d", made_by=ward.admin.user_id, made_at=ward.clock()))
        work.passkeys.add(a_passkey(ward.nurse.user_id, ward.clock()))
        work.passkey_secrets.add(PasskeySecret("d", SecretPurpose.LINK, ward.nurse.user_id, ward.clock(), made_by=1))
    with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kinds: dict[str, set[str]] = {}
        for table in tables:
            for _, column, *_ in connection.execute(f'PRAGMA table_info("{table}")').fetchall():
                found = connection.execute(f'SELECT DISTINCT typeof("{column}") FROM "{table}"').fetchall()  # noqa: S608
                kinds[f"{table}.{column}"] = {kind for (kind,) in found}
        filled = {name.partition(".")[0] for name, kind in kinds.items() if kind}
        assert not {name for name, kind in kinds.items() if "real" in kind}
        assert kinds["consumption_details.total"] == kinds["products.price"] == {"integer"}
        # write_trials is only for testing whether writes work, and always empty.
        assert {table for table in tables if not table.startswith("sqlite_")} - {
            "write_trials",
            "products_words_code_idx",
        } <= filled
        assert connection.execute("SELECT count(*), sum(total) FROM consumption_details").fetchone() == (8, 2122)


def test_the_word_index_matches_the_names_of_products(ward: Ward, sqlite_url: str) -> None:
    everything_that_money_does(ward)
    with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as connection:
        connection.execute("DELETE FROM products WHERE id NOT IN (SELECT product_id FROM consumption_details)")
        # This statement fails if index and products differ.
        connection.execute("INSERT INTO products_words (products_words, rank) VALUES ('integrity-check', 1)")
        found = connection.execute("SELECT count(*) FROM products_words WHERE products_words MATCH '\"venda 2\"'")
        assert found.fetchone() == (3,)


def test_committed_data_survives_reopening_the_file(ward: Ward, sqlite_url: str) -> None:
    sheet = ward.sheet()
    ward.detail(sheet["id"])
    assert isinstance(ward.store, SqlStore)
    ward.store.close()
    reopened = SqlStore(sqlite_url, ZONE)
    try:
        with reopened.read() as views:
            kept = views.sheets.one(sheet["id"])
    finally:
        reopened.close()
    assert kept
    assert kept["total"] == Decimal("12.50")
