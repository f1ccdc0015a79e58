"""One letter's way: `stages` lists its stages, which all work in one transaction.

processor: takes letters in and settles them. letter_context: what the stages know of a letter. arrival, rate_limit,
authentication, confirmations, parsing, game_resolver, old_letters, execution: the stages. bounces, unregistered, held,
address_confirmation: letters that leave the way early. duplicates, old_letters: what came before, or may have.
autoresponders: programs that answer every letter. readings: lines that are read once.
"""
