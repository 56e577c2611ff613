"""Validation of FHIR resources.

Tests of HTTP answers belong in http/, tests of queries in contracts/.
"""
