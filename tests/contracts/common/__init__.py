"""Contracts of stores: common."""
