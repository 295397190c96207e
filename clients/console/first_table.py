"""python -m riverboat.clients.console.first_table: compile what the first table needs, with a bar that names it."""

import sys
import time

from riverboat.clients.console.views.output import progress_bar, say
from riverboat.clients.local.compilation import compile_parts
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, EXIT_REFUSED, Refused

_WORTH_SAYING = 5.0  # seconds


def main() -> int:
    """Compile; return the exit code."""
    begun, known = time.monotonic(), set[str]()
    try:
        with progress_bar("compiling") as bar:
            for step in compile_parts():
                bar.show(step.done, f"compiling {', '.join(step.names)}" if step.names else "compiled")
                if not sys.stderr.isatty() and (new := set(step.names) - known):
                    say(f"compiling {', '.join(sorted(new))}")
                    known |= new
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Refused as refused:
        say(f"riverboat: {refused}")
        return EXIT_REFUSED
    seconds = time.monotonic() - begun
    if seconds > _WORTH_SAYING:
        say(f"compiled in {seconds:.0f} s; the next start needs none of it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
