"""What players may be called. Names appear in other people's letters and subjects, so they must not mislead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise

from referee.common.characters import fold
from referee.common.faults import Fault
from referee.rulebooks.catalogue import CATALOGUE

LONGEST_NAME = 40
MOST_WORDS = 5
MOST_DIGITS = 3
"""How many digits may follow one another, whatever separates them, so that a name cannot be a telephone number."""
MOST_MARKS = 2
"""The most accents and vowel signs that one letter of a name may carry."""

# fmt: off
OUR_WORDS = frozenset({
    "referee", "umpire", "arbiter", "adjudicator", "desk", "system", "admin", "administrator", "operator", "moderator",
    "postmaster", "webmaster", "daemon", "game", "gamemaster", "resign", "confirm", "your", "please",
    "arbitre", "administrateur", "partie", "abandonner", "confirmer", "votre",
})
"""A name contains none of these, nor a rulebook's name or title: it could be read as the service's, or as a command."""
EMPTY_WORDS = frozenset({
    "director", "observer", "watcher", "spectator", "newcomer", "nobody", "somebody", "everybody", "anybody", "player",
    "opponent", "winner", "loser", "master", "mailer", "server", "service", "support", "white", "yellow", "red", "blue",
    "black", "green", "me", "you", "us", "now", "here", "name", "turn", "move", "joueur", "adversaire", "observateur",
    "spectateur", "gagnant", "perdant", "personne", "blanc", "blancs", "jaune", "jaunes", "rouge", "bleu", "moi",
    "vous", "nom", "ici", "coup", "tour",
})
"""A name does not consist of these words alone."""
_FILLERS = frozenset({
    "the", "a", "an", "of", "this", "that", "it", "is", "are", "has", "have", "to", "and", "for", "must", "can",
    "won", "win", "lost", "lose", "over", "write", "reply", "le", "la", "les", "un", "une", "des", "est",
})
"""Together with EMPTY_WORDS, these make no name either."""
_LONG = 6
"""A reserved word with at least this many letters is also found within another word."""
_TITLES = frozenset({
    "dr", "prof", "mr", "mrs", "ms", "mme", "mlle", "st", "ste", "sta", "sto", "mt", "fr", "sr", "jr", "rev", "hon",
    "sgt", "capt", "lt", "col", "gen", "maj", "adm", "cpl", "ing", "mag", "dipl", "phd", "ph.d", "md", "m.d", "esq",
    "ii", "iii", "iv",
})
"""Abbreviations that are written with a dot before other words of a name, or after a comma."""

_DASHES = "-‐‑–"
_ENDS = ",!?"
"""Characters a word may end with; a name that continues after one is taken for a sentence."""
_SIGNS = f"{_DASHES}'’.&{_ENDS}_·\u02bb\u02bc"
"""Characters that a name may hold besides letters, digits and blanks.

The last two are the Hawaiian and Ukrainian apostrophes.
"""
_SCRIPTS = frozenset({
    "LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "THAANA", "ETHIOPIC", "DEVANAGARI",
    "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "THAI", "LAO",
    "TIBETAN", "MYANMAR", "KHMER", "EAST-ASIAN",
})
"""The scripts in wide use today, as listed by Unicode's annex on identifiers; `_script` returns a character's."""
_EAST_ASIAN = frozenset({
    "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "HANGUL",
})
"""A word may mix these, and words in them may occur next to Latin ones; otherwise a name has one script."""
_OF_PEOPLE = {
    "LATIN": re.compile(
        r"LATIN (?:CAPITAL|SMALL) LETTER"
        r" (?:([A-Z]|AE|OE)|(?:ETH|THORN|ENG|SHARP S|SCHWA|DOTLESS I|OPEN [EO]|AFRICAN D))(?: WITH .+)?"
    ),
    "GREEK": re.compile(
        r"GREEK (?:CAPITAL|SMALL) LETTER (?:ALPHA|BETA|GAMMA|DELTA|EPSILON|ZETA|ETA|THETA|IOTA|KAPPA|LAMDA|MU|NU|XI"
        r"|OMICRON|PI|RHO|(?:FINAL )?SIGMA|TAU|UPSILON|PHI|CHI|PSI|OMEGA)(?: WITH .+)?"
    ),
    "EAST-ASIAN": re.compile(
        r"CJK UNIFIED .+|IDEOGRAPHIC .+|HIRAGANA .+|KATAKANA.+|BOPOMOFO LETTER .+|HANGUL SYLLABLE .+"
    ),
}
"""The letters of a script in which names are written today, by their Unicode names.

