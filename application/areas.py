"""Upkeep of the areas."""

from dataclasses import dataclass

from application.audit import entry
from application.ports import Begin, Clock
from domain.area import Area
from domain.checks import Checks
from domain.policy import Actor, Permission
from domain.refusal import Code, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaDraft:
    """What is filled in for an area."""

    name: str | None = None
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateArea:
    """Add an area to the hospital."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, draft: AreaDraft) -> Area:
        actor.must(Permission.MANAGE_CATALOGUE)
        checks = Checks(draft.unreadable)
        area = Area(name=checks.text("name", draft.name))
        with self.begin() as work:
            if work.areas.named(area.name):
                checks.refuse(Code.TAKEN, "name", value=area.name)
            checks.done()
            work.areas.add(area)
            work.trail.append(entry(actor, self.clock(), "area.created", "area", after=area))
        return area
