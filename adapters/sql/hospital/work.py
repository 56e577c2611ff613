"""Stores and read models of hospital."""

from adapters.sql.common import work as common
from adapters.sql.common.work import on_connection
from adapters.sql.hospital.hospital_settings import SqlHospitalSettings


class Stores(common.Stores):
    """Stores within a unit of work."""

    hospital_settings = on_connection(SqlHospitalSettings)
