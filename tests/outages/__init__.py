"""The service before servers that lose connections, refuse, forget, fall silent and lie about the time."""
