"""Explains why a letter is what it is (`why H`) from this edition's evidence: see Confusion's reasons."""

from __future__ import annotations

from functools import partial

from referee.common.faults import Fault
from referee.rulebooks.confusion.reasons import Explanation, explain_by
from referee.rulebooks.spies.deduction import evidence_of
from referee.rulebooks.spies.position import View


def explain(view: View, subject: str) -> Explanation | Fault:
    """Explain what can be known of the letter that was asked about: `H`, or `white H` for that side's."""
    return explain_by(view, subject, partial(evidence_of, view))
