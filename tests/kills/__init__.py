"""The process is killed at every step of its work and at random times, started again, and must have lost nothing.

uv run python -m tests.kills --kills 2000 --database postgresql
uv run python -m tests.kills --kills 2000 --order --database postgresql --workers 2
"""
