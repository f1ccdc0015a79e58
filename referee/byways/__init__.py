"""The ways that most letters do not take: each module hears one sort of letter to its end.

strangers: from people who are not registered. held: in a player's name, with nobody to vouch for it; and the word that
releases it. moved: the word that confirms another address, or takes that back. returned: a bounce. too_often: more
than a person writes. responders: from programs that answer every letter.
"""
