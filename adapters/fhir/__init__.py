"""FHIR R4 resources and search. HTTP routes are in ``adapters.http``."""
