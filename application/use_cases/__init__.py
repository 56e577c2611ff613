"""The container of all use cases, with their dependencies.

The web, the command line, imports and tests call the use cases through it.
"""

from dataclasses import dataclass

from application.use_cases.accounts import (
    AccountUseCases,
    BadgeUseCases,
    PasskeyUseCases,
    ServiceAccountUseCases,
    SessionUseCases,
    UserUseCases,
)
from application.use_cases.catalogue import (
    AreaUseCases,
    CategoryUseCases,
    KitUseCases,
    LabelUseCases,
    PatientUseCases,
    ProductUseCases,
    RestockUseCases,
    RoomUseCases,
    StaffUseCases,
    TypedNameUseCases,
)
from application.use_cases.sheets import (
    ContingencyFormUseCases,
    DetailUseCases,
    ImplantUseCases,
    LateEntryUseCases,
    MissedChargeUseCases,
    RecallUseCases,
    SheetUseCases,
    UnlistedItemUseCases,
)
from application.use_cases.systems import (
    AuditUseCases,
    FhirUseCases,
    HospitalUseCases,
    ImportUseCases,
    InboundMessageUseCases,
    OutboundMessageUseCases,
    ReportUseCases,
    StatusUseCases,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCases:
    """Every use case, grouped and wired to its adapters.

    They hold no state and are shared.
    """

    session: SessionUseCases
    passkeys: PasskeyUseCases
    badges: BadgeUseCases
    account: AccountUseCases
    users: UserUseCases
    service_accounts: ServiceAccountUseCases
    sheets: SheetUseCases
    details: DetailUseCases
    late_entries: LateEntryUseCases
    unlisted_items: UnlistedItemUseCases
    contingency_forms: ContingencyFormUseCases
    missed_charges: MissedChargeUseCases
    areas: AreaUseCases
    categories: CategoryUseCases
    rooms: RoomUseCases
    staff: StaffUseCases
    products: ProductUseCases
    typed_names: TypedNameUseCases
    labels: LabelUseCases
    recalls: RecallUseCases
    implants: ImplantUseCases
    restock: RestockUseCases
    kits: KitUseCases
    patients: PatientUseCases
    inbound_messages: InboundMessageUseCases
    outbound_messages: OutboundMessageUseCases
    imports: ImportUseCases
    reports: ReportUseCases
    status: StatusUseCases
    audit: AuditUseCases
    hospital: HospitalUseCases
    fhir: FhirUseCases
