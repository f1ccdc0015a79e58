"""How much of a letter is read, so that no letter costs more than a moment.

A letter that exceeds one of the first group is not read at all: its nature is UNREADABLE, and its writer is
told so. A text that exceeds one of the second group is cut at the end of a whole line.
"""

from __future__ import annotations

from referee.common.i18n import Phrase

LETTER_OCTETS = 10 * 1024 * 1024
HEADER_OCTETS = 128 * 1024
HEADER_LINES = 2_000
"""For the letter's header and those of its parts together."""
FIELD_OCTETS = 32 * 1024
PART_HEADER_OCTETS = 8 * 1024
PART_DEPTH = 20
PARTS = 200
BOUNDARY_LINES = 5_000
"""Lines of a multipart that begin like a boundary, whether they are one or not."""

TEXT_OCTETS = 64 * 1024
TEXT_LINES = 2_000
QUOTED_OCTETS = 256 * 1024
"""Bytes searched for unquoted lines in a text whose quotations leave no room for them."""
QUOTATIONS = 2_000
"""Most quotations that are dropped there."""
OWN_LINES = 150
"""The writer's own among the lines above: nobody writes that many, and each is compared with our letters."""
UNMARKED_LINES = 900
"""The same for lines below a quotation: a program may have dropped the marks of most of it."""
LINE_CHARACTERS = 1_000
"""A longer line can only be press, and its characters stay as they are."""
MARKUP_OCTETS = 256 * 1024
"""Without large pictures, comments and styles, which are dropped first."""
LARGE_MARKUP_OCTETS = 2 * 1024 * 1024
"""Bytes searched for those."""
PASSED_OVER = 2_000
"""Most of each kind that are dropped."""
MARKUP_TAGS = 8_000
"""In all parts of a letter together, like the bytes; a tag with many attributes counts as several."""
ATTRIBUTES_CHARACTERS = 2_000
"""In one tag."""
ATTRIBUTES_TOGETHER = 256 * 1024
"""In all tags of a letter, each counted up to the limit above."""
SUBJECT_CHARACTERS = 2_000
NAME_CHARACTERS = 200
ADDRESS_CHARACTERS = 254
MESSAGE_ID_CHARACTERS = 998
THREAD_IDS = 50
DATE_CHARACTERS = 100
STRUCTURED_FIELD_CHARACTERS = 2_000
"""Characters read of Content-Type and Content-Disposition; a longer From gives no sender."""
PARAMETERS = 30
"""In one such field."""
RESULTS_CHARACTERS = 4_000
"""A longer Authentication-Results header is not read."""


class LimitExceeded(ValueError):
    """A letter exceeds what is read; `why` says which limit, for the writer."""

    def __init__(self, message: str, limit: int, **facts: str) -> None:
        self.why = Phrase(message, {"limit": limit, **facts})
        super().__init__(str(self.why))
