"""One letter's way: `stages` leads it, in one transaction; the other modules hear the letters that leave it early.

unregistered: from people who are not registered. held: in a player's name, with nobody to vouch for it; and the word
that releases it. address_confirmation: the word that confirms another address, or takes that back. bounces: what came
back. rate_limit: more than a person writes. autoresponders: from programs that answer every letter. duplicates,
old_letters: what came before, or may have.
"""
