"""Pictures of products."""

import pytest

from application.audit.views import AuditQuery
from application.catalogue.views import ProductQuery
from domain.common.errors import NotFound
from tests.builders import Ward, an_image
from tests.contracts.catalogue.test_catalogue import read


def digest_of(ward: Ward) -> str | None:
    return ward.use_cases.products.reader.one(ward.nurse, ward.product_id)["picture"]


def test_what_changes_no_picture_leaves_no_entry(ward: Ward) -> None:
    uc = ward.use_cases.products
    uc.remove_picture(ward.admin, ward.product_id)
    uc.set_picture(ward.admin, ward.product_id, an_image())
    version, _ = read(ward)
    uc.set_picture(ward.admin, ward.product_id, an_image())
    assert read(ward)[0] == version
    entries = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="product", entity_id=ward.product_id))
    assert [one["action"] for one in entries["items"] if "picture" in one["action"]] == ["product.picture_set"]


def test_every_view_of_a_product_names_its_picture(ward: Ward) -> None:
    uc, sheet_id = ward.use_cases, ward.sheet()["id"]
    uc.products.set_picture(ward.admin, ward.product_id, an_image())
    digest = digest_of(ward)
    assert digest
    other = ward.product("Sonda").id
    listed = uc.products.reader.page(ward.nurse, ProductQuery())["items"]
    assert {one["id"]: one["picture"] for one in listed} == {ward.product_id: digest, other: None}
    uc.products.pin(ward.nurse, ward.product_id)
    ward.detail(sheet_id, by=ward.nurse, product_id=other)
    usual = uc.sheets.list_usual_products(ward.nurse, sheet_id)["items"]
    assert [(one["id"], one["picture"]) for one in usual] == [(ward.product_id, digest), (other, None)]


def test_devices_learn_which_products_have_a_picture(ward: Ward) -> None:
    uc = ward.use_cases.products
    versions = [read(ward)[0]]
    assert read(ward)[1]["pictures"] == []
    uc.set_picture(ward.admin, ward.product_id, an_image())
    versions.append(read(ward)[0])
    assert read(ward)[1]["pictures"] == [(ward.product_id, digest_of(ward))]
    uc.remove_picture(ward.admin, ward.product_id)
    versions.append(read(ward)[0])
    assert sorted(set(versions)) == versions


def test_a_product_is_deleted_with_its_picture(ward: Ward) -> None:
    product = ward.product("Sonda").id
    ward.use_cases.products.set_picture(ward.admin, product, an_image())
    ward.use_cases.products.delete(ward.admin, product)
    with ward.store.begin() as work:
        assert work.product_pictures.get(product) is None
        assert work.product_pictures.digest(product) is None
    for missing in (ward.use_cases.products.remove_picture, ward.use_cases.products.read_picture):
        with pytest.raises(NotFound):
            missing(ward.admin, product)
    with pytest.raises(NotFound):
        ward.use_cases.products.set_picture(ward.admin, product, an_image())
