"""FHIR R4 resources made of what is there. Over HTTP they are answered in adapters.http."""
