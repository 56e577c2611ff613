"""How the values of settings are read: kinds, mail server, public origin."""
