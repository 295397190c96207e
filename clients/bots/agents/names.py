"""The built-in agents as data: the name of each, and the module of its class. Reading the names loads no agent."""

from collections.abc import Mapping

from riverboat.tables.agent_names import split_agent_name

# Agent: the module in this folder that has its class, and the class.
CLASSES: Mapping[str, tuple[str, str]] = {
    "always-call": ("constant", "CallBot"),
    "always-fold": ("constant", "FoldBot"),
    "always-raise": ("always_raise", "AlwaysRaise"),
    "random": ("random_agent", "Random"),
    "rollout": ("rollout", "Rollout"),
    "habit": ("habit", "Habit"),
    "blueprint": ("blueprint", "BlueprintAgent"),
    "neural": ("policy", "NeuralAgent"),
    "boosted": ("policy", "BoostedAgent"),
    "oct": ("policy", "OctAgent"),
    "cart": ("policy", "CartAgent"),
    "evolved": ("evolved", "Evolved"),
    "mcts": ("mcts", "MctsAgent"),
    "human": ("human", "Human"),
    "resolver": ("resolver", "ResolvingAgent"),
    "hybrid": ("hybrid", "Hybrid"),
}
AGENT_NAMES = tuple(CLASSES)
SHORT = {"mcts": "mcts:200"}  # agents that compile the same kernels in less time
HABIT_NAMES = WEAK_BETS, POT, MINIMUM, OVERBET = "weak-bets", "pot", "minimum", "overbet"
_SHIPPED_NETS = "best", "control", "hall", "hof", "models"
# Names that are worth offering: the agents, and parameters that are words.
OFFERED_NAMES = (
    *AGENT_NAMES,
    *(f"habit:{habit}" for habit in HABIT_NAMES),
    *(f"evolved:{net}" for net in _SHIPPED_NETS),
    *("resolver:reading", "resolver:equity"),
)
_RESOLVING = ("resolver", "hybrid")  # those that ask a resolver


def needs_resolver(name: str) -> bool:
    """Return whether an agent asks a resolver."""
    return split_agent_name(name)[0] in _RESOLVING
