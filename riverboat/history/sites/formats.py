"""How the sites write hands: a header, seats, streets, and a sentence for each action.

Each site is data: regular expressions with named groups. Amounts have a currency or none, "1,500" is fifteen hundred.
"""

import re
from dataclasses import dataclass

MONEY = r"[$€£¥]?\s?(?P<{0}>\d[\d,]*(?:\.\d+)?)\s?(?:€|USD|EUR|GBP|CAD)?"
_CARDS = r"\[\s*(?P<cards>[2-9TJQKA][cdhs](?:[,\s]+[2-9TJQKA][cdhs])*)\s*\]"
_ANY_STREET = r"(?P<street>{})[^\[]*(?:\[(?P<old>[^\]]*)\])?[^\[]*(?:\[(?P<new>[^\]]*)\])?"


def _money(name: str = "chips") -> str:
    return MONEY.format(name)


@dataclass(frozen=True, slots=True, eq=False)
class SiteFormat:
    """One site's text."""

    name: str
    begins: re.Pattern[str]  # the first line of a hand
    stakes: re.Pattern[str]  # in the first lines: game, limit, blinds
    button: re.Pattern[str]
    seat: re.Pattern[str]
    street: re.Pattern[str]
    dealt: re.Pattern[str]  # the user's own cards
    returned: re.Pattern[str] | None  # an uncalled bet
    after_name: str  # between a player's name and what it does
    acts: tuple[tuple[str, re.Pattern[str]], ...]  # kind, and the words after the name
    summary: re.Pattern[str]  # where the hand is over
    raises_by: bool = False  # whether a raise names the chips added, not the total


def _acts(*pairs: tuple[str, str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(words, re.IGNORECASE)) for kind, words in pairs)


_KINDS = r"Hold'?em|Omaha|Courchevel|Stud|Razz|Badugi|Draw|Deuce"
_GAME = rf"(?P<game>{_KINDS})[^(]*?\s(?P<limit>No Limit|Pot Limit|Limit)"
_STARS_ACTS = _acts(
    ("ante", rf"posts (?:the )?ante {_money()}"),
    ("both", rf"posts small & big blinds? {_money()}"),
    ("small", rf"posts (?:the )?small blind {_money()}"),
    ("big", rf"posts (?:the )?big blind {_money()}"),
    ("straddle", rf"(?:posts (?:a )?)?straddles? {_money()}"),
    ("fold", r"folds"),
    ("check", r"checks"),
    ("call", rf"calls {_money()}"),
    ("bet", rf"bets {_money()}"),
    ("raise", rf"raises (?:{_money('by')} )?to {_money()}"),
    ("show", rf"shows {_CARDS}"),
    ("muck", r"mucks"),
    ("win", rf"(?:collected|collects|wins) {_money()}"),
)
_BRACKETS = rf"\[\s*{_money()}\s*\]"
_BRACKET_ACTS = _acts(
    ("ante", rf"posts (?:the )?ante {_BRACKETS}"),
    ("dead", rf"posts dead blind \[\s*{_money('dead')}\s*\+\s*{_money()}\s*\]"),
    ("both", rf"posts big blind \+ dead {_BRACKETS}"),
    ("small", rf"posts small blind {_BRACKETS}"),
    ("big", rf"posts big blind {_BRACKETS}"),
    ("fold", r"folds"),
    ("check", r"checks"),
    ("call", rf"calls {_BRACKETS}"),
    ("bet", rf"bets {_BRACKETS}"),
    ("raise", rf"raises {_BRACKETS}"),
    ("push", rf"is all-in\s+{_BRACKETS}"),
    ("show", rf"shows {_CARDS}"),
    ("muck", r"mucks|does not show|did not show"),
    ("win", rf"(?:collected|wins) \[?\s*{_money()}"),
)
_STARS_STREETS = "FLOP|TURN|RIVER|PRE-FLOP|HOLE CARDS|ANTE/BLINDS|SHOW ?DOWN|FIRST FLOP|FIRST TURN|FIRST RIVER"
_STARS_BUTTON = re.compile(r"Table:? .*Seat #(?P<seat>\d+) is the button")


