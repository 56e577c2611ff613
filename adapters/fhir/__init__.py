"""FHIR R4: resources made of what is there, and searching them. Over HTTP they are answered in adapters.http."""
