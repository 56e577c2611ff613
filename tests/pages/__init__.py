"""Tests of the documents and the texts."""
