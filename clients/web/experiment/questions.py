"""The questionnaire: what participants are asked about the agent, with five answers each, and two open questions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its key in the results, its words, and the words of the answers 1 to 5."""

    key: str
    words: str
    answers: tuple[str, str, str, str, str]
    may_not_know: bool = False


_SIZES = ("Very small", "Small", "About right", "Too large", "Far too large")
QUESTIONS = (
    Question(
        "strength",
        "How well did your opponent play?",
        ("Very poorly", "Poorly", "Okay", "Well", "Very well"),
    ),
    Question(
        "aggression",
        "How aggressive was your opponent?",
        ("Very passive", "Passive", "In between", "Aggressive", "Very aggressive"),
    ),
    Question(
        "predictability",
        "How predictable was your opponent?",
        ("Not at all", "A little", "Quite", "Predictable", "Very predictable"),
    ),
    Question(
        "humanlike",
        "How much like a person did your opponent play?",
        ("Not at all", "A little", "Quite", "Like a person", "Very much so"),
    ),
    Question(
        "bluffing",
        "How often did your opponent bluff?",
        ("Hardly ever", "Not often", "About right", "A bit too often", "Far too often"),
    ),
    Question("bluff_size", "How large were its bets when it bluffed?", _SIZES, may_not_know=True),
    Question("value_size", "How large were its bets when it had a good hand?", _SIZES, may_not_know=True),
)
OPEN_QUESTIONS = (
    ("mistakes", "What were your opponent's main strategic mistakes?"),
    ("strengths", "And what did it do well?"),
)
LONGEST_ANSWER = 2_000
EXPERIENCES = (
    ("none", "I have hardly played poker"),
    ("some", "I know the rules and have played now and then"),
    ("regular", "I play or have played regularly"),
    ("expert", "I study the game, or win money at it"),
)
NOVICES = ("none", "some")  # the others count as experienced
