"""The processing of one letter: `stages` lists the stages, which all work in one transaction.

processor: takes letters in and settles them.
letter_context: what the stages know of a letter.
arrival, rate_limit, authentication, confirmations, parsing, game_resolver, old_letters, execution: the
    stages.
bounces, unregistered, held, address_confirmation: letters that end early.
duplicates, old_letters: letters that were heard before, or may have been.
autoresponders: programs that answer every letter.
readings: lines that are read only once.
"""
