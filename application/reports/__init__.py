"""Use cases that report: consumption, home page, FHIR, consistency."""
