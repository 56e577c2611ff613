"""The ward's rules: entities, exact amounts, rights and refusals. Standard library alone, no I/O, no clock."""
