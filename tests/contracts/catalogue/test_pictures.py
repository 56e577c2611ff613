"""Contract of every store: pictures of products."""

import pytest

from adapters.files.images import read_picture
from application.audit.views import AuditQuery
from domain.common.errors import NotFound
from tests.builders import Ward, an_image
from tests.use_cases.catalogue.test_pictures import digest_of


def test_a_picture_is_stored_replaced_and_removed(ward: Ward) -> None:
    uc = ward.use_cases.products
    assert digest_of(ward) is None
    with pytest.raises(NotFound):
        uc.read_picture(ward.nurse, ward.product_id)
    first, second = (read_picture(an_image(size=size)).content for size in ((300, 200), (20, 30)))
    uc.set_picture(ward.supervisor, ward.product_id, first)
    picture = uc.read_picture(ward.nurse, ward.product_id)
    assert (picture.content, picture.media_type, picture.width, picture.height) == (first, "image/png", 300, 200)
    assert (picture.product_id, picture.at, picture.digest) == (ward.product_id, ward.clock.now, digest_of(ward))
    uc.set_picture(ward.admin, ward.product_id, second)
    replaced = uc.read_picture(ward.nurse, ward.product_id)
    assert (replaced.content, replaced.digest) == (second, digest_of(ward))
    assert replaced.digest != picture.digest
    uc.remove_picture(ward.admin, ward.product_id)
    assert digest_of(ward) is None
    entries = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="product", entity_id=ward.product_id))
    noted = [(one["action"], one["changes"]) for one in entries["items"]][:3]
    assert noted == [
        ("product.picture_removed", {"picture": [replaced.digest, None]}),
        ("product.picture_set", {"picture": [picture.digest, replaced.digest]}),
        ("product.picture_set", {"picture": [None, picture.digest]}),
    ]
