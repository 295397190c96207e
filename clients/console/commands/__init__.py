"""One module for each command: parse the options, make the call, show the result."""
