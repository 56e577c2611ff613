"""What breaks Consumo on purpose and tells whether anything was lost: `make faults`. No tests, no measuring of time."""
