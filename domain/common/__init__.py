"""Errors, validation, texts, days, money and permissions, which every topic uses."""
