"""Diagnosis of an installation: ``consumo doctor``."""
