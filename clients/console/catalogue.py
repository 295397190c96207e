"""The commands as data: a summary of each, and its module, which is loaded only when the command is called."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ListedCommand:
    """A command before its module is loaded."""

    name: str
    summary: str  # the first sentence of its --help
    module: str = ""  # in commands/; empty: named like the command

    @property
    def module_name(self) -> str:
        """Return the module that adds the command."""
        return self.module or self.name


@dataclass(frozen=True, slots=True)
class CommandGroup:
    """Commands that belong together, and an example."""

    title: str
    listed: tuple[ListedCommand, ...]
    example: str
    shows: str  # what the example does

    @property
    def commands(self) -> tuple[str, ...]:
        """Return the names of the commands."""
        return tuple(command.name for command in self.listed)


GROUPS = (
    CommandGroup(
        "Begin",
        (
            ListedCommand("demo", "Take a tour of Riverboat in ninety seconds."),
            ListedCommand("doctor", "Check the installation, and suggest remedies."),
        ),
        "demo",
        "a tour in ninety seconds",
    ),
    CommandGroup(
        "Play",
        (
            ListedCommand("play", "Play poker against agents, or at a table with other players."),
            ListedCommand("web", "Play, watch, study and learn in a browser."),
            ListedCommand("watch", "Watch a table, as a spectator or with all cards face up."),
            ListedCommand("tables", "List the tables and tournaments of a game manager."),
            ListedCommand("hands", "List hands you played or those of a table; import files of hands."),
            ListedCommand("replay", "Show a hand from a file, or check files against the rules."),
            ListedCommand("verify", "Check that hands were dealt as the server announced."),
        ),
        "play",
        "play against an agent",
    ),
    CommandGroup(
        "Study",
        (
            ListedCommand("solve", "Solve a two-player spot."),
            ListedCommand("explain", "Explain a decision in a two-player hand."),
            ListedCommand("review", "Say what the decisions of your last sitting cost, or those in a file."),
            ListedCommand("range", "Show a range as a picture, and write it in short."),
            ListedCommand("players", "Show how players play, from a store of hands."),
        ),
        "solve --board Td9d6hQc2s",
        "each holding's strategy and EV",
    ),
    CommandGroup(
        "Ask about cards",
        (
            ListedCommand("equity", "Compute how often a holding or range wins."),
            ListedCommand("features", "Show the features of a holding: its equity now and later."),
            ListedCommand("classify", "Show the category and strength of hands.", module="cards"),
            ListedCommand("showdown", "Compare any number of holdings on a board, and show who wins.", module="cards"),
            ListedCommand("deal", "Shuffle a deck and deal.", module="cards"),
            ListedCommand("decks", "List the decks.", module="cards"),
            ListedCommand("utility", "Show the utility matrix of a board."),
            ListedCommand("cheatsheet", "Compute the equity of each starting hand."),
        ),
        "equity AhKh --vs QQ+,AKs",
        "how often a holding wins",
    ),
    CommandGroup(
        "Bots and matches",
        (
            ListedCommand("match", "Let agents play many hands, and show who is better."),
            ListedCommand("tournament", "Play, watch or simulate tournaments."),
            ListedCommand("ladder", "Let all agents play each other, and show who beats whom."),
            ListedCommand("exploit", "Measure how exploitable an agent is."),
            ListedCommand("chart", "Show what an agent does with each starting hand."),
            ListedCommand("tree", "Draw the decision tree by which an agent plays a street."),
            ListedCommand("bot", "Run your own bot at a table, or offer it as an agent."),
            ListedCommand("acpc", "Deal or play by the computer poker competition's protocol."),
            ListedCommand("slumbot", "Play an agent against Slumbot over the internet."),
        ),
        "match rollout random",
        "who is better, and by how much",
    ),
    CommandGroup(
        "Train networks",
        (
            ListedCommand("train", "Train a value network, or begin another kind of run."),
            ListedCommand("runs", "List training runs; pause, resume, cancel or drop one."),
            ListedCommand("models", "List value networks, and what other runs have made."),
            ListedCommand("worker", "Do a trainer's jobs, until Ctrl-C."),
            ListedCommand("situations", "Draw the situations that networks are trained on."),
        ),
        "train --samples 2000",
        "train a small value network",
    ),
    CommandGroup(
        "Run services",
        (
            ListedCommand("up", "Start the services in the background.", module="stack"),
            ListedCommand("status", "Show which services run, and where.", module="stack"),
            ListedCommand("down", "Stop the services that riverboat up started.", module="stack"),
            ListedCommand("conformance", "Check a server against its contract."),
        ),
        "up",
        "oracle, game manager, resolver, agents",
    ),
)
LISTED = {command.name: command for group in GROUPS for command in group.listed}
