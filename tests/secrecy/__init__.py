"""Two houses that differ in what a player must not learn, and the letters that he gets from the one and the other."""
