"""The record file of a battle: how it is written, and how it is read and checked.

The record is text that a stranger can hold against the rules, so this is the one place where text is read back.
`layout` is the form of the file; `effects` is how each thing that happens is written. `cells` and `record` write.
`head`, `row_zero`, `cell_check` and `replay` read; each turn is replayed by `replayed_turn`, `replayed_actions` and
`replayed_combat`.
"""
