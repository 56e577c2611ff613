"""The controllers: one class for each resource."""
