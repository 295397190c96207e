"""Unit tests of riverboat/resolving."""
