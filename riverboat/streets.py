"""The streets of hold'em: their names, the street that a board belongs to, and where solving is cut."""

STREETS = PREFLOP, FLOP, TURN, RIVER = ("preflop", "flop", "turn", "river")
STREET_NUMBERS = {name: number for number, name in enumerate(STREETS)}
STREET_OF_CARDS = {3: FLOP, 4: TURN, 5: RIVER}  # by the number of cards on the board
_SOLVED_TO_THE_END = 1  # streets that may still follow when a tree reaches the end of the hand


def street_name(street: int, street_count: int) -> str:
    """Return "flop" for street 1 of hold'em, and "street 2" in games with another number of streets."""
    return STREETS[street] if street_count == len(STREETS) else f"street {street + 1}"


def is_cut(streets_left: int) -> bool:
    """Return whether a tree ends at the next deal, because more than one street follows the one it begins on."""
    return streets_left > _SOLVED_TO_THE_END
