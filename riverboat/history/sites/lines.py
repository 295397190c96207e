"""The lines of one hand of a site, read into plain values: who sits where, who does what."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from riverboat.cards import parse_cards
from riverboat.errors import InvalidInput
from riverboat.history.sites.formats import SiteFormat

_SITS_OUT = re.compile(r"sitting out|out of hand", re.IGNORECASE)
_SUMMARY_CARDS = re.compile(r"^Seat \d+: (?P<name>.+?) (?:\([^)]*\) )*(?:mucked|showed) \[(?P<cards>[^\]]+)\]")
_TWICE = re.compile(r"FIRST (?:FLOP|TURN|RIVER)|SECOND (?:FLOP|TURN|RIVER)")
_DATE = re.compile(r"(?P<year>\d{4})[/-](?P<month>\d{1,2})[/-](?P<day>\d{1,2})")


@dataclass(frozen=True, slots=True)
class SiteSeat:
    """One player at the table."""

    place: int  # the seat's number
    name: str
    stack: Decimal
    sits_out: bool


@dataclass(frozen=True, slots=True)
class SiteAct:
    """One thing that happened: a post, an action, a street, shown cards, chips won."""

    kind: str
    name: str = ""
    chips: Decimal = Decimal(0)
    dead: Decimal = Decimal(0)  # of a post: what is not part of the first bet
    cards: tuple[int, ...] = ()
    line: int = 0  # in the file


@dataclass(slots=True)
class SiteHand:
    """One hand as the site tells it."""

    site: SiteFormat
    number: str
    line: int
    limit: str = ""
    game: str = ""
    small: Decimal = Decimal(0)
    big: Decimal = Decimal(0)
    button: int = -1
    hero: str = ""
    date: Mapping[str, int] = field(default_factory=dict)
    seats: list[SiteSeat] = field(default_factory=list)
    acts: list[SiteAct] = field(default_factory=list)
    cards: dict[str, tuple[int, ...]] = field(default_factory=dict)  # known holdings, by name


def hands_of(site: SiteFormat, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of each hand, with the number of the first."""
    begin, hand = 1, list[str]()
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if site.begins.match(line.strip()) and hand:
            yield begin, hand
            hand = []
        if not hand:
            if not site.begins.match(line.strip()):
                continue
            begin = number
        hand.append(line.strip())
    if hand:
        yield begin, hand


def read_hand(site: SiteFormat, first: int, lines: Sequence[str]) -> SiteHand:
    """Return a hand; an error names the line."""
    begins = site.begins.match(lines[0])
    hand = SiteHand(site, begins["hand"] if begins else "", first)
    is_over = False
    for number, line in enumerate(lines, start=first):
        try:
            is_over = is_over or bool(site.summary.match(line))
            if not hand.big:
                _read_stakes(hand, line)
            if is_over:
                _read_summary(hand, line)
            else:
                _read_line(hand, line, number)
            if is_over and site.raises_by:  # these sites tell the showdown after it
                _read_act(hand, line, number)
        except InvalidInput as error:
            raise InvalidInput(f"line {number}", str(error)) from None
    if not hand.big:
        raise InvalidInput(f"line {first}", f"the blinds of this {site.name} hand were not found")
    return hand


def _read_stakes(hand: SiteHand, line: str) -> None:
    if not hand.date and (date := _DATE.search(line)):
        hand.date = {name: int(digits) for name, digits in date.groupdict().items()}
    if match := hand.site.stakes.search(line):
        hand.small, hand.big = amount(match["small"]), amount(match["big"])
        hand.limit, hand.game = match["limit"].lower(), match["game"].lower()


def _read_line(hand: SiteHand, line: str, number: int) -> None:
    site = hand.site
    if button := site.button.search(line):
        hand.button = int(button["seat"])
    elif seat := site.seat.match(line):
        sits_out = bool(_SITS_OUT.search(seat["rest"]))
        hand.seats.append(SiteSeat(int(seat["seat"]), seat["name"], amount(seat["chips"]), sits_out))
    elif street := site.street.match(line):
        if _TWICE.search(line):
            raise InvalidInput("", "the board was run more than once, which is not supported")
        if street["street"].lower() in ("flop", "turn", "river"):
            cards = _cards(street["new"] or street["old"] or "")
            hand.acts.append(SiteAct("deal", cards=cards, line=number))
    elif dealt := site.dealt.match(line):
        hand.hero = hand.hero or dealt["name"]
        hand.cards[dealt["name"]] = _cards(dealt["cards"])
    elif site.returned and (back := site.returned.match(line)):
        hand.acts.append(SiteAct("return", back["name"], amount(back["chips"]), line=number))
    else:
        _read_act(hand, line, number)


def _read_summary(hand: SiteHand, line: str) -> None:
    """Take cards that were mucked, which only the summary knows."""
    if match := _SUMMARY_CARDS.match(line):
        names = [seat.name for seat in hand.seats if match["name"].startswith(seat.name)]
        if names and (cards := _cards(match["cards"])):
            hand.cards.setdefault(max(names, key=len), cards)


def _read_act(hand: SiteHand, line: str, number: int) -> None:
    name = _name_at(hand, line)
    if not name:
        return
    words = line[len(name) :].removeprefix(hand.site.after_name).strip()
    for kind, pattern in hand.site.acts:
        if match := pattern.match(words):
            groups = match.groupdict()
            cards = _cards(groups["cards"]) if groups.get("cards") else ()
            if kind == "show":
                hand.cards[name] = cards
            hand.acts.append(
                SiteAct(
                    kind,
                    name,
                    amount(groups.get("chips") or "0"),
                    amount(groups.get("dead") or "0"),
                    cards,
                    number,
                )
            )
            return


def _name_at(hand: SiteHand, line: str) -> str:
    """Return the player whose name a line begins with; the longest, for a name may begin another."""
    names = [seat.name for seat in hand.seats if line.startswith((f"{seat.name}:", f"{seat.name} "))]
    return max(names, key=len, default="")


def amount(text: str) -> Decimal:
    """Return a number of chips or money."""
    return Decimal(text.replace(",", ""))


def _cards(text: str) -> tuple[int, ...]:
    return tuple(parse_cards(text.replace(",", " "))) if text.strip() else ()
