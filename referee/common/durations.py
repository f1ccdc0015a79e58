"""Lengths of time that many rooms count in."""

from __future__ import annotations

from datetime import timedelta

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
ZERO = timedelta(0)
