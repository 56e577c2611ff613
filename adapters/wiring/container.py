"""The container of all components, with those of messages and files."""

from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints

from dependency_injector import providers

from adapters.documents.catalogue import CataloguePacker
from adapters.documents.pdf.labels import bars_fit
from adapters.files.images import read_logo, read_picture
from adapters.hl7.adt_parser import AdtParser, describe
from adapters.hl7.dft_message import DftMessageWriter
from adapters.hospital.current_hospital import CurrentHospital
from adapters.settings.hl7_map import adt_paths
from adapters.settings.read_settings import Settings
from adapters.spreadsheets.open_table import open_table
from adapters.symbols.scan import read_scan
from adapters.wiring.accounts import AccountContainer
from adapters.wiring.hospital import of_hospital
from application.use_cases import UseCases

_Paths = dict[str, tuple[str, ...]]


def dft_writer(settings: Settings, hospital: CurrentHospital) -> DftMessageWriter | None:
    """Return the writer of DFT messages; None if no destination is set."""
    if settings.dft_destination is None:
        return None
    now = hospital.settings
    return DftMessageWriter(conventions=settings.dft_conventions, currency=now.currency, zone=now.zone)


def adt_parser(settings: Settings, paths: _Paths, hospital: CurrentHospital) -> AdtParser:
    """Return the parser of ADT messages with the hospital's settings."""
    return AdtParser(
        zone=hospital.zone(),
        paths=paths,
        authority=settings.hl7_authority,
        classes=frozenset(settings.hl7_classes),
        class_map=dict(settings.hl7_class_map),
        visit=settings.hl7_visit,
        processing=frozenset({settings.hl7_processing}),
    )


def autowire(given: dict[str, Any]) -> dict[str, Any]:
    """Build every group of use cases from the types and names of fields.

    A field whose type is another use case or a list gets that one. ``CreateArea`` gets ``given["begin"]`` and
    ``given["clock"]``, for example, because its fields have these names.
    """

    instances: dict[type, Any] = {}

    def provide(kind: type) -> Any:
        if kind not in instances:
            types = get_type_hints(kind)
            needed = [field.name for field in fields(kind) if field.default is MISSING or field.name in given]
            instances[kind] = providers.Factory(kind, **{name: value_of(name, types[name]) for name in needed})
        return instances[kind]

    def value_of(name: str, kind: Any) -> Any:
        return provide(kind) if name not in given and isinstance(kind, type) and is_dataclass(kind) else given[name]

    return {
        group: providers.Factory(kind, **{name: provide(use_case) for name, use_case in get_type_hints(kind).items()})
        for group, kind in get_type_hints(UseCases).items()
    }


class Components(AccountContainer):
    """Everything that a field of a use case may name."""

    hospital, settings = AccountContainer.hospital, AccountContainer.settings

    paths = providers.Singleton(adt_paths, settings)
    parse_message = of_hospital(hospital, adt_parser, settings, paths, hospital)
    describe_message = providers.Object(describe)
    write_charges = of_hospital(hospital, dft_writer, settings, hospital)
    record_authority = settings.provided.hl7_authority

    open_table = providers.Object(open_table)
    pack_catalogue = providers.Singleton(CataloguePacker)
    read_logo = providers.Object(read_logo)
    read_picture = providers.Object(read_picture)
    read_scan = providers.Object(read_scan)
    bars_fit = providers.Object(bars_fit)


class Container(Components):
    """Every component, and the use cases over them.

    ``settings`` is required; ``store``, ``passwords`` and ``clock`` may be overridden.
    """

    use_cases = of_hospital(Components.hospital, UseCases, **autowire(Components.providers))
