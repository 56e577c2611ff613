"""Labels to print: their content, their limits and who may print them."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.catalogue.kits import KitDraft, KitLineDraft
from application.labels.ports import LabelSize, LabelSubject, PrintedLabel
from application.labels.print_labels import LABEL_SIZES, LabelItemDraft, LabelsDraft
from domain.common.errors import Forbidden, Refused
from domain.common.policy import Actor, Permission, Role
from domain.scanning.label import LabelKind
from tests.builders import Ward, own_label
from tests.canaries import PRICE


def a_draft(what: str, *ids: int, **more: Any) -> LabelsDraft:
    items = tuple(LabelItemDraft(id=each) for each in ids)
    return LabelsDraft(**{"what": what, "items": items, "size": "50x25", **more})


def printed(ward: Ward, draft: LabelsDraft, who: Actor | None = None) -> tuple[PrintedLabel, ...]:
    return ward.use_cases.labels.print(who or ward.nurse, draft).labels


def refused(ward: Ward, draft: LabelsDraft, who: Actor | None = None) -> list[tuple[str, str | None]]:
    with pytest.raises(Refused) as refusal:
        ward.use_cases.labels.print(who or ward.nurse, draft)
    return [(reason.code, reason.field) for reason in refusal.value.reasons]


@pytest.mark.parametrize("code", ["MC-0005", "ABC 7", "A" * 13])
def test_a_code_that_scans_as_itself_is_printed_as_bars(ward: Ward, code: str) -> None:
    product = ward.product("Gasa", code=code).id
    [label] = printed(ward, a_draft("product", product))
    assert (label.bars, label.has_qr, label.number) == (code, False, code)


@pytest.mark.parametrize("code", [None, "Ñ-1", "A" * 21, "A" * 19, "1012345", "7501234567893", "96385074", "+A123"])
def test_other_products_have_a_qr_of_their_own(ward: Ward, code: str | None) -> None:
    product = ward.product("Gasa", code=code).id
    [label] = printed(ward, a_draft("product", product))
    assert (label.text, label.bars, label.has_qr) == (own_label(ward, LabelKind.PRODUCT, product), None, True)
    only_bars = a_draft("product", ward.product_id, product, symbol="code128")
    assert ("symbol.unfit", "items.1.id") in refused(ward, only_bars)


def test_a_product_may_have_a_qr_despite_its_code(ward: Ward) -> None:
    product = ward.product("Gasa", code="MC-0005").id
    [label] = printed(ward, a_draft("product", product, symbol="qr"))
    assert (label.bars, label.has_qr, label.number) == (None, True, "MC-0005")


def test_a_longer_code_fits_on_a_wider_label(ward: Ward) -> None:
    product = ward.product("Gasa", code="GASA-10X10-ABC").id
    assert [
        printed(ward, a_draft("product", product, size=size))[0].bars is not None
        for size in LABEL_SIZES[LabelSubject.PRODUCT]
    ] == [False, True, True, True]


def test_a_label_has_no_price(ward: Ward) -> None:
    product = ward.product("Gasa", PRICE).id
    labels = ward.use_cases.labels.print(ward.admin, a_draft("product", product))
    assert PRICE.replace(".", "") not in repr(labels).replace(".", "")


def test_a_patient_label_has_surnames_first(ward: Ward) -> None:
    patient = ward.patient("Ofelia", "Zamudio", second_surname="Ríos", record_number="EXP-1").id
    [label] = printed(ward, a_draft("patient", patient, size="57x32"))
    assert (label.name, label.below, label.number) == ("Zamudio Ríos", "Ofelia", "EXP-1")
    assert (label.text, label.bars) == (own_label(ward, LabelKind.PATIENT, patient), "EXP-1")
    assert printed(ward, a_draft("patient", patient))[0].bars is None


@pytest.mark.parametrize(("what", "size"), [("patient", "50x25"), ("band", "band-child")])
def test_each_printed_patient_is_in_the_access_log(ward: Ward, what: str, size: str) -> None:
    patients = [ward.patient("Ana", name).id for name in ("Vega", "Soto")]
    for _ in range(2):
        printed(ward, a_draft(what, *patients, size=size))
    with ward.store.read() as views:
        entries = views.audit.page(AuditQuery(limit=10))["items"]
    noted = [entry["entity_id"] for entry in entries if entry["action"] == "patient.printed"]
    assert sorted(noted) == sorted(patients * 2)


def test_a_label_of_a_product_leaves_no_trace(ward: Ward) -> None:
    with ward.store.read() as views:
        before = views.audit.page(AuditQuery())["meta"]["total"]
        printed(ward, a_draft("product", ward.product_id))
        assert views.audit.page(AuditQuery())["meta"]["total"] == before


def test_a_kit_card_lists_the_kit(ward: Ward) -> None:
    line = KitLineDraft(product_id=ward.product_id, quantity=Decimal(2), optional=True)
    kit = ward.use_cases.kits.create(ward.admin, KitDraft(name="Vía", area_id=ward.area_id, lines=(line,)))
    [label] = printed(ward, a_draft("kit", kit.id, size="a6"))
    assert (label.text, label.name) == (own_label(ward, LabelKind.KIT, kit.id), "Vía")
    assert [(each.quantity, each.optional) for each in label.lines] == [(Decimal(2), True)]
    assert label.below


def test_another_users_kit_and_unknown_ids_are_refused(ward: Ward) -> None:
    line = KitLineDraft(product_id=ward.product_id, quantity=Decimal(1))
    own = ward.use_cases.kits.create(ward.admin, KitDraft(name="Mío", own=True, lines=(line,))).id
    assert refused(ward, a_draft("kit", own)) == [("reference.unknown", "items.0.id")]
    assert len(printed(ward, a_draft("kit", own), ward.admin)) == 1
    missing = a_draft("product", ward.product_id, 999, 10**15)
    assert refused(ward, missing) == [("reference.unknown", "items.1.id"), ("reference.unknown", "items.2.id")]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"what": "sheet"}, ("choice.unknown", "what")),
        ({"what": None}, ("required", "what")),
        ({"size": "a6"}, ("choice.unknown", "size")),
        ({"size": "band-adult"}, ("choice.unknown", "size")),
        ({"size": None}, ("required", "size")),
        ({"symbol": "pdf417"}, ("choice.unknown", "symbol")),
        ({"items": ()}, ("required", "items")),
        ({"items": (LabelItemDraft(),)}, ("required", "items.0.id")),
        ({"items": (LabelItemDraft(id=1, copies=51),)}, ("number.out_of_range", "items.0.copies")),
        ({"items": (LabelItemDraft(id=1, copies=0),)}, ("number.out_of_range", "items.0.copies")),
        ({"items": (LabelItemDraft(id=1),) * 201}, ("items.too_many", "items")),
        ({"items": (LabelItemDraft(id=1, copies=50),) * 41}, ("labels.too_many", "items")),
        ({"start_at": 2}, ("number.out_of_range", "start_at")),
        ({"size": "a4-3x8", "start_at": 25}, ("number.out_of_range", "start_at")),
        ({"size": "letter-3x10", "start_at": 31}, ("number.out_of_range", "start_at")),
    ],
)
def test_what_cannot_be_printed_is_refused_at_its_field(
    ward: Ward, changes: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert refused(ward, replace(a_draft("product", ward.product_id), **changes)) == [expected]


def test_bars_alone_are_only_for_products(ward: Ward) -> None:
    draft = a_draft("patient", ward.patient_id, symbol="code128")
    assert refused(ward, draft) == [("choice.unknown", "symbol")]


def test_every_size_of_every_subject_is_printed(ward: Ward) -> None:
    line = KitLineDraft(product_id=ward.product_id, quantity=Decimal(1))
    kit = ward.use_cases.kits.create(ward.admin, KitDraft(name="Vía", lines=(line,))).id
    ids = {"product": ward.product_id, "kit": kit, "patient": ward.patient_id, "band": ward.patient_id}
    sizes = {(what, size) for what, those in LABEL_SIZES.items() for size in those}
    for what, size in sizes:
        assert len(printed(ward, a_draft(what, ids[what], size=size))) == 1
    assert {size for _, size in sizes} == set(LabelSize)


@pytest.mark.parametrize("missing", [Permission.READ_PATIENTS, Permission.READ_SHEETS])
def test_a_program_needs_both_rights_for_patients(ward: Ward, missing: Permission) -> None:
    scopes = frozenset({Permission.READ_CATALOGUE, Permission.READ_PATIENTS, Permission.READ_SHEETS} - {missing})
    program = Actor(user_id=ward.admin.user_id, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=scopes)
    assert printed(ward, a_draft("product", ward.product_id), program)
    with pytest.raises(Forbidden):
        ward.use_cases.labels.print(program, a_draft("patient", ward.patient_id))
