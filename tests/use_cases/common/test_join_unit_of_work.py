"""Joining several use cases in one unit of work."""

from application.catalogue.areas import AreaDraft
from application.common.use_case import bind_to
from domain.common.errors import Code
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import kept, nothing_written


def test_joined_calls_are_committed_together(ward: Ward) -> None:
    with ward.store.begin() as work:
        for name in ("UCI", "Quirófano"):
            bind_to(ward.use_cases.areas.create, work)(ward.admin, AreaDraft(name=name))
    assert [area.name for area in kept(ward).areas.values()] == ["Urgencias", "UCI", "Quirófano"]


def test_joined_calls_are_rolled_back_together(ward: Ward) -> None:
    def fail_halfway() -> None:
        with ward.store.begin() as work:
            bind_to(ward.use_cases.areas.create, work)(ward.admin, AreaDraft(name="UCI"))
            bind_to(ward.use_cases.areas.create, work)(ward.admin, AreaDraft(name="Urgencias"))

    with nothing_written(ward), refused((Code.TAKEN, "name")):
        fail_halfway()


def test_a_retried_use_case_can_join(ward: Ward) -> None:
    """A joined use case is not retried on its own."""
    with ward.store.begin() as work:
        bind_to(ward.use_cases.areas.create, work)(ward.admin, AreaDraft(name="UCI"))
    assert "UCI" in [area.name for area in kept(ward).areas.values()]
