"""Battles on the pages of the archive: what happened, where all stood, the map, and where names are written."""
