"""Tests of the running server: threads, limits, metrics, databases."""
