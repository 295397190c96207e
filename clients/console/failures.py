"""Errors for people: one line, and an exit code."""

import grpc

EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130

# What the contract calls a field, and what it is called on the command line.
_NAMES = {
    "hero.text": "HAND",
    "hero": "HAND",
    "opponents": "--vs",
    "opponent_counts": "--opponents",
    "rollouts.rollout_count": "--rollouts",
    "rollouts.target_error": "--error",
    "rollout_count": "--rollouts",
    "board": "--board",
    "deck": "--deck",
    "board_size": "--board",
    "holding_count": "--players",
    "stud.mine": "--stud",
    "stud.theirs": "--stud",
}


class Refused(Exception):
    """Something the user can mend, in one line."""


def refusal_of(error: grpc.RpcError, server: str) -> Refused:
    """A server's error as one line."""
    code, details = error.code(), error.details() or ""
    if code is grpc.StatusCode.UNAVAILABLE:
        return Refused(f"no oracle answers at {server}")
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Refused(f"what answers at {server} is not an oracle of this version ({details})")
    return Refused(_in_our_words(details) if details else code.name)


def _in_our_words(message: str) -> str:
    """The message with the field's name as the user wrote it."""
    field, colon, reason = message.partition(": ")
    if not colon:
        return message
    plain = field.replace(".text", "")
    for ours, name in _NAMES.items():
        if plain == ours or plain.startswith(ours + "["):
            return f"{name}: {reason}"
    return message
