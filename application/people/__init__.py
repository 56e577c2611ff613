"""Use cases of patients and staff."""
