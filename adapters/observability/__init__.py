"""What is told about the running program: logs and metrics. Never what people wrote."""
