"""Holds the checks of a verification; each compares a value with its expected one."""
