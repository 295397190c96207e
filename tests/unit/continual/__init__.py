"""Unit tests of riverboat/continual."""
