"""FHIR resources before those who judge them. Answers of addresses belong in http/, what stores find in contracts/."""
