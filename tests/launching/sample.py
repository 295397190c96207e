"""A sample program: it prints how it was started, then follows its arguments."""

import os
import signal
import sys

if __name__ == "__main__":
    print(sys.argv[1:], os.environ.get("SAMPLE"), os.isatty(0), sys.stdin.readline().strip(), flush=True)
    print("to standard error", file=sys.stderr)
    match sys.argv[1]:
        case "exit":
            sys.exit(int(sys.argv[2]))
        case "raise":
            raise RuntimeError(sys.argv[2])
        case "wait":
            signal.pause()
