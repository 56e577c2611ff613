"""What measures how quick Consumo is; writes docs/performance.md. Nothing that a test needs."""
