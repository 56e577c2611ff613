"""In-memory store for the tests of use cases. No business rules."""
