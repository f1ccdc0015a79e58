"""What players may be called. A name stands in other people's letters and subjects, so it must mislead nobody."""

from __future__ import annotations

import re
import unicodedata

from referee.faults import Fault
from referee.rulebooks.catalogue import RULEBOOKS

LONGEST_NAME = 40
MOST_DIGITS = 3
"""So many may follow one another, whatever stands between: a name goes to strangers, and is no telephone number."""
MOST_MARKS = 2
"""Accents and vowel signs that one letter of a name may bear."""

# fmt: off
RESERVED = frozenset({
    "referee", "umpire", "director", "operator", "postmaster", "newcomer", "nobody", "white", "yellow", "red",
    "blue", "me", "you", "us", "now", "please", "here", "your", "name",
})
"""A name may not be made of these words alone, with or without an article."""

_DASHES = "-‐‑–"
_SIGNS = f"{_DASHES}'’.,&!?_·\u02bb\u02bc"
"""What a name may hold beside letters, digits and blanks; the last two are the Hawaiian and Ukrainian apostrophes."""
_SCRIPTS = frozenset({
    "LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "THAANA", "ETHIOPIC", "DEVANAGARI",
    "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "THAI", "LAO",
    "TIBETAN", "MYANMAR", "KHMER", "EAST-ASIAN",
})
"""The scripts in wide use today, as Unicode's annex on identifiers lists them; `_script` says what a character's is."""
_EAST_ASIAN = frozenset({
    "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "HANGUL",
})
"""One name may mix these."""
# fmt: on
_LOOK_LIKE_LATIN = frozenset({"LATIN", "GREEK", "CYRILLIC"})
"""One name may hold but one of these."""
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u17b4\u17b5\u034f")
"""Letters and marks that are not printed: Hangul fillers, two Khmer vowels, the grapheme joiner."""

_ALIKE = str.maketrans(
    # what is drawn like a Latin letter, most often in capitals, and the Latin letter
    "авекмнорстухіјѕһԁԛԝӏ" + "αβεζηικμνορτυχϲϳ" + "օսհո" + "ıɑɡ01i",
    "abekmhopctyxljshdqwl" + "abezhlkmnoptyxcj" + "ouhn" + "lagoll",
)
"""Look-alikes in lower case (the idea is Unicode's table of confusables). i, l and 1 are one: in many fonts the
capital I is drawn like an l."""


def tidy_name(name: str) -> str:
    """Return a name as it is kept: compatible characters made plain (full-width letters, ligatures), single blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def skeleton(name: str) -> str:
    """Return what all names that look like this one have in common; the empty name's is empty.

    Case, accents, punctuation and the number of blanks do not count, nor in which script a letter of that shape is.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    bare = "".join(c for c in plain if c.isspace() or (unicodedata.category(c)[0] in "LNM" and not _mute(c)))
    return " ".join(bare.translate(_ALIKE).split())


def check_name(name: str) -> Fault | None:
    """Say what is wrong with a player's name, None when it will do.

    It has up to 40 characters, and cannot be taken for an address, a number, a header, a bracket of the subject, a
    game's title, the referee, or (by letters of another script or none that are seen) for another name.
    """
    name = tidy_name(name)
    if not name or len(name) > LONGEST_NAME:
        return Fault("name-length", "a name has 1 to {most} characters", {"most": str(LONGEST_NAME)})
    if bad := next((c for c in name if not _may_stand(c)), ""):
        seen = bad.isprintable() and bad not in _UNSEEN and unicodedata.category(bad)[0] != "M"
        sign = bad if seen else ascii(bad)[1:-1]
        return Fault("name-sign", "a name cannot hold the sign {sign}", {"sign": sign})
    if _heaps_marks(name):
        return Fault("name-marks", "a letter of a name has at most {most} marks", {"most": str(MOST_MARKS)})
    if not any(map(_is_letter, name)):
        return Fault("name-letters", "a name needs at least one letter")
    if _mixes_scripts(name):
        return Fault("name-scripts", "a name's letters are of one script, such as Latin or Cyrillic")
    if re.search(r"[^\W_]{2}\.[^\W_]|[^\W_]\.[^\W_]{2}|\bhttps?|\bwww", name, re.IGNORECASE):
        return Fault("name-dot", "a name cannot look like an internet address; write a blank behind the dot")
    if re.search(rf"\d{{{MOST_DIGITS + 1}}}", "".join(c for c in name if c.isalnum())):
        return Fault("name-digits", "a name has at most {most} digits in a row", {"most": str(MOST_DIGITS)})
    if re.search(rf"(?:^|[{_DASHES}\s])[{_DASHES}]|[{_DASHES}](?:\s|$)", name):
        return Fault("name-dash", "a dash in a name stands between two letters")
    if _misleads(name):
        return Fault("name-reserved", "nobody can be called {name} here", {"name": name})
    return None


def _accent(c: str) -> bool:
    return "\u0300" <= c <= "\u036f"


def _mute(c: str) -> bool:
    return _accent(c) or c in _SIGNS or c in _UNSEEN


def _is_letter(c: str) -> bool:
    return c.isalpha() and c not in _SIGNS


def _script(c: str) -> str:
    """Return a letter's or mark's script in capitals: the first word of its name in Unicode."""
    first = unicodedata.name(c, "").partition(" ")[0]
    return "EAST-ASIAN" if first in _EAST_ASIAN else first


def _may_stand(c: str) -> bool:
    if c in " 0123456789" or c in _SIGNS:
        return True
    if c in _UNSEEN or unicodedata.category(c)[0] not in "LM":
        return False
    return _script(c) in _SCRIPTS or _accent(c) or c in "\u3099\u309a"  # the last two: Japanese sound marks


def _heaps_marks(name: str) -> bool:
    """Tell whether a letter bears too many marks, or a mark has no letter to stand on."""
    kinds = "".join("m" if unicodedata.category(c)[0] == "M" else "l" if _is_letter(c) else "-" for c in name)
    return re.search(rf"m{{{MOST_MARKS + 1}}}|(?:^|-)m", kinds) is not None


def _mixes_scripts(name: str) -> bool:
    words = [{_script(c) for c in word if _is_letter(c)} for word in re.split(rf"[{_DASHES}\s]", name)]
    return any(len(scripts) > 1 for scripts in words) or len(_LOOK_LIKE_LATIN & set().union(*words)) > 1


def _misleads(name: str) -> bool:
    """Tell whether a name could be read as the referee's, a seat's or a game's."""
    games = {skeleton(word) for rulebook in RULEBOOKS for word in ("game", rulebook.name, rulebook.title)}
    empty = {skeleton(word) for word in RESERVED} | games
    articles = {"the", "a", "an"}
    for spelling in (name, re.sub(rf"[{_DASHES}\d]", " ", name)):
        # Words of digits say nothing of who somebody is, and beside a game's title they name another game.
        words = {skeleton(word) for word in spelling.split() if not word.strip(_SIGNS).isdigit()}
        if words - articles <= empty and words & empty:
            return True
        if words & games and any(c.isdigit() for c in name):
            return True
    return False
