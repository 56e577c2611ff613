"""Migrations, numbered in order. Released ones are never changed."""
