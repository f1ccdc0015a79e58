"""Days of a busy club in minutes: real servers, two hundred players, bad letters of every kind, and one fault after
the other; in the end nothing may be lost or doubled.

uv run python -m tests.soak --letters 5000 --players 200 --minutes 40 --database postgresql
"""
