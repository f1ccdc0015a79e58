"""Recognises orders in words by their single words: `reveal H`, `agent never`, `échanger A et H`.

A line is split into words that each have a meaning, in English or in French. A line with any other word is
prose and no order; where the words do not form one, `notation` reports the fault.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from referee.rulebooks.confusion.notation import Plain, plain, plain_text
from referee.rulebooks.confusion.table import default_table

ALLOW, DENY, AGENT, ELIMINATE, REVEAL, SWAP, TWO, PASS = (
    "allow",
    "deny",
    "agent",
    "eliminate",
    "reveal",
    "swap",
    "two",
    "pass",
)
"""The subject of an order in words. TWO: two attempts, by the token Move 2."""

_VERBS = {
    **dict.fromkeys(("ALLOW", "ALLOWED", "ALLOWS", "AUTORISER", "AUTORISE", "AUTORISEZ"), ALLOW),
    **dict.fromkeys(("PERMETTRE", "PERMETS", "PERMIS"), ALLOW),
    **dict.fromkeys(("DENY", "DENIED", "DENIES", "REFUSE", "REFUSED", "REFUSER", "REFUSEZ"), DENY),
    **dict.fromkeys(("INTERDIRE", "INTERDIS", "INTERDIT"), DENY),
    "AGENT": AGENT,
    **dict.fromkeys(
        ("ELIMINATE", "REMOVE", "ELIMINER", "ELIMINE", "ELIMINEZ", "RETIRER", "RETIRE"), ELIMINATE
    ),
    **dict.fromkeys(("REVEAL", "REVELER", "REVELE", "REVELEZ"), REVEAL),
    **dict.fromkeys(("SWAP", "EXCHANGE", "ECHANGER", "ECHANGE", "ECHANGEZ"), SWAP),
    **dict.fromkeys(("MOVE", "DEPLACER", "DEPLACE", "DEPLACEZ"), TWO),
    **dict.fromkeys(("PASS", "PASSER", "PASSE"), PASS),
}
"""The words that an order begins with."""

_NEARLY = {
    **dict.fromkeys(("ALOW", "ALLO", "ALLWO", "ALLOWE", "PERMIT", "AUTHORISE", "AUTHORIZE"), ALLOW),
    **dict.fromkeys(("AUTORIZE", "AUTORISEE", "PERMET"), ALLOW),
    **dict.fromkeys(("DENEY", "DENIE", "DNEY", "FORBID", "REJECT", "INTERDI", "REFUS"), DENY),
    **dict.fromkeys(("AGENTS", "AGNET", "AGEND"), AGENT),
    **dict.fromkeys(("ELIMINAT", "ELLIMINATE", "ELIMATE", "ELIMIATE", "ELIMINATES", "REMOV"), ELIMINATE),
    **dict.fromkeys(("REVEL", "REVEALS", "REVAEL", "REVEALL", "SHOW", "MONTRER", "MONTRE"), REVEAL),
    **dict.fromkeys(("SWOP", "SWAPP", "SWAPS", "SWITCH", "ECHANGES"), SWAP),
}
"""Words that were probably meant for these: asked about, never assumed."""

_OPENERS = {"I", "WE", "JE", "J'", "PLEASE", "TO", "TOKEN", "JETON"}
_POLITE = {"PLEASE", "THANKS", "SVP", "MERCI"}

_MINE = {"MY", "OWN", "MON", "MA", "MES", "PROPRE"}
_THEIRS = {
    *("THEIR", "HIS", "HER", "OPPONENT'S", "OPPONENTS'", "ENEMY'S", "ENEMY", "OPPOSING"),
    *("SON", "SA", "LEUR", "ADVERSE", "ADVERSAIRE", "L'ADVERSAIRE", "ENNEMI", "OPPONENT"),
}
_AGENT_WORDS = {"AGENT", "L'AGENT", "DOUBLE", "D'AGENT"}
_FILLERS = {
    *("THE", "SPY", "SPIES", "PIECE", "PIECES", "OF", "SQUARES", "PLACES", "TYPE"),
    *("LE", "LA", "LES", "L'ESPION", "ESPION", "ESPIONS", "PION", "PIONS", "DE", "DU"),
}
_JOINTS = {"AND", "WITH", "ET", "AVEC", "FOR", "CONTRE"}
_IT = {"IT", "THAT", "THIS", "MOVE", "ATTEMPT", "COUP", "TENTATIVE", "LE", "THE", "LA", "CELA", "CA"}
_WITHOUT = {"WITHOUT", "SANS"}
_WITH = {"WITH", "AVEC"}
_NO = {"NOT", "NO", "PAS"}
_TAKING = {"TAKING", "PRENDRE"}
_BRIEFCASE = {"Z", "BRIEFCASE", "CASE", "MALLETTE"}

HOW = {
    **dict.fromkeys(("ALWAYS", "TOUJOURS"), "always"),
    **dict.fromkeys(("NEVER", "JAMAIS"), "never"),
    **dict.fromkeys(("ASK", "DEMANDER", "DEMANDE", "DEMANDEZ"), "ask"),
    **dict.fromkeys(("AS", "COMME"), "as"),
}
"""The words of a standing instruction."""
HOW_MEANT = {
    **dict.fromkeys(
        ("ALLWAYS", "ALWAY", "YES", "OUI", "ALLOW", "ON", "EVERY", "TOUJOUR", "AUTORISER"), "always"
    ),
    **dict.fromkeys(("NEVERS", "NO", "NON", "DENY", "NEVR", "NERVER", "NEVVER", "REFUSER", "JAMAI"), "never"),
    **dict.fromkeys(("ASKED", "ASKS", "OFF", "NONE", "ME", "DEFAULT", "DEMAND", "ASKME"), "ask"),
    **dict.fromkeys(("LIKE", "IS", "TYPE"), "as"),
}
"""Other words, and what they were probably meant to say."""


@lru_cache(maxsize=256)
def bare(text: str) -> Plain:
    """Make a line plain, and without accents; its positions are those of the line."""
    made = plain(text.replace("’", "'"))
    signs = [
        (unicodedata.normalize("NFD", sign)[0], column)
        for sign, column in zip(made.text, made.columns, strict=False)
        if not unicodedata.combining(sign)
    ]
    columns = (*(column for _, column in signs), made.columns[-1])
    return Plain("".join(sign for sign, _ in signs), columns)


def bare_text(text: str) -> str:
    """Return a bare line without the positions."""
    made = plain_text(text.replace("’", "'"))
    if made.isascii():
        return made
    signs = _NO_LETTERS if unicodedata.is_normalized("NFD", made) else _BEYOND_ASCII
    return signs.sub(lambda sign: _without_accent(sign[0]), made)


_BEYOND_ASCII = re.compile(r"[^\0-\x7f]")
_NO_LETTERS = re.compile(r"[^\w\s!-~]")
"""Accents and the like, besides other characters."""


@lru_cache(maxsize=4096)
def _without_accent(sign: str) -> str:
    return "" if unicodedata.combining(sign) else unicodedata.normalize("NFD", sign)[0]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line, in bare capitals, and its position there."""

    text: str
    at: int