def _stars(name: str, begins: str, stakes: str, **others: str) -> SiteFormat:
    return SiteFormat(
        name=name,
        begins=re.compile(begins),
        stakes=re.compile(stakes, re.IGNORECASE),
        button=_STARS_BUTTON,
        seat=re.compile(rf"Seat (?P<seat>\d+): (?P<name>.+?) \({_money()}(?: in chips)?[^)]*\)(?P<rest>.*)"),
        street=re.compile(rf"\*\*\* {_ANY_STREET.format(_STARS_STREETS)}"),
        dealt=re.compile(rf"Dealt to (?P<name>.+?) {_CARDS}"),
        returned=re.compile(rf"Uncalled bet \({_money()}\) returned to (?P<name>.+)"),
        after_name=others.get("after_name", ": "),
        acts=_STARS_ACTS,
        summary=re.compile(r"\*\*\* SUMMARY \*\*\*"),
    )


def _bracketed(name: str, begins: str, stakes: str) -> SiteFormat:
    return SiteFormat(
        name=name,
        begins=re.compile(begins),
        stakes=re.compile(stakes, re.IGNORECASE),
        button=re.compile(r"Seat (?P<seat>\d+) is the button", re.IGNORECASE),
        seat=re.compile(rf"Seat (?P<seat>\d+): (?P<name>.+?) \(\s*{_money()}\s*\)(?P<rest>.*)"),
        street=re.compile(
            r"\*\* Dealing (?P<street>flop|turn|river|down cards) ?\*\*(?P<old>)\s*(?:\[(?P<new>[^\]]*)\])?",
            re.IGNORECASE,
        ),
        dealt=re.compile(rf"Dealt to (?P<name>.+?) {_CARDS}"),
        returned=None,
        after_name=" ",
        acts=_BRACKET_ACTS,
        summary=re.compile(r"\*\* Summary \*\*$"),
        raises_by=True,
    )


SITES = (
    _stars(
        "PokerStars",
        r"PokerStars (?:\w+ )?(?:Hand|Game) #(?P<hand>\d+)",
        rf"{_GAME}.*?\({_money('small')}/{_money('big')}",
    ),
    _stars(
        "GGPoker",
        r"Poker Hand #(?P<hand>[A-Z]{0,3}\d+)",
        rf"{_GAME}.*?\({_money('small')}/{_money('big')}",
    ),
    _stars(
        "Winamax",
        r"Winamax Poker - .*HandId: #(?P<hand>[\d-]+)",
        rf"- (?P<game>Holdem|Omaha[\w ]*?) (?P<limit>no limit|pot limit|limit) "
        rf"\((?:{_money('ante')}/)?{_money('small')}/{_money('big')}\)",
        after_name=" ",
    ),
    _bracketed(
        "888poker",
        r"\*{5} (?:888poker|888\.\w+|Pacific Poker|Cassava)[^#]*Hand History for Game (?P<hand>\d+)",
        rf"{_money('small')}/{_money('big')} Blinds (?P<limit>No Limit|Pot Limit|Fix(?:ed)? Limit|Limit) (?P<game>\w+)",
    ),
    _bracketed(
        "PartyPoker",
        r"\*{5} Hand History for Game (?P<hand>\d+)",
        rf"{_money('small')}/{_money('big')} (?P<limit>NL|PL|FL) (?P<game>[\w' ]+?) -",
    ),
)


def site_of(text: str) -> SiteFormat | None:
    """Return the site whose text this is, by the first lines that are not empty; None if it is none of them."""
    for line in text[:4000].lstrip("\ufeff").splitlines()[:20]:
        for site in SITES:
            if site.begins.match(line.strip()):
                return site
    return None
