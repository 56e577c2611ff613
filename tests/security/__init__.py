"""Password hashes, the judge of new passwords, tokens. Who may do what belongs in domain/ and use_cases/."""
