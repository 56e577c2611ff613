"""Patients and staff."""

from adapters.http.controllers.people import patients, staff

ROUTES = (
    patients.PatientController,
    patients.PatientIdentityController,
    staff.StaffController,
)
