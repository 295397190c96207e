"""A second implementation of deals from docs/fair-dealing.md alone: slow, obvious, with hashlib only."""

from hashlib import sha256
from typing import Any

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECKS = {
    "52": ("23456789TJQKA", "cdhs", 2, 5), "36": ("6789TJQKA", "cdhs", 2, 5), "24": ("9TJQKA", "cdhs", 2, 5),
    "leduc": ("JQK", "hs", 1, 1), "kuhn": ("JQK", "s", 1, 0),
}  # fmt: skip  # ranks, suits, cards of a seat, cards of the board


def shuffled(items: list[int], seed: bytes) -> list[int]:
    stream = b"".join(sha256(seed + n.to_bytes(8, "big")).digest() for n in range(40))
    numbers = [int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4)]
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        while numbers[0] >= 2**32 - 2**32 % (i + 1):
            numbers.pop(0)
        j = numbers.pop(0) % (i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def cards_of(deck: str) -> list[int]:
    ranks, suits, _, _ = DECKS[deck]
    return sorted(4 * RANKS.index(rank) + SUITS.index(suit) for rank in ranks for suit in suits)


def text_of(card: int) -> str:
    return RANKS[card // 4] + SUITS[card % 4]


def salt(seed: bytes, place: int) -> bytes:
    block = sha256(b"riverboat deal v2 salt" + seed + (place // 2).to_bytes(4, "big")).digest()
    return block[16:] if place % 2 else block[:16]


def levels(cards: list[int], seed: bytes) -> list[list[bytes]]:
    level = [sha256(b"\x00" + bytes([i]) + bytes([card]) + salt(seed, i)).digest() for i, card in enumerate(cards)]
    tree = [level]
    while len(level) > 1:
        pairs = [level[i : i + 2] for i in range(0, len(level), 2)]
        level = [sha256(b"\x01" + pair[0] + pair[1]).digest() if len(pair) == 2 else pair[0] for pair in pairs]
        tree.append(level)
    return tree


def path(tree: list[list[bytes]], place: int) -> list[bytes]:
    siblings = []
    for level in tree[:-1]:
        sibling = place + 1 if place % 2 == 0 else place - 1
        if sibling < len(level):
            siblings.append(level[sibling])
        place //= 2
    return siblings


def text_hash(*lines: object) -> str:
    return sha256("\n".join(map(str, lines)).encode()).hexdigest()


def whole_deal(
    deck: str, table_id: str, hand_number: int, attempt: int, seeds: list[str], chairs: list[int], secrets: list[str]
) -> dict[str, Any]:
    """Return everything about one deal, in the format of the vectors."""
    _, _, holding_size, board_size = DECKS[deck]
    decks = [shuffled(cards_of(deck), bytes.fromhex(seed)) for seed in seeds]
    trees = [levels(cards, bytes.fromhex(seed)) for cards, seed in zip(decks, seeds, strict=True)]
    roots = [tree[-1][0].hex() for tree in trees]
    commitment = text_hash("riverboat deal v2 server", table_id, hand_number, attempt, *roots)
    pairs = list(zip(chairs, secrets, strict=True))
    mix = text_hash("riverboat deal v2 mix", commitment, *(f"{chair} {secret or '-'}" for chair, secret in pairs))
    dealt = int(mix, 16) % 2
    order = shuffled(list(range(len(decks[0]))), bytes.fromhex(text_hash("riverboat deal v2 order", mix)))
    count = holding_size * len(chairs) + board_size
    cards = [decks[dealt][place] for place in order[:count]]
    board = holding_size * len(chairs)
    seat_commitments = [
        text_hash("riverboat deal v2 seat", commitment, chair, secret) if secret else "" for chair, secret in pairs
    ]
    return {
        "deck": deck, "table_id": table_id, "hand_number": hand_number, "attempt": attempt, "seeds": seeds,
        "chairs": chairs, "secrets": secrets, "roots": roots, "commitment": commitment,
        "commitments": seat_commitments, "mix": mix, "dealt": dealt, "order": order,
        "holdings": ["".join(map(text_of, cards[i : i + holding_size])) for i in range(0, board, holding_size)],
        "board": "".join(map(text_of, cards[board:])),
        "openings": [
            {"salt": salt(bytes.fromhex(seeds[dealt]), place).hex(), "path": b"".join(path(trees[dealt], place)).hex()}
            for place in order[:count]
        ],
    }  # fmt: skip
