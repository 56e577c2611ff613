"""Codes in ADT messages that are understood."""

# HL7 table 0004 without U, which says that the class is unknown.
PATIENT_CLASSES = ("E", "I", "O", "P", "R", "B", "C", "N")

VERSIONS = (
    "2.2",
    "2.3",
    "2.3.1",
    "2.4",
    "2.5",
    "2.5.1",
    "2.6",
    "2.7",
    "2.7.1",
    "2.8",
    "2.8.1",
    "2.8.2",
    "2.9",
    "2.9.1",
)
