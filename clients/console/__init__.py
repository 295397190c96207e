"""The `riverboat` command."""
