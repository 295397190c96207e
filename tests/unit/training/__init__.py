"""Tests of riverboat.training."""
