"""The same store in this process's memory, for the tests of use cases. No rule."""
