"""Tests of answers that are files."""