Clicks, small capitals and phonetic symbols are excluded. The group is the bare letter.
"""
# fmt: on
_OLD_CYRILLIC = re.compile("[\u0460-\u0489\u0500-\U0010ffff]")
_REPEATING = frozenset("々ーゝゞヽヾๆໆៗ")
"""The only modifier letters that names need; the others are drawn small or lengthen a letter."""
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u17b4\u17b5\u034f")
"""Letters and marks that are not printed: Hangul fillers, two Khmer vowels, the grapheme joiner."""

_ALIKE = str.maketrans(
    # characters drawn like a Latin letter, most often in capitals, and that Latin letter
    "авекмнорстухіјѕһԁԛԝӏ" + "αβεζηικμνορτυχϲϳ" + "օսհո" + "ıɑɡɩ01i" + "ðŋþ",
    "abekmhopctyxljshdqwl" + "abezhlkmnoptyxcj" + "ouhn" + "lagloll" + "dnp",
)
"""Look-alikes in lower case (after the idea of Unicode's table of confusables).

i, l and 1 are one, since many fonts draw the capital I like an l.
"""
_TOGETHER = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Pairs of letters that are drawn like one."""


def tidy_name(name: str) -> str:
    """Return a name as it is stored, with full-width letters and ligatures made plain, and single blanks.

    A character that only resembles a plain one (`²`) is kept, and is not allowed in a name.
    """
    return " ".join(fold(name).split())


@lru_cache(maxsize=4096)  # each new name is compared with the same reserved words
def skeleton(name: str) -> str:
    """Return what all names that look like this one have in common; "" for the empty name.

    Case, accents, punctuation and blanks don't count, nor the script of a letter of that shape, nor whether
    one letter or two make the shape. The skeleton is stored with names: when this function changes, a
    migration must recompute them.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    bare = "".join(
        _bare_letter(c) for c in plain if unicodedata.category(c)[0] in "LNM" and not _mute(c)
    ).translate(_ALIKE)
    for two, one in _TOGETHER:
        bare = bare.replace(two, one)
    return bare


def folded(words: str) -> str:
    """Return words in the form in which parts of them are searched: small letters without accents, single blanks.

    Unlike `skeleton`, it takes no letter for another. It is stored with names: when this function changes, a
    migration must recompute them.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", words).casefold())
    return " ".join("".join(_bare_letter(c) for c in plain if not _accent(c)).split())


def better_name(name: str) -> str:
    """Return a valid part of a refused name: without the bad characters, or its first and last word; otherwise ""."""
    if "@" in name:
        return ""
    kept = "".join(c if _may_stand(c) and c not in _ENDS else " " for c in tidy_name(name))
    words = [word for each in kept.split() if (word := each.strip(_DASHES))]
    some = [words[:MOST_WORDS], [*words[:1], *words[-1:]]]
    found = (" ".join(each) for each in some if each)
    return next((each for each in found if check_name(each) is None), "")


def holds_word(name: str, words: Collection[str]) -> bool:
    """Return whether a name holds one of these words or its plural, however it is spaced and spelt."""
    meant = {each for word in words if (each := skeleton(word))}
    meant |= {f"{each}s" for each in meant}
    for parts in _spellings(name):
        for first in range(len(parts)):
            if any(
                skeleton("".join(parts[first:last])) in meant for last in range(first + 1, len(parts) + 1)
            ):
                return True
    return False


def check_name(name: str) -> Fault | None:
    """Return what is wrong with a player's name, None when it is valid.

    It has up to LONGEST_NAME characters in up to MOST_WORDS words, and cannot be taken for an address, a
    number, a header, a bracket of the subject, a sentence, a game's title, the referee, or (through letters
    of another script or invisible ones) for another name.
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
        message = "nobody can be called {name} here: others could take it for a word of the desk, a colour or a game"
        return Fault("name-reserved", message, {"name": name})
    if _is_sentence(name):
        message = "a name is no sentence: behind a comma, a full stop or another such sign it cannot go on"
        return Fault("name-sentence", message)
    if len(name.split()) > MOST_WORDS:
        return Fault("name-words", "a name has at most {most} words", {"most": str(MOST_WORDS)})
    return None


def _accent(c: str) -> bool:
    return "\u0300" <= c <= "\u036f"


def _mute(c: str) -> bool:
    return _accent(c) or c in _SIGNS or c in _UNSEEN


def _is_letter(c: str) -> bool:
    return c.isalpha() and c not in _SIGNS


def _script(c: str) -> str:
    """Return a letter's or mark's script in capitals: the first word of its Unicode name."""
    first = unicodedata.name(c, "").partition(" ")[0]
    return "EAST-ASIAN" if first in _EAST_ASIAN else first


def _bare_letter(c: str) -> str:
    """Return a lower-case Latin letter without hooks and strokes, which Unicode doesn't count as accents."""
    found = _OF_PEOPLE["LATIN"].fullmatch(unicodedata.name(c, ""))
    return found[1].lower() if found and found[1] else c


def _may_stand(c: str) -> bool:
    if c in " 0123456789" or c in _SIGNS:
        return True
    category, script = unicodedata.category(c), _script(c)
    if c in _UNSEEN or category[0] not in "LM" or (category == "Lm" and c not in _REPEATING):
        return False
    if category[0] == "M":
        return script in _SCRIPTS or _accent(c) or c in "\u3099\u309a"  # the last two: Japanese sound marks
    if script == "CYRILLIC":
        return not _OLD_CYRILLIC.match(c)
    named = _OF_PEOPLE.get(script)
    return script in _SCRIPTS and (named is None or named.fullmatch(unicodedata.name(c)) is not None)


def _heaps_marks(name: str) -> bool:
    """Return whether a letter carries too many marks, or a mark has no letter."""
    kinds = "".join(
        "m" if unicodedata.category(c)[0] == "M" or c in _REPEATING else "l" if _is_letter(c) else "-"
        for c in name
    )
    return re.search(rf"m{{{MOST_MARKS + 1}}}|(?:^|-)m", kinds) is not None


def _mixes_scripts(name: str) -> bool:
    words = [{_script(c) for c in word if _is_letter(c)} for word in re.split(rf"[{_DASHES}\s]", name)]
    scripts = set().union(*words)
    return any(len(each) > 1 for each in words) or (len(scripts) > 1 and scripts != {"LATIN", "EAST-ASIAN"})


def _is_sentence(name: str) -> bool:
    """Return whether a name continues after a character that ends something.

    Initials, titles and suffixes don't count.
    """
    if re.search(rf"[{_ENDS}]\S", name):
        return True
    words = name.split()
    for word, following in pairwise(words):
        if word[-1] in "!?":
            return True
        if word[-1] == "," and following.rstrip(".").casefold() not in _TITLES:
            return True
        shortened = word[:-1].casefold()
        if (
            word[-1] == "."
            and shortened not in _TITLES
            and any(sum(map(_is_letter, each)) > 1 for each in re.split(rf"[{_DASHES}.]", shortened))
        ):
            return True
    return False


def _spellings(name: str) -> list[list[str]]:
    """Return the words of a name: split at blanks, and also split at dashes and digits."""
    return [spelling.split() for spelling in (name, re.sub(rf"[{_DASHES}\d]", " ", name))]


def _misleads(name: str) -> bool:
    """Return whether a name could be read as the referee's, a seat's or a game's."""
    titles = {word for entry in CATALOGUE for word in (entry.name, entry.title)}
    ours = OUR_WORDS | titles
    if holds_word(name, ours):
        return True
    whole = skeleton(name)
    if any(len(word) >= _LONG and skeleton(word) in whole for word in ours):
        return True
    empty, fillers = set(map(skeleton, EMPTY_WORDS)), set(map(skeleton, _FILLERS))
    for parts in _spellings(name):
        # Digits identify nobody; and a word with a dot is an initial, not an article.
        words = {skeleton(word): "." in word for word in parts if not word.strip(_SIGNS).isdigit()}
        said = {word for word, dotted in words.items() if dotted or word not in fillers}
        if said and {word if word in empty else word.removesuffix("s") for word in said} <= empty:
            return True
        if skeleton("you") in said and len(said) < len(words):
            return True
    return False
