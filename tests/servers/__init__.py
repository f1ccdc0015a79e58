"""Real servers for tests: Dovecot, Postfix and PostgreSQL, on loopback, in folders of their own."""
