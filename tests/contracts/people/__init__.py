"""Contracts of patients, their numbers and their names."""
