"""How clients, and services that ask others, reach a server: one way to open channels, and what went wrong."""
