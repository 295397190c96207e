"""Signals as a terminal leaves them, whoever started the tests."""

import signal

# What a shell without job control has its background jobs ignore.
_IGNORED_IN_THE_BACKGROUND = (signal.SIGINT, signal.SIGQUIT)


def restore_signals() -> None:
    """Undo what a background job inherits: an ignored signal stays ignored in every process that is started.

    Tests press Ctrl-C in commands that they start, which then would never hear it.
    """
    for number in _IGNORED_IN_THE_BACKGROUND:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)
