"""Everything that could be something else: people, programs, files and databases. No rule of the ward."""
