"""What a scanned symbol means: a product, a patient, a badge or a form."""
