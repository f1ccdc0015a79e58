"""Games as their pages play them, made by rulebooks and shown by the archive: plain data.

- `board`   pieces on squares
- `battle`  armies on a table
- `wording` what a stage asks of those who show it: words for what happened
"""
