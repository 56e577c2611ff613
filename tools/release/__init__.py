"""Release files: an archive that installs Consumo without network."""