_WORDS = re.compile(r"(?:[JL]')?[^\W_]+(?:'S)?|[^\s\w]+")


def words_in(line: str) -> tuple[Word, ...]:
    """Return the words and signs of a bare line, without punctuation at its end."""
    return tuple(Word(found[0], found.start()) for found in _WORDS.finditer(line.rstrip(" .,;!")))


@dataclass(frozen=True, slots=True)
class Said:
    """An order in words.

    about: one of ALLOW to PASS.
    verb: the word that says so.
    near: the word is only similar.
    rest: what follows it, without words of politeness.
    """

    about: str
    verb: Word
    near: bool
    rest: tuple[Word, ...]


def said_in(line: str) -> Said | None:
    """Split a bare line that begins like an order in words; None for any other."""
    if not begins_like_an_order(line):
        return None
    words = list(words_in(line))
    while words and words[0].text in _OPENERS and len(words) > 1:
        words.pop(0)
    while len(words) > 1 and words[-1].text in _POLITE:
        words.pop()
    if not words:
        return None
    first = words[0].text.removeprefix("J'")
    about = _VERBS.get(first)
    near = about is None
    about = about or _NEARLY.get(first)
    if about is None:
        return None
    rest = words[1:]
    if rest and rest[0].text in (":", "=", ",", ":="):
        rest = rest[1:]
    return Said(about, words[0], near, tuple(rest))


def begins_like_an_order(line: str) -> bool:
    """Return whether the first word of a bare line, after any opening words, is one of an order's."""
    first = next((found[0] for found in _WORDS.finditer(line) if found[0] not in _OPENERS), "")
    first = first.removeprefix("J'")
    return first in _VERBS or first in _NEARLY


def kind_of(word: str) -> str:
    """Return the kind of a word about a spy, "" for none of them.

    "mine", "theirs", "agent", "joint", "filler", "letter", "their letter".
    """
    for kind, words in (
        ("mine", _MINE),
        ("theirs", _THEIRS),
        ("agent", _AGENT_WORDS),
        ("joint", _JOINTS),
        ("filler", _FILLERS),
    ):
        if word in words:
            return kind
    if len(word) == 1 and word.isalnum():
        return "letter"
    if len(word) == 2 and word[0] == "X" and word.isalpha():
        return "their letter"
    if re.fullmatch(r"[,/&+<>-]+", word):
        return "joint"
    return ""


def names_it(word: str) -> bool:
    """Return whether a word stands for the attempt that is answered."""
    return word in _IT


def about_briefcase(word: str) -> bool:
    """Return whether a word after an answer may refer to the briefcase."""
    return word in _WITHOUT | _WITH | _BRIEFCASE | _NO | _TAKING | {",", "-", "THE", "LA"}


def without_briefcase(words: tuple[Word, ...]) -> bool | None:
    """Return whether words after an answer leave the briefcase; None where they say something else."""
    said = [word.text for word in words if word.text not in _TAKING | {",", "-", "THE", "LA"}]
    match said:
        case [joint, thing] if thing in _BRIEFCASE and joint in _WITHOUT | _NO:
            return True
        case [joint, thing] if thing in _BRIEFCASE and joint in _WITH:
            return False
    return None


@cache
def type_names() -> dict[str, int]:
    """Return the types' names in all languages of the table in the package, bare, and their numbers."""
    return {
        bare(name).text: number
        for number, row in enumerate(default_table().rows, 1)
        for name in row.names.values()
    }


def without_articles(words: tuple[Word, ...]) -> Iterator[Word]:
    """Yield the words of a type's name, without what may precede it."""
    for word in words:
        if word.text in ("A", "AN", "THE", "LE", "LA", "UN", "UNE", "TYPE", "NUMBER", "NO", "#"):
            continue
        yield replace(word, text=word.text.removeprefix("L'"), at=word.at)
