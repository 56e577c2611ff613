"""Doing many things as one: kept together, undone together."""

from application.areas import AreaDraft
from application.join_unit_of_work import joined
from application.retry import with_retries
from domain.errors import Code
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import kept, nothing_written


def test_what_joins_a_unit_of_work_is_kept_with_it(ward: Ward) -> None:
    with ward.store.begin() as work:
        for name in ("UCI", "Quirófano"):
            joined(ward.use_cases.create_area, work)(ward.admin, AreaDraft(name=name))
    assert [area.name for area in kept(ward).areas.values()] == ["Urgencias", "UCI", "Quirófano"]


def test_what_joins_a_unit_of_work_is_undone_with_it(ward: Ward) -> None:
    def fail_halfway() -> None:
        with ward.store.begin() as work:
            joined(ward.use_cases.create_area, work)(ward.admin, AreaDraft(name="UCI"))
            joined(ward.use_cases.create_area, work)(ward.admin, AreaDraft(name="Urgencias"))

    with nothing_written(ward), refused((Code.TAKEN, "name")):
        fail_halfway()


def test_what_is_done_again_after_a_collision_joins_as_well(ward: Ward) -> None:
    """Within a unit of work of others it is not done again on its own."""
    with ward.store.begin() as work:
        joined(with_retries(ward.use_cases).create_area, work)(ward.admin, AreaDraft(name="UCI"))
    assert "UCI" in [area.name for area in kept(ward).areas.values()]
