"""The ``consumo`` command and its subcommands: arguments in, use cases called, lines out. No rule and no SQL."""
