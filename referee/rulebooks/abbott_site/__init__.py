"""Both editions of Confusion on the pages of the archive."""
