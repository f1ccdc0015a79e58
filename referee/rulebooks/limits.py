"""How long the files may be that rulebooks read, in characters. Known before a rulebook is loaded."""

LARGEST_TABLE = 100_000
"""Of a movement table."""
LARGEST_SCENARIO = 40_000
"""Of a scenario."""
