"""Patients and staff."""

from adapters.http.controllers.people import patients, staff

ROUTES = (
    patients.PatientController,
    staff.StaffController,
)
