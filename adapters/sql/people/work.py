"""Stores and read models of people."""

from adapters.sql.common import work as common
from adapters.sql.common.work import list_view, on_connection, query, table_store
from adapters.sql.people.patient_keys import SqlPatientKeys, SqlPatientNumbers
from adapters.sql.people.patients import MAPPING as PATIENTS_MAPPING
from adapters.sql.people.patients import (
    SqlFormerRecordNumbers,
    SqlNumberAuthorities,
    SqlPatientsView,
    read_patients_numbered,
)
from adapters.sql.people.staff import MAPPING as STAFF_MAPPING
from adapters.sql.people.staff import STAFF


class Views(common.Views):
    """Read models."""

    patient_numbers = on_connection(SqlPatientNumbers)
    patients = on_connection(SqlPatientsView)
    staff = list_view(STAFF)
    patients_numbered = query(read_patients_numbered)


class Stores(common.Stores):
    """Stores within a unit of work."""

    patient_keys = on_connection(SqlPatientKeys)
    patients = table_store(PATIENTS_MAPPING)
    former_record_numbers = on_connection(SqlFormerRecordNumbers)
    number_authorities = on_connection(SqlNumberAuthorities)
    staff = table_store(STAFF_MAPPING)
