"""Kits: their lines, visibility and permissions."""

from decimal import Decimal

import pytest

from domain.catalogue.kit import MAX_LINES, Kit, KitLine, required_permission, validate_lines
from domain.common.errors import Code, VersionConflict
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from tests.assertions import refused
from tests.builders import a_nurse, a_supervisor, an_admin


def lines(*product_ids: int) -> list[KitLine]:
    return [KitLine(product_id=product_id, quantity=Decimal(1)) for product_id in product_ids]


def check(kit_lines: list[KitLine]) -> None:
    checks = Validator()
    validate_lines(checks, kit_lines)
    checks.raise_if_invalid()


def test_a_kit_has_one_to_sixty_products_without_repeats() -> None:
    check(lines(1))
    check(lines(*range(1, MAX_LINES + 1)))
    with refused((Code.REQUIRED, "lines")):
        check([])
    with refused((Code.LINES_TOO_MANY, "lines")):
        check(lines(*range(1, MAX_LINES + 2)))
    with refused((Code.KIT_PRODUCT_TWICE, "lines.2.product_id"), (Code.KIT_PRODUCT_TWICE, "lines.3.product_id")):
        check(lines(7, 8, 7, 7))


def test_lines_without_a_product_are_no_repeats() -> None:
    check(lines(0, 0))


@pytest.mark.parametrize("who", [a_nurse(), a_supervisor(), an_admin()])
def test_shared_kits_are_visible_to_all_own_ones_to_their_owner(who: Actor) -> None:
    assert Kit(name="Vía").is_visible_to(who)
    assert Kit(name="Vía", user_id=who.user_id).is_visible_to(who)
    assert not Kit(name="Vía", user_id=who.user_id + 1).is_visible_to(who)
    assert not Kit(name="Vía", user_id=who.user_id, active=False).is_visible_to(who)


def test_shared_and_personal_kits_need_different_permissions() -> None:
    assert required_permission(None) is Permission.MANAGE_KITS
    assert required_permission(1) is Permission.MANAGE_OWN_KITS


def test_a_retired_kit_keeps_its_name_and_has_no_lines() -> None:
    kit = Kit(id=3, name="Vía", area_id=4, user_id=1, lines=tuple(lines(7)), version=2)
    assert kit.retired() == Kit(id=3, name="Vía", user_id=1, active=False, version=3)
    assert kit.active


def test_a_change_needs_a_seen_version_if_one_is_given() -> None:
    kit = Kit(name="Vía", version=2)
    kit.ensure_version(None)
    kit.ensure_version(frozenset({2}))
    with pytest.raises(VersionConflict):
        kit.ensure_version(frozenset({1}))
