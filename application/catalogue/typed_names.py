"""Typed names: texts that users type for a product without a match.

Supervisors decide whether a text becomes another name of the product.
"""

from dataclasses import dataclass, replace

from application.audit.audit_log import Changes, entry_by_id
from application.catalogue.products import other_names
from application.catalogue.views import TypedNamesView, TypedNameView
from application.catalogue.work import Begin, BeginReadOnly, UnitOfWork
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import PRODUCT, AuditAction
from application.common.use_case import permitted
from application.people.patient_texts import may_be_a_patient
from application.records.crud import save_entity
from domain.catalogue.product import Product
from domain.catalogue.typed_name import TypedName, in_order, is_found_by, surplus, typed_name
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedNameDraft(Draft):
    """The text that a user typed."""

    text: str | None = None


@dataclass(frozen=True, slots=True)
class NoteTypedName:
    """Count a text that found nothing before the product was chosen.

    Texts that find the product, that are not names, or that may be a patient's name or number are not stored. Nothing
    is stored for actors who may not read patients: they could find out from the proposals who is a patient.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def __call__(self, actor: Actor, product_id: int, draft: TypedNameDraft) -> None:
        checks = Validator(draft.parse_errors)
        text = checks.required_line("text", draft.text)
        checks.raise_if_invalid()
        name = typed_name(text)
        now = self.clock()
        with self.begin() as work:
            product = work.products.lock(product_id)
            if product is None:
                raise NotFound
            if name is None or is_found_by(product, name) or not actor.can(Permission.READ_PATIENTS):
                return
            if may_be_a_patient(work.patient_keys, text):
                return
            known = work.typed_names.find_many("product_id", [product_id])
            same = next((one for one in known if one.name == name), None)
            if same:
                work.typed_names.save(replace(same, times=same.times + 1, last_at=now))
            else:
                work.typed_names.remove_all([one.id for one in surplus(known)])
                work.typed_names.add(TypedName(product_id=product_id, name=name, last_at=now))


@dataclass(frozen=True, slots=True)
class ListTypedNames:
    """List the proposals for other names of a product, by frequency."""

    begin_read_only: BeginReadOnly

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, product_id: int) -> TypedNamesView:
        with self.begin_read_only() as work:
            product = work.products.get(product_id)
            if product is None:
                raise NotFound
            known = work.typed_names.find_many("product_id", [product_id])
        proposed = [one for one in in_order(known) if one.is_proposed_for(product)]
        return TypedNamesView(
            items=[TypedNameView(id=one.id, text=one.name, times=one.times, last_at=one.last_at) for one in proposed]
        )


@dataclass(frozen=True, slots=True)
class AddTypedName:
    """Make a typed name one of the product's other names."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, typed_name_id: int) -> Product:
        now = self.clock()
        with self.begin() as work:
            before, typed = _lock(work, typed_name_id)
            checks = Validator()
            product = replace(before, also_called=other_names(checks, (*before.also_called, typed.name)))
            checks.raise_if_invalid()
            work.typed_names.remove(typed)
            save_entity(work, actor, PRODUCT, before, product, now)
        return product


@dataclass(frozen=True, slots=True)
class DismissTypedName:
    """Decide that a typed name is not another name of the product.

    It is not proposed again.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, typed_name_id: int) -> None:
        now = self.clock()
        with self.begin() as work:
            product, typed = _lock(work, typed_name_id)
            if typed.dismissed:
                return
            work.typed_names.save(replace(typed, dismissed=True))
            changes: Changes = {"typed_name": (None, typed.name)}
            work.audit_log.append(entry_by_id(actor, now, AuditAction.PRODUCT_NAME_DISMISSED, product.id, changes))


def _lock(work: UnitOfWork, typed_name_id: int) -> tuple[Product, TypedName]:
    """Lock the product, and return it with the typed name.

    All use cases that change typed names lock the product.
    """
    typed = work.typed_names.get(typed_name_id)
    product = work.products.lock(typed.product_id) if typed else None
    # Another supervisor may have decided while this request waited.
    typed = work.typed_names.get(typed_name_id)
    if typed is None or product is None:
        raise NotFound
    return product, typed
