"""Runs the measurements as `python -m bench`, where the command `dealt` is not installed."""

import sys

from bench import main

if __name__ == "__main__":  # the measuring processes import this module again
    sys.exit(main(sys.argv[1:]))
