"""Use cases of patients, their numbers and their names."""
