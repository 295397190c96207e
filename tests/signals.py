"""Signals as in a terminal, however the tests were started."""

import signal

# A shell without job control makes its background jobs ignore these.
_IGNORED_IN_THE_BACKGROUND = (signal.SIGINT, signal.SIGQUIT)


def restore_signals() -> None:
    """Restore the signals that a background job inherits as ignored, because child processes inherit that, too.

    Tests press Ctrl-C in commands that they start, which would otherwise ignore it.
    """
    for number in _IGNORED_IN_THE_BACKGROUND:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)
