"""Both editions of Confusion on the archive's pages."""
