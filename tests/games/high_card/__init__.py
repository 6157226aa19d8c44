"""The tutorial's game: a model for the tests of a new one."""
