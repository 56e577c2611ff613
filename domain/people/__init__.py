"""Patients and staff."""
