"""Rows in every table, as use cases write them."""

from decimal import Decimal

import pytest

from adapters.sql.audit.audit_seals import seal
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
from domain.common.errors import InvalidCredentials
from domain.sheets.missed_charges import ProductPair
from domain.status.backup import Backup
from tests.builders import PASSWORD, Ward, a_hospital_draft, a_passkey, an_image
from tests.hl7.messages import Post, adt
from tests.imports.importing import bring_in_a_product
from tests.sql.corrections import make_corrections


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


def fill_every_table(ward: Ward, database_url: str) -> None:
    """Put rows into every table but ``write_trials``."""
    everything_that_money_does(ward)
    ward.use_cases.sheets.reader.page(ward.admin, SheetQuery())
    seal(database_url, ward.clock())
    ward.use_cases.contingency_forms.print(ward.nurse, FormsDraft(blank=1))
    ward.use_cases.accounts.issue(ward.nurse, ward.sheet()["id"])
    with ward.store.begin() as work:
        work.setup_links.replace(SetupLink("of a hash", ward.clock()))
        work.pins.save(StoredPin(ward.nurse.user_id, "a hash", ward.clock()))
        work.badges.add(Badge(user_id=ward.nurse.user_id, digest="d", made_by=ward.admin.user_id, made_at=ward.clock()))
        work.passkeys.add(a_passkey(ward.nurse.user_id, ward.clock()))
        work.passkey_secrets.add(PasskeySecret("d", SecretPurpose.LINK, ward.nurse.user_id, ward.clock(), made_by=1))
