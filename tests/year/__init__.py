"""A year of a club, lived through by a clock that is set: what its players did, what the service did, and whether that
was fair.

`club` lets it happen and keeps the truth, `oracle` reckons from that alone, minute by minute, and `verdict` holds what
the service did against it.
"""
